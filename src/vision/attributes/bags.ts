import { type Box, CLASS_IDS, type Detection } from '../types.ts';
import type { Classification } from './keys.ts';

/** COCO classes of bags and the keys they are. */
const BAGS = [
  { classId: 24, key: 'backpack' },
  { classId: 26, key: 'handBag' },
] as const;
const LEAST_SCORE = 0.25;
/** A bag hangs beside its carrier: the box is wider by this share of its width on each side. */
const BESIDE = 0.25;

/**
 * Which bags each person carries in a frame: each bag belongs to the one whose widened box holds most of it, of several to
 * the one whose middle is nearest.
 */
export function classifyBags(people: readonly Box[], detections: readonly Detection[]): Classification[] {
  const classifications = people.map((): Classification => ({ backpack: 0, handBag: 0 }));
  for (const { classId, score, box } of detections) {
    const bag = BAGS.find((known) => known.classId === classId);
    if (!bag || score < LEAST_SCORE || CLASS_IDS.person.includes(classId)) continue;
    const carrier = carrierOf(box, people);
    if (carrier >= 0) classifications[carrier]![bag.key] = 1;
  }
  return classifications;
}

function carrierOf(bag: Box, people: readonly Box[]): number {
  const area = (bag.right - bag.left) * (bag.bottom - bag.top);
  let [best, nearest] = [-1, Number.POSITIVE_INFINITY];
  for (const [at, person] of people.entries()) {
    const width = person.right - person.left;
    const across =
      Math.min(bag.right, person.right + BESIDE * width) - Math.max(bag.left, person.left - BESIDE * width);
    const down = Math.min(bag.bottom, person.bottom) - Math.max(bag.top, person.top);
    if (across <= 0 || down <= 0 || across * down < 0.7 * area) continue;
    // A bag is at most as large as its carrier's trunk.
    if (area > 0.5 * width * (person.bottom - person.top)) continue;
    const apart = Math.abs((bag.left + bag.right - person.left - person.right) / 2) / width;
    if (apart < nearest) [best, nearest] = [at, apart];
  }
  return best;
}
