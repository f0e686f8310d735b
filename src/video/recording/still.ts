import type { FullFrame } from '../../vision/frame.ts';
import { faultFromLog } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { BLOCK_LIMIT } from '../ffmpeg/media-limits.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';
import { frameFilters, readFrame, readFrames } from '../grab-frame.ts';
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

/**
 * The frames of a part of a recording, so many for each second: where the video has none, the one before again.
 * @returns fewer, or none, behind its end
 * @throws StreamError
 */
export async function recordingFrames(
  input: RecordingInput,
  part: { atSeconds: number; seconds: number; fps: number; longest: number; rotation: Rotation },
): Promise<FullFrame[]> {
  const { atSeconds, seconds, fps, longest, rotation } = part;
  const count = Math.ceil(seconds * fps);
  const output = await framesFrom(input, atSeconds, {
    filters: `fps=fps=${fps}:start_time=0,${frameFilters(longest, rotation)}`,
    count,
    maxBytes: count * (longest ** 2 * 1.5 + 100) + 1000,
  });
  return readFrames(output);
}

const frameAt = (
  input: RecordingInput,
  atSeconds: number,
  { longest, rotation = 0 }: { longest: number; rotation?: Rotation },
): Promise<Buffer> =>
  framesFrom(input, atSeconds, {
    ...{ filters: frameFilters(longest, rotation), count: 1, maxBytes: MAX_BYTES },
  });

async function framesFrom(
  { address, container, binaries, timeoutMs, videoIndex, signal }: RecordingInput,
  atSeconds: number,
  { filters, count, maxBytes }: { filters: string; count: number; maxBytes: number },
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
    ...['-map', `0:v:${videoIndex}`, '-an', '-sn', '-frames:v', String(count), '-vf', filters],
    ...['-f', 'yuv4mpegpipe', 'pipe:1'],
  ];
  const limits = { timeoutMs, followsProgress: true, maxOutputBytes: maxBytes, signal };
  const { stdout, fault } = await runToEnd(binaries.ffmpeg, argv, limits);
  if (fault && stdout.length === 0) throw faultFromLog(address, fault);
  return stdout;
}
