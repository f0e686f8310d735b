import { area, height, intersection, middleOffset, width } from '../geometry.ts';
import type { Box, Detection } from '../types.ts';

/** COCO classes of bags and their keys. */
const BAGS = [
  { classId: 24, key: 'backpack' },
  { classId: 26, key: 'handBag' },
] as const;
const LEAST_SCORE = 0.25;
/** A bag hangs beside its carrier: the carrier's box is widened by this share of its width on each side … */
const BESIDE = 0.25;
/** … and must hold this share of the bag. */
const HELD = 0.7;
/** A bag is at most as large as the trunk of its carrier: share of the carrier's box. */
const LARGEST = 0.5;

interface Carrier {
  readonly person: Box;
  readonly bags: Record<(typeof BAGS)[number]['key'], number>;
}

/** The bags of each person in a frame. Of several people who may carry a bag, the one with the nearest middle does. */
export function classifyBags(people: readonly Box[], detections: readonly Detection[]): Carrier['bags'][] {
  const carriers = people.map((person) => ({ person, bags: { backpack: 0, handBag: 0 } }));
  for (const { classId, score, box } of detections) {
    const bag = BAGS.find((known) => known.classId === classId);
    if (!bag || score < LEAST_SCORE) continue;
    const carrier = carrierOf(box, carriers);
    if (carrier) carrier.bags[bag.key] = 1;
  }
  return carriers.map(({ bags }) => bags);
}

function carrierOf(bag: Box, carriers: readonly Carrier[]): Carrier | null {
  let [best, nearest]: [Carrier | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const carrier of carriers) {
    const { person } = carrier;
    const beside = BESIDE * width(person);
    const reach = { ...person, left: person.left - beside, right: person.right + beside };
    const shared = intersection(bag, reach);
    if (shared === 0 || shared < HELD * area(bag)) continue;
    if (area(bag) > LARGEST * width(person) * height(person)) continue;
    const apart = Math.abs(middleOffset(person, bag)) / width(person);
    if (apart < nearest) [best, nearest] = [carrier, apart];
  }
  return best;
}
