import { faultFromLog } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';
import type { StreamAddress } from '../stream-url.ts';
import { type Container, demuxerOf } from './container.ts';

export interface RecordingInput {
  readonly address: StreamAddress;
  readonly container: Container;
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_JPEG_BYTES = 16 * 1024 * 1024;
/** Where there is no frame, because the video has a gap or ends before its sound, the last frame this long before is taken. */
const STEPS_BACK_SECONDS = [0, 1, 10];

/**
 * One frame of a recording as JPEG, at most `width` pixels wide and never enlarged.
 * @param atSeconds presentation time
 * @returns null when there is no frame at this time or shortly before
 * @throws StreamError
 */
export async function recordingStill(
  input: RecordingInput,
  { atSeconds, width }: { atSeconds: number; width: number },
): Promise<Buffer | null> {
  const times = new Set(STEPS_BACK_SECONDS.map((step) => Math.max(0, atSeconds - step)));
  for (const time of times) {
    const jpeg = await frameAt(input, time, width);
    if (jpeg.length > 0) return jpeg;
  }
  return null;
}

async function frameAt(
  { address, container, binaries, timeoutMs, signal }: RecordingInput,
  atSeconds: number,
  width: number,
): Promise<Buffer> {
  const argv = [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ...inputOptions({ address, ioTimeoutMs: timeoutMs }, binaries.ffmpeg),
    ...['-f', demuxerOf(container), '-ss', atSeconds.toFixed(3), '-i', address.input],
    // `V`: a picture of a cover is no video.
    ...['-map', '0:V:0', '-an', '-sn', '-frames:v', '1', '-vf', `scale=w=min(${width}\\,iw):h=-2,setsar=1`],
    ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '3', 'pipe:1'],
  ];
  const { stdout, fault } = await runToEnd(binaries.ffmpeg, argv, {
    timeoutMs,
    maxOutputBytes: MAX_JPEG_BYTES,
    signal,
  });
  if (fault !== null && fault !== '' && stdout.length === 0) throw faultFromLog(address, fault);
  return stdout;
}
