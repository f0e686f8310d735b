import { makeCameraAccess } from '../../cameras/devices/camera-access.ts';
import { ApiError, type ErrorDetail, invalidField } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import { type ReadableObject, withReadable } from '../../platform/images/object-server.ts';
import { type FfmpegBinaries, oldRelease } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import { MOST_PIXELS } from '../../video/ffmpeg/media-limits.ts';
import { probeWithFfprobe } from '../../video/probe/ffprobe.ts';
import { fpsValue, type ProbedStream, type VideoTrack } from '../../video/probe/probed-stream.ts';
import { type Container, demuxerOf } from '../../video/recording/container.ts';
import { type RecordingInput, recordingFrames, recordingStill } from '../../video/recording/still.ts';
import { StreamError } from '../../video/stream-error.ts';
import type { FullFrame } from '../../vision/frame.ts';

/**
 * Most processor time of one ffprobe or ffmpeg, and the longest time in which it may do nothing. The end of a large file may have to
 * be read for its index, which takes as long as the storage needs.
 */
const READ_MS = 30_000;
/** Small: this frame only shows that the file has pictures. */
const PROOF_PIXELS = 64;

type ReadContext = Pick<Context, 'config' | 'images' | 'shared'>;

interface StoredVideo {
  readonly objectKey: string;
  readonly container: Container;
  /** Its number among the videos of the file. */
  readonly videoTrack: number;
}

/** What a file says of itself. */
export interface RecordingFacts {
  readonly codec: string;
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  readonly sourceFps: number | null;
  /** The chosen video of the file, by its number among them; otherwise the largest. */
  readonly videoTrack: number;
  readonly videoTracks: readonly VideoTrack[];
}

export type RefusalReason = keyof typeof REFUSALS;

/** Why a file is refused, and what to do. */
const REFUSALS = {
  not_a_video:
    'The file is no MP4, MOV, MKV, WebM, AVI, MPEG-PS or MPEG-TS, whatever its name says. Convert it: ffmpeg -i FILE recording.mp4',
  no_video: 'The file has no video track, for example only sound',
  no_pictures: 'The file has a video track without pictures that can be read: record or convert it again',
  unknown_duration:
    'The file does not say how long it is, because its recording was cut off. Repair it: ffmpeg -i FILE -c copy recording.mkv',
  no_index:
    'The file has no index: its recording was broken off before it was finished. Copy it from the recorder again, or let a repair program rebuild the index from a whole file of the same camera',
  joined:
    'The times in the file start again, as where recordings were joined one after the other, and it says only the length of one. Give it one time: ffmpeg -i FILE -c copy recording.mkv; or upload the recordings one by one',
  too_long: 'The recording is too long',
  too_large_frames: 'The frames have more than 67 million pixels: convert the video to smaller frames',
  too_many_frames:
    'The file claims more frames than a file of its size can have: it is damaged. Convert it: ffmpeg -i FILE recording.mp4',
  too_much_memory: 'The video needs more memory than is given to one: convert it to smaller frames',
  codec_not_allowed:
    'The codec of the video is not read here. Convert it to H.264: ffmpeg -i FILE recording.mp4',
  unreadable:
    'The file cannot be read as a video: it is damaged or its codec is not known. Convert it to H.264',
} as const;

const isReason = (kind: string | null): kind is RefusalReason =>
  kind !== null && Object.hasOwn(REFUSALS, kind);

/** @param more replaces the sentence of the reason */
export function refused(reason: RefusalReason, more?: string): ApiError {
  const message = more ?? REFUSALS[reason];
  const detail: ErrorDetail = { path: '', message, reason };
  return new ApiError('UNREADABLE_VIDEO', message, [detail]);
}

/**
 * Reads what a stored file says of itself, and one picture.
 * @param stored.videoTrack the video to read; default the largest
 * @throws ApiError UNREADABLE_VIDEO with the reason, VALIDATION_ERROR of `videoTrack`, SERVICE_UNAVAILABLE
 */
export async function readFacts(
  context: ReadContext,
  {
    videoTrack: wanted,
    ...stored
  }: Omit<StoredVideo, 'videoTrack'> & { readonly videoTrack?: number | undefined },
  signal: AbortSignal,
): Promise<RecordingFacts> {
  return reading(context, stored, signal, async (input) => {
    const probed = await probeWithFfprobe({
      ...input,
      ...{ demuxer: demuxerOf(stored.container), videoTrack: wanted, followsProgress: true },
    });
    const facts = requireUsable(probed, context.config.recordingMaxHours);
    const { videoTrack: videoIndex } = facts;
    const still = await recordingStill({ ...input, videoIndex }, { atSeconds: 0, longest: PROOF_PIXELS });
    if (still === null) throw refused('no_pictures');
    return facts;
  }).catch((error: unknown) => {
    if (!(error instanceof StreamError)) throw error;
    if (error.kind === 'no_such_track')
      throw invalidField('videoTrack', `must be the number of a video of the file. ${error.message}`);
    throw refused(isReason(error.kind) ? error.kind : 'unreadable');
  });
}

