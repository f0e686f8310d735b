/**
 * How tall a standing person is in the picture, for every camera of a grid of possible ones. A camera is a tilt, a focal
 * length and a height above the floor; together with a flat floor they give the feet for a head (Hoiem, Putting Objects in
 * Perspective; Lv et al., calibration from walking people). Computed once in a process.
 */

/** Degrees below the horizon of the middle of the picture. */
const TILTS = [-5, 0, 5, 10, 15, 20, 25, 30, 36, 42, 50, 60];
/** Heights of the picture: from a wide angle of 80° from top to bottom to one of 22°. */
const FOCAL_LENGTHS = [0.6, 0.8, 1.05, 1.4, 1.9, 2.6];
/** Heights of a person: from 0.9 m to 17 m. */
const CAMERA_HEIGHTS = [0.5, 0.6, 0.7, 0.8, 0.92, 1.08, 1.2, 1.35, 1.55, 1.8, 2.15, 2.6, 3.3, 4.5, 6.5, 10];

/** What is likely before anybody was seen: cameras in shops hang below the ceiling and look down. */
const LIKELY_TILT = { mean: 22, deviation: 18 };
const LIKELY_FOCAL_LENGTH = { mean: Math.log(1.1), deviation: 0.35 };
const LIKELY_HEIGHT = { mean: Math.log(1.8), deviation: 0.6 };

/** One standard deviation of the heights of people, as a share. */
const HEIGHTS_OF_PEOPLE = 0.06;

/** Heads between these places of the picture, in so many rows. */
const TOP = -0.1;
const BOTTOM = 1;
export const ROWS = 55;

export interface CameraGrid {
  readonly cameras: number;
  /** Logarithm of the height of a person whose head is in a row: `[row][camera]`; NaN where no head can be. */
  readonly logHeight: Float32Array;
  /** Its standard deviation by the heights of people alone. Same shape. */
  readonly deviation: Float32Array;
  /** Logarithm of the probability of each camera, up to a constant, before anybody was seen. */
  readonly prior: Float64Array;
}

/** Row of a head. @param top of the box, fraction of the picture */
export const rowOf = (top: number): number =>
  Math.min(ROWS - 1, Math.max(0, Math.floor(((top - TOP) / (BOTTOM - TOP)) * ROWS)));

let known: CameraGrid | null = null;

export function cameraGrid(): CameraGrid {
  known ??= computeGrid();
  return known;
}

function computeGrid(): CameraGrid {
  const cameras = TILTS.length * FOCAL_LENGTHS.length * CAMERA_HEIGHTS.length;
  const logHeight = new Float32Array(cameras * ROWS);
  const deviation = new Float32Array(cameras * ROWS);
  const prior = new Float64Array(cameras);
  let camera = 0;
  for (const degrees of TILTS) {
    for (const focalLength of FOCAL_LENGTHS) {
      for (const height of CAMERA_HEIGHTS) {
        const tilt = (degrees / 180) * Math.PI;
        prior[camera] =
          logNormal(degrees, LIKELY_TILT) +
          logNormal(Math.log(focalLength), LIKELY_FOCAL_LENGTH) +
          logNormal(Math.log(height), LIKELY_HEIGHT);
        for (let row = 0; row < ROWS; row++) {
          const head = TOP + ((row + 0.5) / ROWS) * (BOTTOM - TOP);
          const of = (person: number, higher = 0) =>
            Math.log(heightInPicture(head + higher, { tilt, focalLength, height }, person));
          const at = row * cameras + camera;
          logHeight[at] = of(1);
          // Where a camera is as high as heads, a short person and a tall one at one place of the picture differ by any factor.
          deviation[at] = Math.hypot(
            halfOf(of(1 - HEIGHTS_OF_PEOPLE), of(1 + HEIGHTS_OF_PEOPLE)),
            halfOf(of(1, -HEAD_ERROR), of(1, HEAD_ERROR)),
          );
        }
        camera++;
      }
    }
  }
  return { cameras, logHeight, deviation, prior };
}

/** Half a row. */
const HEAD_ERROR = (BOTTOM - TOP) / ROWS / 2;
const VAGUE = 1;
const halfOf = (a: number, b: number): number =>
  Number.isFinite(a - b) ? Math.min(VAGUE, Math.abs(a - b) / 2) : VAGUE;

/** @param head row of the picture, @param person height in heights of an average one @returns NaN where no head can be */
function heightInPicture(
  head: number,
  { tilt, focalLength, height }: { tilt: number; focalLength: number; height: number },
  person: number,
): number {
  const below = Math.tan(tilt + Math.atan((head - 0.5) / focalLength));
  // The head of a person below the camera is below the horizon, and above it where the camera is lower.
  const distance = (height - person) / below;
  if (!(distance > 0)) return Number.NaN;
  const feet = Math.atan(height / distance) - tilt;
  if (feet > MOST_OBLIQUE) return Number.NaN;
  const tall = 0.5 + focalLength * Math.tan(feet) - head;
  return tall > 0 ? tall : Number.NaN;
}

const MOST_OBLIQUE = 1.45;

const logNormal = (value: number, { mean, deviation }: { mean: number; deviation: number }): number =>
  -((value - mean) ** 2) / (2 * deviation ** 2);
