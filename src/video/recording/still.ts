import type { FullFrame } from '../../vision/frame.ts';
import { faultFromLog } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { BLOCK_LIMIT } from '../ffmpeg/media-limits.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';
import { frameFilters, readFrame } from '../grab-frame.ts';
import type { Rotation } from '../picture/turn.ts';
import type { StreamAddress } from '../stream-url.ts';
import { type Container, demuxerOf, isIndexed } from './container.ts';

export interface RecordingInput {
  readonly address: StreamAddress;
  readonly container: Container;
  readonly binaries: FfmpegBinaries;
  /** Of processor time, or without any progress. */
  readonly timeoutMs: number;
  /** Its number among the videos of the file. */
  readonly videoIndex: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Where there is no frame, because the video has a gap or ends before its sound, the last frame this long before is taken. */
const STEPS_BACK_SECONDS = [0, 1, 10];
/** Of a file without index so much before a frame is decoded: there may be no key frame for as long. */
const LEAD_SECONDS = 20;

/** Each thread keeps frames of its own, so that many would need more than one image is worth. */
const FEW_THREADS = ['-threads', '2'];

/**
 * One frame of a recording. `framePicture` makes a JPEG of it.
 * @param wanted.atSeconds presentation time
 * @param wanted.rotation how it is turned; default 0
 * @param wanted.longest pixels of the longer side; a frame is never enlarged
 * @returns null when there is no frame at this time or shortly before
 * @throws StreamError
 */
export async function recordingStill(
  input: RecordingInput,
  { atSeconds, ...wanted }: { atSeconds: number; longest: number; rotation?: Rotation },
): Promise<FullFrame | null> {
  const times = new Set(STEPS_BACK_SECONDS.map((step) => Math.max(0, atSeconds - step)));
  for (const time of times) {
    const frame = readFrame(await frameAt(input, time, wanted));
    if (frame) return frame;
  }
  return null;
}

/** At the start nothing is sought: ffmpeg would begin behind the first key frame of some files. */
const from = (seconds: number): string[] => (seconds > 0 ? ['-ss', seconds.toFixed(3)] : []);

async function frameAt(
  { address, container, binaries, timeoutMs, videoIndex, signal }: RecordingInput,
  atSeconds: number,
  { longest, rotation = 0 }: { longest: number; rotation?: Rotation },
): Promise<Buffer> {
  const demuxer = demuxerOf(container);
  const leadSeconds = isIndexed(demuxer) ? 0 : Math.min(LEAD_SECONDS, atSeconds);
  const argv = [
    ...BLOCK_LIMIT,
    ...['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ...inputOptions({ address, ioTimeoutMs: timeoutMs }, binaries.ffmpeg),
    ...FEW_THREADS,
    ...['-f', demuxer, ...from(atSeconds - leadSeconds), '-i', address.input],
    ...from(leadSeconds),
    ...['-map', `0:v:${videoIndex}`, '-an', '-sn', '-frames:v', '1', '-vf', frameFilters(longest, rotation)],
    ...['-f', 'yuv4mpegpipe', 'pipe:1'],
  ];
  const limits = { timeoutMs, followsProgress: true, maxOutputBytes: MAX_BYTES, signal };
  const { stdout, fault } = await runToEnd(binaries.ffmpeg, argv, limits);
  if (fault && stdout.length === 0) throw faultFromLog(address, fault);
  return stdout;
}