function requireUsable(
  { width, height, codec, fps, durationSeconds, videoIndex, videoTracks }: ProbedStream,
  mostHours: number,
): RecordingFacts {
  if (width * height > MOST_PIXELS) throw refused('too_large_frames');
  const durationMs = durationSeconds === null ? 0 : Math.round(durationSeconds * 1000);
  if (durationMs <= 0) throw refused('unknown_duration');
  if (durationMs > mostHours * 3_600_000) {
    const hours = (durationMs / 3_600_000).toFixed(1);
    throw refused(
      'too_long',
      `The recording is ${hours} hours long, the maximum is ${mostHours}: cut it, or ask the operator (RECORDING_MAX_HOURS)`,
    );
  }
  const sourceFps = fps === null ? Number.NaN : fpsValue(fps);
  return {
    ...{ width, height, codec, durationMs, videoTrack: videoIndex, videoTracks },
    sourceFps: Number.isFinite(sourceFps) ? sourceFps : null,
  };
}

/**
 * One frame of a recording.
 * @param wanted.longest pixels of the longer side; a frame is never enlarged
 * @throws ApiError UNREADABLE_VIDEO, SERVICE_UNAVAILABLE
 */
export async function readStill(
  context: ReadContext,
  stored: StoredVideo,
  { signal, ...wanted }: Parameters<typeof recordingStill>[1] & { signal: AbortSignal },
): Promise<FullFrame> {
  const still = await reading(context, stored, signal, (input) =>
    recordingStill({ ...input, videoIndex: stored.videoTrack }, wanted),
  ).catch((error: unknown) => {
    if (!(error instanceof StreamError)) throw error;
    throw refused('unreadable', `The recording cannot be read at ${wanted.atSeconds} s`);
  });
  if (still === null) throw refused('no_pictures', `The recording has no picture at ${wanted.atSeconds} s`);
  return still;
}

/** The frames of a part of a recording. @throws ApiError UNREADABLE_VIDEO, SERVICE_UNAVAILABLE */
export const readFilm = (
  context: ReadContext,
  stored: StoredVideo,
  { signal, ...part }: Parameters<typeof recordingFrames>[1] & { signal: AbortSignal },
): Promise<FullFrame[]> =>
  reading(context, stored, signal, (input) =>
    recordingFrames({ ...input, videoIndex: stored.videoTrack }, part),
  ).catch((error: unknown) => {
    if (!(error instanceof StreamError)) throw error;
    throw refused('unreadable', `The recording cannot be read at ${part.atSeconds} s`);
  });

/** @throws ApiError SERVICE_UNAVAILABLE, StreamError */
async function reading<Result>(
  context: ReadContext,
  { objectKey, container }: Omit<StoredVideo, 'videoTrack'>,
  signal: AbortSignal,
  use: (input: Omit<RecordingInput, 'videoIndex'>) => Promise<Result>,
): Promise<Result> {
  const binaries = await requireReader(context);
  const result = await withReadable(context.images.objects, objectKey, async (object) => ({
    of: await use({ address: addressFor(object), container, binaries, timeoutMs: READ_MS, signal }),
  }));
  if (result === null)
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The file of the recording is not in the storage: try again soon',
    );
  return result.of;
}

const addressFor = ({ scheme, location }: ReadableObject) => ({
  scheme,
  input: scheme === 'file' ? `file:${location}` : location,
  shown: 'The file',
});

/** The programs that read recordings. @throws ApiError SERVICE_UNAVAILABLE where they may read none */
export async function requireReader(context: Pick<Context, 'config' | 'shared'>): Promise<FfmpegBinaries> {
  const binaries = await context.shared.get(makeCameraAccess).binaries();
  requireDecoder(context, oldRelease(binaries));
  return binaries;
}

/** Hostile video must not reach a decoder that gets no security fixes. @throws ApiError SERVICE_UNAVAILABLE */
function requireDecoder({ config }: Pick<Context, 'config'>, release: string | number | null): void {
  if (config.nodeEnv !== 'production' || config.allowOldFfmpeg || release === null) return;
  throw new ApiError(
    'SERVICE_UNAVAILABLE',
    `Recordings are not read here: the ffmpeg of the API is of release ${release}, and production wants 5 or later. The operator installs a current ffmpeg, or sets ALLOW_OLD_FFMPEG`,
  );
}
