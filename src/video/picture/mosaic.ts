import type { FullFrame } from '../../vision/frame.ts';
import type { Box } from '../../vision/types.ts';

/** Points of a cell that its colour is the mean of, per side. */
const SAMPLES = 6;

/** Pixels; `right` and `bottom` are excluded. */
type Rectangle = Box;

/** Colours an area with the mean colours of its cells. @param across cells over its longer side, at most */
export function hideArea(frame: FullFrame, box: Box, across: number): void {
  const { width, height, data } = frame;
  const area = even(box, frame);
  if (area.left >= area.right || area.top >= area.bottom) return;
  const side = Math.max(
    2,
    Math.ceil(Math.max(area.right - area.left, area.bottom - area.top) / across / 2) * 2,
  );
  const lumaBytes = width * height;
  const chromaBytes = lumaBytes / 4;
  const luma = { data: data.subarray(0, lumaBytes), width };
  const chroma = [lumaBytes, lumaBytes + chromaBytes].map((start) => ({
    data: data.subarray(start, start + chromaBytes),
    width: width / 2,
  }));
  for (let top = area.top; top < area.bottom; top += side) {
    for (let left = area.left; left < area.right; left += side) {
      const right = Math.min(left + side, area.right);
      const bottom = Math.min(top + side, area.bottom);
      flatten(luma, { left, top, right, bottom });
      const half = { left: left / 2, top: top / 2, right: right / 2, bottom: bottom / 2 };
      for (const plane of chroma) flatten(plane, half);
    }
  }
}

/** A box in pixels, widened to whole chroma pixels and cut at the edges of the frame. */
function even(box: Box, { width, height }: FullFrame): Rectangle {
  return {
    left: Math.max(0, Math.floor((box.left * width) / 2) * 2),
    top: Math.max(0, Math.floor((box.top * height) / 2) * 2),
    right: Math.min(width, Math.ceil((box.right * width) / 2) * 2),
    bottom: Math.min(height, Math.ceil((box.bottom * height) / 2) * 2),
  };
}

/** Gives all pixels of a rectangle the mean of some of them. */
function flatten({ data, width }: { data: Uint8Array; width: number }, area: Rectangle): void {
  const { left, top, right, bottom } = area;
  const stepX = Math.max(1, Math.floor((right - left) / SAMPLES));
  const stepY = Math.max(1, Math.floor((bottom - top) / SAMPLES));
  let sum = 0;
  let count = 0;
  for (let y = top; y < bottom; y += stepY) {
    for (let x = left; x < right; x += stepX) {
      sum += data[y * width + x]!;
      count++;
    }
  }
  const mean = Math.round(sum / count);
  for (let y = top; y < bottom; y++) data.fill(mean, y * width + left, y * width + right);
}
