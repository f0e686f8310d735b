/** What tells most quickly whether a playlist of HLS has a video. */
export interface PlaylistEntry {
  readonly url: string;
  /** Nobody can recognise what is in it without its key. */
  readonly isEncrypted: boolean;
}

/**
 * The first variant; else what stands before all segments; else the newest segment, as older ones may be gone already.
 * @returns null where it names none
 */
export function entryOf(playlist: string): PlaylistEntry | null {
  const lines = playlist.split(/[\r\n]+/);
  const variant = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF'));
  const first = /^#EXT-X-MAP:.*URI="([^"]+)"/m.exec(playlist)?.[1];
  const named = (line: string) => line !== '' && !line.startsWith('#');
  const url = variant >= 0 ? lines.slice(variant).find(named) : (first ?? lines.findLast(named));
  if (url === undefined) return null;
  return { url: url.trim(), isEncrypted: /^#EXT-X-KEY:(?!.*METHOD=NONE)/m.test(playlist) };
}
