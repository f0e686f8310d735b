import type { Box } from '../vision/types.ts';
import type { Ground, View } from './camera.ts';
import type { Person } from './person.ts';

/** Something opaque that stands on the floor: a block with its front towards the camera. Metres. */
export interface Block {
  readonly left: number;
  readonly right: number;
  readonly front: number;
  readonly back: number;
  readonly height: number;
}

/** Width, depth, height, and how far ahead of its owner it stands. */
const CARRIED = {
  trolley: { width: 0.55, depth: 0.5, height: 0.95, ahead: 0.65 },
  basket: { width: 0.5, depth: 0.3, height: 0.4, ahead: 0.32 },
} as const;

/** The trolley or basket of a person; null where there is none on the floor. */
export function carriedBlock({ carries, standing, x, z, heading }: Person): (Block & { at: Ground }) | null {
  if (carries === null || (carries === 'basket' && !standing)) return null;
  const { width, depth, height, ahead } = CARRIED[carries];
  const at = { x: x + ahead * Math.sin(heading), z: z + ahead * Math.cos(heading) };
  const [left, front] = [at.x - width / 2, at.z - depth / 2];
  return { left, right: left + width, front, back: front + depth, height, at };
}

/** What may hide people: furniture, trolleys and baskets. */
export const blocksOf = (furniture: readonly Block[], people: readonly Person[]): readonly Block[] => [
  ...furniture,
  ...people.flatMap((person) => carriedBlock(person) ?? []),
];

/** Where a block is in the frame, as fractions: its front, and its top behind it. */
export const silhouette = ({ left, right, front, back, height }: Block, view: View): Box => ({
  left: view.horizontal(left, front),
  right: view.horizontal(right, front),
  top: Math.min(view.vertical(front, height), view.vertical(back, height)),
  bottom: view.vertical(front),
});

const ROWS = 24;
const COLUMNS = 5;
/** A row of a body is hidden where blocks cover this share of it. */
const HIDDEN = 0.6;

/**
 * The part of a body that blocks in front of it leave visible, from the head down to its lowest visible row, as a detector boxes
 * it.
 * @param box of the whole body, @param z of its feet @returns null where nothing is visible
 */
export function visiblePart(box: Box, z: number, blocks: readonly Block[], view: View): Box | null {
  const nearer = blocks.filter(({ front }) => front < z).map((block) => silhouette(block, view));
  const tall = box.bottom - box.top;
  for (let row = ROWS - 1; row >= 0; row--) {
    const y = box.top + ((row + 0.5) / ROWS) * tall;
    let hidden = 0;
    for (let column = 0; column < COLUMNS; column++) {
      const x = box.left + ((column + 0.5) / COLUMNS) * (box.right - box.left);
      if (nearer.some((by) => x >= by.left && x <= by.right && y >= by.top && y <= by.bottom)) hidden++;
    }
    if (hidden < HIDDEN * COLUMNS) {
      return row === ROWS - 1 ? box : { ...box, bottom: box.top + ((row + 1) / ROWS) * tall };
    }
  }
  return null;
}
