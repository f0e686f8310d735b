import { StandingHeight } from '../../../src/vision/feet/standing-height.ts';
import type { Box } from '../../../src/vision/types.ts';

/** Width over height of the pictures. */
export const ASPECT = 16 / 9;
/** A camera 3.4 m above the floor that looks 27° down. It is none of those that the model knows. */
const CAMERA = { tilt: (27 / 180) * Math.PI, focalLength: 1.2, height: 2 };

/** Where a point is in the picture. @param below the camera and @param away from it, in heights of a person */
const rowAt = (below: number, away: number): number =>
  0.5 + CAMERA.focalLength * Math.tan(Math.atan(below / away) - CAMERA.tilt);

/**
 * The box of a standing person.
 * @param away from the camera, in heights of an average person
 * @param x of the middle
 * @param tall height of this person, in heights of an average one
 */
export function personAt(away: number, x = 0.5, tall = 1): Box {
  const [top, bottom] = [rowAt(CAMERA.height - tall, away), rowAt(CAMERA.height, away)];
  const half = (bottom - top) / 2.6 / ASPECT / 2;
  return { left: x - half, right: x + half, top, bottom };
}

/** The upper part of a box, as a counter leaves it. */
export const cutAt = (box: Box, share: number): Box => ({
  ...box,
  bottom: box.top + share * (box.bottom - box.top),
});

/** A model that has seen people at these distances. */
export function taught(distances: readonly number[], times = 1): StandingHeight {
  const model = new StandingHeight();
  for (let time = 0; time < times; time++) {
    for (const [at, away] of distances.entries()) {
      const { left, right, top, bottom } = personAt(away, 0.5, 1 + 0.04 * Math.sin(7 * at + time));
      model.learn(top, bottom - top, (right - left) * ASPECT);
    }
  }
  return model;
}

/** From far to near, over most of the picture. */
export const WHOLE_FLOOR = [2.2, 2.5, 2.8, 3.2, 3.6, 4.1, 4.7, 5.4];
