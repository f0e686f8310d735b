/** The address in an HLS playlist that shows most quickly whether it has a video. */
export interface PlaylistEntry {
  readonly url: string;
  /** Its content cannot be recognised without a key. */
  readonly isEncrypted: boolean;
}

/**
 * The first variant; else the initialisation segment; else the newest segment, because older ones may be gone.
 * @returns null when the playlist names none
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
