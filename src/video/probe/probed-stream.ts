import { z } from 'zod';
import type { ColourMatrix } from '../../vision/frame.ts';

/** One of the videos of an input. */
const videoTrack = z.object({
  /** Its number among the videos of the input, from 0. */
  number: z.number(),
  /** As a viewer sees it. */
  width: z.number(),
  height: z.number(),
  codec: z.string(),
  /** Frames per second; null if the input does not say. */
  fps: z.number().nullable(),
});
export type VideoTrack = Readonly<z.output<typeof videoTrack>>;
export const storedVideoTracks = z.array(videoTrack);

/** What a probe learns about the video of a stream. */
export interface ProbedStream {
  /** As a viewer sees it: rotation and pixel aspect are applied. */
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  /** Frames per second as ffmpeg writes it, e.g. `30000/1001`; null if the stream does not say. */
  readonly fps: string | null;
  readonly durationSeconds: number | null;
  /**
   * Its number among the videos of the input. The number among all streams is not used, because ffprobe and ffmpeg may
   * find different data streams, for example in RTMP.
   */
  readonly videoIndex: number;
  /** The videos of the input, of which `videoIndex` is one. */
  readonly videoTracks: readonly VideoTrack[];
  /** Time of the first video frame after the start of the input. */
  readonly startMs: number;
  readonly colourMatrix: ColourMatrix;
  /** Frames are yuv420p with limited range, the format of full frames: only their size may have to change. */
  readonly isFullFormat: boolean;
  /** ffmpeg's name of the container, e.g. `hls`, `mpegts`. */
  readonly format: string;
  /** ffmpeg must be told this format, because it does not recognise it; undefined: it does. */
  readonly demuxer?: typeof JPEG_DEMUXER;
}

/** The codec has the same name. Finds JPEGs in any bytes around them: many cameras send multipart messages that ffmpeg's own `mpjpeg` refuses. */
export const JPEG_DEMUXER = 'mjpeg';

/** A file may claim thousands. */
const MOST_TRACKS = 32;

/** The videos that can be read, the largest ones where there are very many. */
export function readableTracks(
  videos: readonly (VideoTrack & { readonly isCover: boolean })[],
): VideoTrack[] {
  return videos
    .filter(({ isCover, width, height }) => !isCover && width > 0 && height > 0)
    .map(({ isCover: _, ...track }) => track)
    .toSorted(bySize)
    .slice(0, MOST_TRACKS)
    .toSorted((a, b) => a.number - b.number);
}

const bySize = (a: VideoTrack, b: VideoTrack): number =>
  b.width * b.height - a.width * a.height || a.number - b.number;

/**
 * Of several videos the largest is read, as ffmpeg does it; of equal ones the first.
 * @param wanted number of another one
 */
export const chosenTrack = (
  tracks: readonly VideoTrack[],
  wanted: number | undefined,
): VideoTrack | undefined =>
  wanted === undefined ? tracks.toSorted(bySize)[0] : tracks.find(({ number }) => number === wanted);

/** A higher rate is the tick of a clock, not the rate of frames. */
export const MAX_PLAUSIBLE_FPS = 240;

/** @param fps `25` or `30000/1001`; NaN if it is neither */
export function fpsValue(fps: string): number {
  const [over, under = 1] = fps.split('/').map(Number);
  return (over ?? Number.NaN) / under;
}
