import { plainAddress } from '../../platform/network/tls-address.ts';

/** ffmpeg takes a text with this beginning for a playlist, whatever its name and type are. */
export const PLAYLIST_BEGINNING = Buffer.from('#EXTM3U');

/** ffmpeg reads addresses from lines that are no comments, and from `URI=` in comments, without quotes and backslashes. */
const ATTRIBUTE = /URI=\s*"?([^",\s]*)/gi;
/** To ffmpeg a scheme needs no slashes, and `subfile,` is one. */
const SCHEME = /^[a-z0-9+.-]*[:,]/i;
const WEB = /^https?:\/\//i;

/**
 * Rewrites the https addresses of a playlist as plain ones, so that ffmpeg requests them from the proxy.
 * @returns null when the playlist names other than web addresses, which ffmpeg might open without the proxy
 */
export function plainPlaylist(text: string): string | null {
  for (const line of text.split(/[\r\n]+/)) {
    const addresses = line.startsWith('#')
      ? [...line.replaceAll('\\', '').matchAll(ATTRIBUTE)].flatMap(([, address]) => address ?? [])
      : [line.trim()];
    if (addresses.some((address) => SCHEME.test(address) && !WEB.test(address))) return null;
  }
  return text.replace(/https:\/\/[^\s"'<>]+/gi, (found) =>
    URL.canParse(found) ? plainAddress(new URL(found)) : found,
  );
}
