/** What a child process needs of ours: never the address of the database, keys or proxies. */
const INHERITED =
  /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_\w+|XDG_CACHE_HOME|CUDA_\w+|NVIDIA_\w+|OMP_\w+)$/;

/** The environment of lanes and of every ffmpeg: they work on hostile input, so there is nothing to take from them. */
export function childEnvironment(httpProxy?: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
  // Playlists too go through it, whatever this ffmpeg hands on to its parts of the option of the same name.
  return { ...Object.fromEntries(inherited), ...(httpProxy === undefined ? {} : { http_proxy: httpProxy }) };
}
