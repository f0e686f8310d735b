import type { Box, Detection } from '../../vision/types.ts';
import { apparentHeight, PICTURE_HEIGHT, PICTURE_WIDTH, project } from '../camera.ts';
import type { Person } from '../shop-world.ts';

const WIDTH_PER_HEIGHT = 0.3;

/** The whole body of somebody: fractions of the picture, unclipped. Its bottom centre is the point they stand on. */
export function bodyBox(person: Person): Box {
  const [x, bottom] = project(person);
  const height = apparentHeight(person.z, person.costume.heightMetres);
  const half = (height * WIDTH_PER_HEIGHT * PICTURE_HEIGHT) / PICTURE_WIDTH / 2;
  return { left: x - half, right: x + half, top: bottom - height, bottom };
}

export const isInPicture = ({ left, right }: Box): boolean => right > 0 && left < 1;

/** Colours of the clothes as a detection gives them: torso, then legs; red, green, blue, 0-255. */
export const clothesOf = ({ costume }: Person): number[] => [
  ...rgbOf(costume.upper),
  ...rgbOf(costume.lower),
];

const rgbOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The people as a detector that misses nothing would give them, even those who are hidden. */
export function perfectDetections(people: readonly Person[]): Detection[] {
  return people.flatMap((person): Detection[] => {
    const box = bodyBox(person);
    return isInPicture(box) ? [{ box, score: 0.9, classId: 0, appearance: clothesOf(person) }] : [];
  });
}
