import type { Box, Detection } from '../../vision/types.ts';
import { apparentHeight, FRAME_HEIGHT, FRAME_WIDTH, project } from '../camera.ts';
import type { Person } from '../shop-world.ts';

const WIDTH_PER_HEIGHT = 0.3;

/** The whole body of a person: fractions of the frame, unclipped. Its foot point is where they stand. */
export function bodyBox(person: Person): Box {
  const [x, bottom] = project(person);
  const height = apparentHeight(person.z, person.costume.heightMetres);
  const half = (height * WIDTH_PER_HEIGHT * FRAME_HEIGHT) / FRAME_WIDTH / 2;
  return { left: x - half, right: x + half, top: bottom - height, bottom };
}

export const isInFrame = ({ left, right }: Box): boolean => right > 0 && left < 1;

/** The appearance of a person: red, green, blue of torso and legs, 0-255. */
export const clothesOf = ({ costume }: Person): number[] => [
  ...rgbOf(costume.upper),
  ...rgbOf(costume.lower),
];

const rgbOf = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The detections of a perfect detector, which also finds hidden people. */
export function perfectDetections(people: readonly Person[]): Detection[] {
  return people.flatMap((person): Detection[] => {
    const box = bodyBox(person);
    return isInFrame(box) ? [{ box, score: 0.9, classId: 0, appearance: clothesOf(person) }] : [];
  });
}
