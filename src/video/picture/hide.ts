import type { Frame, FullFrame } from '../../vision/frame.ts';
import { height, iou, width } from '../../vision/geometry.ts';
import type { BlurPeople, Privacy } from '../../vision/privacy.ts';
import type { Box, Polygon } from '../../vision/types.ts';
import { spansOf } from './mask-spans.ts';
import { hideArea } from './mosaic.ts';

/** What a picture must not show. */
export interface Hidden {
  readonly masks: readonly Polygon[];
  readonly blurPeople: BlurPeople;
  /** Boxes of people in the frame and shortly before it; null when nobody knows where they are. */
  readonly people: readonly Box[] | null;
}

/** What is hidden in a picture of a device in which nobody has looked for people. */
export const withoutPeople = ({ masks, blurPeople }: Pick<Privacy, 'masks' | 'blurPeople'>): Hidden => ({
  masks,
  blurPeople,
  people: null,
});

/** Upper share of a box that holds the face. */
const FACE_SHARE = 0.3;
/** A face area is enlarged on each side by this share of its own size. */
const FACE_GROWTH = 0.2;
/** Overlap of two areas over what they cover together, from which on they are hidden as one. */
const SAME_AREA = 0.5;
/** Cells of the mosaic over the longer side of what they hide. The face of a person has about two in each of these. */
const CELLS = { faces: 2, bodies: 8, everything: 16 } as const;
/** Black in video range. */
const BLACK = { luma: 16, chroma: 128 } as const;
const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/**
 * A copy of a frame in which masks are black and people are covered by a coarse mosaic.
 * @param margin pixels around the masks that are black too
 * @returns the frame itself when nothing is hidden
 */
export function hide(frame: FullFrame, { masks, blurPeople, people }: Hidden, margin: number): FullFrame {
  if (masks.length === 0 && (blurPeople === 'none' || people?.length === 0)) return frame;
  const copy = { ...frame, data: frame.data.slice() };
  if (blurPeople !== 'none') {
    if (people === null) hideArea(copy, WHOLE, CELLS.everything);
    else {
      const aspect = frame.width / frame.height;
      const areas = blurPeople === 'faces' ? people.map((box) => faceOf(box, aspect)) : people;
      for (const area of together(areas)) hideArea(copy, area, CELLS[blurPeople]);
    }
  }
  blacken(copy, masks, margin);
  return copy;
}

/** Areas that are mostly the same, like those of one person in several frames, become one area around them. */
function together(areas: readonly Box[]): Box[] {
  const joined: Box[] = [];
  for (const area of areas) {
    const at = joined.findIndex((known) => iou(known, area) >= SAME_AREA);
    const known = joined[at];
    if (known) joined[at] = around(known, area);
    else joined.push(area);
  }
  return joined;
}

const around = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

/**
 * The upper part of a person, enlarged. The box of a person who sits, or whose legs are cut off, is short: the area is then
 * as high as the box is wide.
 * @param aspect width over height of the frame
 */
export function faceOf(box: Box, aspect: number): Box {
  const high = Math.max(FACE_SHARE * height(box), Math.min(height(box), width(box) * aspect));
  const [dx, dy] = [FACE_GROWTH * width(box), FACE_GROWTH * high];
  return { left: box.left - dx, top: box.top - dy, right: box.right + dx, bottom: box.top + high + dy };
}

/** Makes masks black in a frame itself, for what is analysed. Costs only the pixels that change. */
export function blackenFrame({ model, letterbox, full }: Frame, masks: readonly Polygon[]): void {
  const { inputWidth, contentWidth, contentHeight } = letterbox;
  for (const { row, from, to } of spansOf(masks, { width: contentWidth, height: contentHeight }, 1))
    model.fill(0, (row * inputWidth + from) * 3, (row * inputWidth + to) * 3);
  if (full) blacken(full, masks, 1);
}

/** Whole chroma pixels, so that none of them mixes a masked pixel with another one. */
function blacken({ width, height, data }: FullFrame, masks: readonly Polygon[], margin: number): void {
  const chromaWidth = width / 2;
  const firstU = width * height;
  const firstV = firstU + chromaWidth * (height / 2);
  for (const span of spansOf(masks, { width, height }, margin)) {
    const row = span.row >> 1;
    const from = span.from >> 1;
    const to = (span.to + 1) >> 1;
    for (const y of [2 * row, 2 * row + 1]) data.fill(BLACK.luma, y * width + 2 * from, y * width + 2 * to);
    const chroma = row * chromaWidth;
    data.fill(BLACK.chroma, firstU + chroma + from, firstU + chroma + to);
    data.fill(BLACK.chroma, firstV + chroma + from, firstV + chroma + to);
  }
}
