/** Puts a login into a stream address that discovery has found; special characters in it are encoded. */
export function withLogin(
  url: string,
  login: { readonly username: string; readonly password: string },
): string {
  if (login.username === '') return url;
  const user = `${encodeURIComponent(login.username)}:${encodeURIComponent(login.password)}`;
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?/i, (_, scheme: string) => `${scheme}${user}@`);
}

/** What somebody types or pastes as an address: an address without a scheme is one of RTSP, as in the manuals of cameras. */
export function readAddress(typed: string): string {
  const text = typed.trim();
  if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text)) {
    // "camera:554/stream" has a host and a port, not a scheme.
    if (!/^[a-z0-9.-]+:\d{1,5}(\/|$)/i.test(text)) return text;
  }
  return text === '' ? '' : `rtsp://${text}`;
}

/** A name for a camera of which only the address is known, without the login. */
export function nameOfAddress(address: string, simulated: string): string {
  if (address.startsWith('sim:')) return simulated;
  const file = /^file:.*\/([^/]+?)(?:\.[a-z0-9]{1,5})?$/i.exec(address)?.[1];
  if (file !== undefined) return decoded(file).slice(0, 100);
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]+)/i.exec(address)?.[1];
  return (host ?? '').slice(0, 100);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
