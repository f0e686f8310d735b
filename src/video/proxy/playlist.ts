import { plainAddress } from '../../platform/network/tls-address.ts';

/** What makes ffmpeg take a text for a playlist, whatever its name and type say. */
export const PLAYLIST_BEGINNING = Buffer.from('#EXTM3U');

/** As ffmpeg finds them: a line that is no comment, and `URI=` in those that are; quotes and backslashes are left out. */
const ATTRIBUTE = /URI=\s*"?([^",\s]*)/gi;
/** ffmpeg needs no slashes after a scheme, and knows `subfile,`. */
const SCHEME = /^[a-z0-9+.-]*[:,]/i;
const WEB = /^https?:\/\//i;

/**
 * A playlist for ffmpeg: https written plain, so that it comes through the proxy.
 * @returns null when it names anything but web addresses, which ffmpeg might open past the proxy
 */
export function plainPlaylist(text: string): string | null {
  for (const line of text.split(/[\r\n]+/)) {
    const addresses = line.startsWith('#')
      ? [...line.replaceAll('\\', '').matchAll(ATTRIBUTE)].map(([, address]) => address!)
      : [line.trim()];
    if (addresses.some((address) => SCHEME.test(address) && !WEB.test(address))) return null;
  }
  return text.replace(/https:\/\/[^\s"'<>]+/gi, (found) =>
    URL.canParse(found) ? plainAddress(new URL(found)) : found,
  );
}
