/**
 * ffmpeg speaks plain HTTP to our proxy, which alone speaks TLS: so the proxy sees every redirect and playlist, and
 * ffmpeg needs no protocol by which a hostile playlist could open connections of its own. An https address is
 * written as an http one of a host that cannot exist: `https://cam/a` is `http://cam.tls.invalid:443/a`.
 */
const SUFFIX = '.tls.invalid';
const IPV6 = '.v6';

/** @param url https */
export function plainAddress(url: URL): string {
  const isV6 = url.hostname.startsWith('[');
  const name = isV6 ? url.hostname.slice(1, -1).replaceAll(':', '-') + IPV6 : url.hostname.replace(/\.$/, '');
  const login = url.username === '' ? '' : `${url.username}${url.password && `:${url.password}`}@`;
  return `http://${login}${name}${SUFFIX}:${url.port || 443}${url.pathname}${url.search}`;
}

/** What a plain address stands for. */
export function meantAddress(url: URL): URL {
  if (!url.hostname.endsWith(SUFFIX)) return url;
  const name = url.hostname.slice(0, -SUFFIX.length);
  const host = name.endsWith(IPV6) ? `[${name.slice(0, -IPV6.length).replaceAll('-', ':')}]` : name;
  return new URL(`https://${host}:${url.port || 80}${url.pathname}${url.search}`);
}
