import type { Size } from './mask-spans.ts';

/** By how many degrees a picture is turned clockwise. */
export const ROTATIONS = [0, 90, 180, 270] as const;
export type Rotation = (typeof ROTATIONS)[number];

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The size of a picture after it was turned. */
export const turnedSize = <Of extends Size>(picture: Of, rotation: Rotation): Of =>
  rotation % 180 === 90 ? { ...picture, width: picture.height, height: picture.width } : picture;

const FILTERS: Readonly<Record<Rotation, readonly string[]>> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
};

/** The filters of ffmpeg that turn a picture; empty where it stays. */
export const turnFilters = (rotation: Rotation): readonly string[] => FILTERS[rotation];

/** The pixel of a picture that is at this place of the turned picture. @param size of the picture as it is */
export function sourceOf({ x, y }: Place, { width, height }: Size, rotation: Rotation): Place {
  if (rotation === 90) return { x: y, y: height - 1 - x };
  if (rotation === 180) return { x: width - 1 - x, y: height - 1 - y };
  if (rotation === 270) return { x: width - 1 - y, y: x };
  return { x, y };
}

/** A picture of three bytes a pixel, turned. @returns `data` itself where it stays */
export function turnRgb(data: Uint8Array, size: Size, rotation: Rotation): Uint8Array {
  if (rotation === 0) return data;
  const turned = new Uint8Array(data.length);
  const shown = turnedSize({ width: size.width, height: size.height }, rotation);
  for (let y = 0; y < shown.height; y++) {
    for (let x = 0; x < shown.width; x++) {
      const source = sourceOf({ x, y }, size, rotation);
      const from = 3 * (source.y * size.width + source.x);
      turned.set(data.subarray(from, from + 3), 3 * (y * shown.width + x));
    }
  }
  return turned;
}
