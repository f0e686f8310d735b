import sharp from 'sharp';
import type { Binary } from '../ffmpeg/ffmpeg-binaries.ts';
import { BLOCK_LIMIT } from '../ffmpeg/media-limits.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * What stays where people come and go: of each point the median of all pictures, with which whatever is there for less than half
 * of them vanishes.
 * @param jpegs an odd number of them, of one view; with an even number the last one does not count
 * @param width pixels of the result; the shape is that of the first picture
 * @returns a JPEG; null where ffmpeg cannot do it: its filter is younger than the program that npm installs
 */
export async function medianPicture(
  ffmpeg: Binary,
  jpegs: readonly Uint8Array[],
  width: number,
): Promise<Buffer | null> {
  const first = await sharp(jpegs[0]).metadata();
  const size = { width, height: Math.round((width * first.height) / first.width) };
  const small = await Promise.all(
    jpegs.map((jpeg) =>
      sharp(jpeg)
        .resize({ ...size, fit: 'fill' })
        .jpeg({ quality: 90 })
        .toBuffer(),
    ),
  );
  const argv = [
    ...BLOCK_LIMIT,
    ...['-hide_banner', '-loglevel', 'error', '-f', 'mjpeg', '-i', 'pipe:0'],
    ...['-vf', `tmedian=radius=${Math.floor((jpegs.length - 1) / 2)}`, '-frames:v', '1'],
    ...['-q:v', '3', '-f', 'mjpeg', 'pipe:1'],
  ];
  const limits = { timeoutMs: TIMEOUT_MS, followsProgress: true, maxOutputBytes: MAX_BYTES };
  const { stdout, fault } = await runToEnd(ffmpeg, argv, { ...limits, input: Buffer.concat(small) });
  return fault === null && stdout.length > 0 ? stdout : null;
}
