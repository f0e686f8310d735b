import { ASPECT, type View } from './camera.ts';
import { blocksOf, silhouette } from './furniture.ts';
import type { Person } from './person.ts';
import type { Place } from './place.ts';

/** Half the width of a standing body from head to feet, in body heights. */
const SILHOUETTE = [
  0.045, 0.055, 0.04, 0.11, 0.13, 0.13, 0.13, 0.13, 0.125, 0.11, 0.1, 0.095, 0.09, 0.085, 0.08, 0.09,
];
const COLUMNS = [-0.8, -0.4, 0, 0.4, 0.8];

interface Outline {
  readonly z: number;
  readonly centre: number;
  readonly top: number;
  readonly height: number;
}

function outline(person: Person, view: View): Outline {
  const top = view.vertical(person.z, person.costume.heightMetres - person.seatedMetres);
  const centre = view.horizontal(person.x, person.z);
  return { z: person.z, centre, top, height: view.vertical(person.z) - top };
}

function covers(by: Outline, x: number, y: number): boolean {
  const row = Math.floor(((y - by.top) / by.height) * SILHOUETTE.length);
  const half = SILHOUETTE[row];
  return half !== undefined && Math.abs(x - by.centre) * ASPECT < half * by.height;
}

const mayCover = (other: Outline, body: Outline): boolean =>
  Math.abs(other.centre - body.centre) * ASPECT < 0.15 * (other.height + body.height);

/** How much of a person the camera sees, 0-1. */
interface Seen {
  /** Share of the body behind nearer people. */
  readonly covered: number;
  /** Share of the body inside the frame and not covered. */
  readonly visible: number;
}

/** Estimates with a standard silhouette who and what covers whom. */
export function seenShares<T extends { readonly person: Person }>(
  everybody: readonly T[],
  { view, furniture }: Place,
): (T & Seen)[] {
  const people = everybody.map(({ person }) => person);
  const outlines = everybody.map((one) => ({ ...outline(one.person, view), one }));
  const blocks = blocksOf(furniture, people).map((block) => ({ z: block.front, ...silhouette(block, view) }));
  return outlines.map((body) => {
    const nearer = outlines.filter((other) => other.z < body.z && mayCover(other, body));
    const before = blocks.filter(({ z }) => z < body.z);
    let weight = 0;
    let covered = 0;
    let visible = 0;
    for (const [row, half] of SILHOUETTE.entries()) {
      const y = body.top + ((row + 0.5) / SILHOUETTE.length) * body.height;
      for (const column of COLUMNS) {
        const x = body.centre + (column * half * body.height) / ASPECT;
        const hidden =
          nearer.some((other) => covers(other, x, y)) ||
          before.some((by) => x >= by.left && x <= by.right && y >= by.top && y <= by.bottom);
        weight += half;
        if (hidden) covered += half;
        else if (x >= 0 && x <= 1 && y >= 0 && y <= 1) visible += half;
      }
    }
    return { ...body.one, covered: covered / weight, visible: visible / weight };
  });
}
