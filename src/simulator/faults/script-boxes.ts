import type { Box, Detection } from '../../vision/types.ts';
import { FRAME_HEIGHT, FRAME_WIDTH, SHOP_VIEW, type View } from '../camera.ts';
import { blocksOf, visiblePart } from '../furniture.ts';
import type { Person } from '../person.ts';
import type { Place } from '../place.ts';

const WIDTH_PER_HEIGHT = 0.3;

/** The whole body of a person: fractions of the frame, unclipped. Its foot point is where they stand. */
export function bodyBox({ x: at, z, costume, seatedMetres }: Person, view: View = SHOP_VIEW): Box {
  const [x, bottom] = view.project({ x: at, z });
  const half =
    (view.apparentHeight(z, costume.heightMetres) * WIDTH_PER_HEIGHT * FRAME_HEIGHT) / FRAME_WIDTH / 2;
  const height = view.apparentHeight(z, costume.heightMetres - seatedMetres);
  return { left: x - half, right: x + half, top: bottom - height, bottom };
}

export const isInFrame = ({ left, right }: Box): boolean => right > 0 && left < 1;

/** A person with the part of the body that no furniture hides. */
export interface VisibleBody {
  readonly person: Person;
  readonly box: Box;
  /** y of the feet, hidden or not. */
  readonly foot: number;
}

/** The people in the frame of whom something is visible. */
export function visibleBodies(people: readonly Person[], { view, furniture }: Place): VisibleBody[] {
  const blocks = blocksOf(furniture, people);
  return people.flatMap((person): VisibleBody[] => {
    const whole = bodyBox(person, view);
    const box = isInFrame(whole) ? visiblePart(whole, person.z, blocks, view) : null;
    return box ? [{ person, box, foot: whole.bottom }] : [];
  });
}

/** The appearance of a person: red, green, blue of torso and legs, 0-255. */
export const clothesOf = ({ costume }: Person): number[] => [
  ...rgbOf(costume.upper),
  ...rgbOf(costume.lower),
];

const rgbOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The detections of a perfect detector, which also finds people whom others hide. Furniture cuts its boxes off. */
export const perfectDetections = (people: readonly Person[], place: Place): Detection[] =>
  visibleBodies(people, place).map(({ person, box }) => ({
    ...{ box, score: 0.9, classId: 0, appearance: clothesOf(person) },
  }));
