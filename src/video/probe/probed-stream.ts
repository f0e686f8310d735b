import type { ColourMatrix } from '../../vision/frame.ts';

/** What is known of a stream's video. */
export interface ProbedStream {
  /** As shown: rotation and pixel aspect applied. */
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  /** As ffmpeg writes it, e.g. `30000/1001`; null if the stream does not say. */
  readonly fps: string | null;
  readonly durationSeconds: number | null;
  /**
   * Its number among the videos. Its number among all streams would not do: ffprobe and ffmpeg may differ in the data
   * streams that they find, for example in RTMP.
   */
  readonly videoIndex: number;
  /** First video frame after the input's start. */
  readonly startMs: number;
  readonly colourMatrix: ColourMatrix;
  /** Its frames are yuv420p of limited range, as pictures are kept: at most their size has to be changed. */
  readonly isPictureFormat: boolean;
  /** ffmpeg's name of the container, e.g. `hls`, `mpegts`. */
  readonly format: string;
}

/** Above, a rate is the tick of a clock, not one of pictures. */
export const MAX_PLAUSIBLE_FPS = 240;

/** @param fps `25` or `30000/1001`; NaN if it is neither */
export function fpsValue(fps: string): number {
  const [over, under = 1] = fps.split('/').map(Number);
  return (over ?? Number.NaN) / under;
}
