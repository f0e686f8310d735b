/** Variables that child processes inherit: never the address of the database, keys or proxies. */
const INHERITED =
  /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_\w+|XDG_CACHE_HOME|CUDA_\w+|NVIDIA_\w+|VK_\w+|MESA_\w+|OMP_\w+)$/;

/** The environment of lanes and ffmpeg. They read hostile input, so they get no secrets. */
export function childEnvironment(httpProxy?: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
  // Not every ffmpeg applies its option for the proxy to playlists; the variable holds for all requests.
  return { ...Object.fromEntries(inherited), ...(httpProxy === undefined ? {} : { http_proxy: httpProxy }) };
}
