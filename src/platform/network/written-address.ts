const PARTS = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)(.*)$/is;
/** What follows the last @ of an address with a login. */
const HOST_AHEAD = /^(?:\[[\da-f:.%]+\]|[\w.-]+)(?::\d+)?(?:[/?#\\]|$)/i;
const FULL_HOST_AHEAD = /^(?:\[[\da-f:.%]+\]|[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?(?:[/?#\\]|$)/i;
const HIGHEST_PORT = 65_535;
/** They end the host of an address, so that a password cannot hold them as they are. */
const ENDS_HOST = ['#', '/', '?', '\\'];

/**
 * What people write wrong in the address of a camera: a password with a character that ends the host, a port that none is.
 * @returns the rest of a sentence, without anything of the address; null if nothing is wrong here
 */
export function faultInWritten(address: string): string | null {
  const [, authority = '', rest = ''] = PARTS.exec(address) ?? [];
  const port = /^(?:\[[^\]]*\]|[^:[\]]*):(.*)$/s.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1];
  const isPort = port === undefined || port === '' || isPortNumber(port);
  const password = cutPassword(authority, rest, isPort);
  if (password !== null) {
    const found = ENDS_HOST.filter((sign) => password.includes(sign));
    const written = found.map((sign) => `${sign} in its password as ${encodeURIComponent(sign)}`);
    return `must write ${written.join(' and ')}: user:pass%23word@host stands for the password pass#word`;
  }
  return isPort ? null : `must name a port from 1 to ${HIGHEST_PORT} after its host`;
}

const isPortNumber = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= HIGHEST_PORT;

/** @returns the password that reaches beyond what is read as the host; null if there is none */
function cutPassword(authority: string, rest: string, isPort: boolean): string | null {
  const end = rest.lastIndexOf('@');
  const [, user, begin = ''] = /^([^@:[\]]+):([^@]*)$/s.exec(authority) ?? [];
  if (user === undefined || end < 0) return null;
  const ahead = rest.slice(end + 1);
  // `nvr:554/camera@main` is an address as it stands, `admin:554/x@10.0.0.1` hardly.
  const isLogin = isPort ? !user.includes('.') && FULL_HOST_AHEAD.test(ahead) : HOST_AHEAD.test(ahead);
  return isLogin ? begin + rest.slice(0, end) : null;
}
