/**
 * ffmpeg speaks plain HTTP to our proxy, and only the proxy speaks TLS. So the proxy sees every redirect and playlist, and
 * ffmpeg needs no protocol with which a hostile playlist could open connections. An https address becomes an http address
 * with a host that cannot exist: `https://cam/a` becomes `http://cam.tls.invalid:443/a`.
 */
const SUFFIX = '.tls.invalid';
const IPV6 = '.v6';

/** @param url https @returns the plain address for ffmpeg */
export function plainAddress(url: URL): string {
  const isV6 = url.hostname.startsWith('[');
  const name = isV6 ? url.hostname.slice(1, -1).replaceAll(':', '-') + IPV6 : url.hostname.replace(/\.$/, '');
  const login = url.username === '' ? '' : `${url.username}${url.password && `:${url.password}`}@`;
  return `http://${login}${name}${SUFFIX}:${url.port || 443}${url.pathname}${url.search}`;
}

/** The real address of a plain address. */
export function meantAddress(url: URL): URL {
  if (!url.hostname.endsWith(SUFFIX)) return url;
  const name = url.hostname.slice(0, -SUFFIX.length);
  const host = name.endsWith(IPV6) ? `[${name.slice(0, -IPV6.length).replaceAll('-', ':')}]` : name;
  return new URL(`https://${host}:${url.port || 80}${url.pathname}${url.search}`);
}
