interface Size {
  readonly width: number;
  readonly height: number;
}

/** Encoders round sizes up to whole blocks: 640 × 352 stands for 16:9. */
const TOLERANCE = 0.03;

/**
 * Whether two streams of a camera can show the same part of the scene. Zones and masks are shares of the picture, so that they
 * lie elsewhere in a picture of another aspect ratio.
 */
export function isSameShape(a: Size, b: Size): boolean {
  const [one, other] = [a.width / a.height, b.width / b.height];
  return Math.abs(one - other) <= TOLERANCE * Math.max(one, other);
}

/** The rest of a sentence about an analysis stream. */
export const otherShape = (analysis: Size, main: Size): string =>
  `shows ${analysis.width} × ${analysis.height} pixels, and streamUrl ${main.width} × ${main.height}: zones and masks would lie elsewhere in a picture of another aspect ratio. Set the camera's second stream to the aspect ratio of the first`;
