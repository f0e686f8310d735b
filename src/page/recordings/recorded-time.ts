/**
 * When a recording may have begun, read from the name of its file: cameras and recorders write it there, as in
 * `2026-11-20_09-00-00.mp4`, `20261120T090000.mkv` or `VID_20261120_0900.mp4`.
 * @returns the wall clock `2026-11-20T09:00:00`; null if the name has no time
 */
export function clockOfName(name: string): string | null {
  const found =
    /(?<!\d)(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?:[T _.-]|at|um)*(\d\d)[-_.h:]?(\d\d)(?:[-_.m:]?(\d\d))?(?!\d)/i.exec(
      name,
    );
  if (!found) return null;
  const [, year, month, day, hour, minute, second = '00'] = found;
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // A date like 2026-02-31 would be moved to March.
  const ms = Date.parse(`${clock}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(clock) ? clock : null;
}

/** @returns the name of a file without its ending, at most 100 characters */
export function nameOfFile(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{2,4}$/i, '').trim();
  return [...(name || fileName)].slice(0, 100).join('');
}

/** Endings of files that browsers may not know as videos. The API looks at the content. */
const ENDINGS = /\.(mp4|m4v|mov|mkv|webm|avi|mpg|mpeg|vob|ps|ts|mts|m2ts)$/i;

export type FileFault = 'notVideo' | 'empty';

/** What is wrong with a chosen file before it is sent; null if nothing is seen. */
export function fileFault({
  name,
  size,
  type,
}: {
  name: string;
  size: number;
  type: string;
}): FileFault | null {
  if (!type.startsWith('video/') && !ENDINGS.test(name)) return 'notVideo';
  return size === 0 ? 'empty' : null;
}
