import { type GrabOptions, grabImage } from '../../video/grab-image.ts';
import { toJpeg } from '../../video/jpeg.ts';
import { toSmallJpeg } from '../../video/small-jpeg.ts';
import type { FullFrame } from '../../vision/frame.ts';

/** Every picture that leaves a lane is made by a function of this file. */

/** A picture and the time of its frame. */
export interface CapturedPicture {
  readonly jpeg: Buffer;
  readonly capturedAtMs: number;
}

/**
 * A frame as JPEG. The frame's buffer may be reused as soon as this returns.
 * @param width pixels, never enlarged; undefined: the size of the frame, at higher quality
 */
export const framePicture = (full: FullFrame, width?: number): Promise<Buffer> =>
  width === undefined ? toJpeg({ ...full, data: full.data.slice() }) : toSmallJpeg(full, width);

/** An image of a stream that no camera of this lane reads. @throws StreamError */
export const grabbedPicture = (url: string, options: GrabOptions): Promise<Buffer> => grabImage(url, options);
