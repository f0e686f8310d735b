/** How far an object that was matched lies from where it was expected, in fractions of the picture. */
export interface Surprise {
  readonly dx: number;
  readonly dy: number;
}

/** The middle fifth of the witnesses must agree on the direction. */
const AGREEING_FROM = 0.4;

/**
 * A camera that shakes or pans pushes everybody the same way. The push is the least one that the middle of the
 * surprises agrees on; where it disagrees, nobody moved the camera.
 *
 * @param witnesses fewer surprises than this tell nothing
 */
export function cameraPush(surprises: readonly Surprise[], witnesses: number): Surprise {
  if (surprises.length < witnesses) return { dx: 0, dy: 0 };
  return { dx: agreed(surprises.map(({ dx }) => dx)), dy: agreed(surprises.map(({ dy }) => dy)) };
}

function agreed(values: number[]): number {
  values.sort((a, b) => a - b);
  const at = (part: number) => {
    const place = part * (values.length - 1);
    return (values[Math.floor(place)]! + values[Math.ceil(place)]!) / 2;
  };
  // Between the two lie the witnesses in the middle: the value nearest to 0 that they allow.
  return Math.max(at(AGREEING_FROM), Math.min(at(1 - AGREEING_FROM), 0));
}
