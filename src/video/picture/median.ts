import type { Binary } from '../ffmpeg/ffmpeg-binaries.ts';
import { BLOCK_LIMIT } from '../ffmpeg/media-limits.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';
import { readFrame } from '../grab-frame.ts';
import { framePicture } from './frame-picture.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The pictures have it already. */
const NOTHING_HIDDEN = { masks: [], blurPeople: 'none', people: [] } as const;

/**
 * What stays where people come and go: of each point the median of all pictures, from which whatever is there for less than half
 * of them is gone.
 * @param jpegs an odd number of them, of one view; with an even number the last one does not count
 * @param width pixels that are told apart; the result is twice as wide, so that lines can be drawn on it
 * @returns a JPEG; null where ffmpeg cannot do it: its filter is younger than the program that npm installs
 */
export async function medianPicture(
  ffmpeg: Binary,
  jpegs: readonly Uint8Array[],
  width: number,
): Promise<Buffer | null> {
  const median = `tmedian=radius=${Math.floor((jpegs.length - 1) / 2)}`;
  const argv = [
    ...BLOCK_LIMIT,
    // The camera may have changed its size meanwhile.
    ...['-hide_banner', '-loglevel', 'error', '-f', 'mjpeg', '-reinit_filter', '0', '-i', 'pipe:0'],
    ...['-vf', `scale=${width}:-2,${median},scale=${2 * width}:-2:out_range=tv,format=yuv420p`],
    ...['-frames:v', '1', '-f', 'yuv4mpegpipe', 'pipe:1'],
  ];
  const limits = { timeoutMs: TIMEOUT_MS, followsProgress: true, maxOutputBytes: MAX_BYTES };
  const { stdout } = await runToEnd(ffmpeg, argv, { ...limits, input: Buffer.concat(jpegs) });
  const frame = readFrame(stdout);
  return frame && framePicture(frame, NOTHING_HIDDEN);
}
