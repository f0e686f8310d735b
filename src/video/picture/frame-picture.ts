import type { FullFrame } from '../../vision/frame.ts';
import { toJpeg } from '../jpeg.ts';
import { toSmallJpeg } from '../small-jpeg.ts';
import { type Hidden, hide } from './hide.ts';

/**
 * A frame of a camera or a recording as JPEG. This is the only way to make one, so that no picture shows what must be
 * hidden. The frame's buffer may be reused as soon as this returns.
 * @param width pixels, never enlarged; undefined: the size of the frame, at higher quality
 */
export function framePicture(frame: FullFrame, hidden: Hidden, width?: number): Promise<Buffer> {
  // A pixel of a smaller picture is the mean of several, and JPEG has one colour for four pixels.
  const margin = width === undefined ? 2 : Math.ceil(2 * Math.max(1, frame.width / width)) + 1;
  const shown = hide(frame, hidden, margin);
  if (width !== undefined) return toSmallJpeg(shown, width);
  return toJpeg(shown === frame ? { ...frame, data: frame.data.slice() } : shown);
}
