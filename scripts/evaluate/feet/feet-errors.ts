import { AT_EDGE, height } from '../../../src/vision/geometry.ts';
import { type Moment, momentOf, wholeMs } from '../../../src/vision/moment.ts';
import { PeopleWatch } from '../../../src/vision/people-watch.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Detection } from '../../../src/vision/types.ts';
import { quantile, ratio, rounded } from '../../support/numbers.ts';
import { shownBodies, type TrueBody } from '../footage/limits.ts';
import { LEAST_SHOWN } from '../simulated/invented.ts';

/** Legs are hidden where a box lacks at least this share of the person. */
const HIDDEN = 0.1;

export interface FeetFrame {
  readonly timeMs: number;
  readonly detections: readonly Detection[];
  /** From the head to the feet, seen or not. */
  readonly people: readonly TrueBody[];
}

/** One box that ends above the feet, in heights of the picture. */
interface HiddenFeet {
  readonly missing: number;
  /** Of the foot point of the product. */
  readonly error: number;
  readonly isEstimated: boolean;
}

/** Follows people as a scene does. @returns where it sees the feet of those whose boxes end above them */
export function hiddenFeet(frames: readonly FeetFrame[], aspect: number): HiddenFeet[] {
  const watch = new PeopleWatch({ parameters: parametersSchema.parse({}) });
  let last: Moment | null = null;
  return frames.flatMap(({ timeMs, detections, people }) => {
    last = momentOf(wholeMs(timeMs), last);
    const { tracks } = watch.update(detections, last, aspect);
    const ends = endsOf(detections, people);
    const boxes = tracks.map(({ box, score, classId }) => ({ box, score, classId }));
    const shown = shownBodies(boxes, people, LEAST_SHOWN);
    return tracks.flatMap(({ box, feet }, at): HiddenFeet[] => {
      const person = shown[at];
      if (!person || !isInPicture(person)) return [];
      const missing = person.box.bottom - (ends.get(person.id) ?? person.box.bottom);
      if (missing < HIDDEN * height(person.box)) return [];
      return [
        { missing, error: Math.abs(person.box.bottom - box.bottom), isEstimated: feet === 'estimated' },
      ];
    });
  });
}

/** By person, where their box ends. */
function endsOf(detections: readonly Detection[], people: readonly TrueBody[]): Map<number, number> {
  const shown = shownBodies(detections, people, LEAST_SHOWN);
  return new Map(
    detections.flatMap(({ box }, at) => (shown[at] ? [[shown[at].id, box.bottom] as const] : [])),
  );
}

const isInPicture = ({ box: { left, top, right, bottom } }: TrueBody): boolean =>
  left > AT_EDGE && top > AT_EDGE && right < 1 - AT_EDGE && bottom < 1 - AT_EDGE;

/** In percent of the picture's height: half and 90 % of the errors are at most so large. */
export function feetFigures(feet: readonly HiddenFeet[]) {
  const spread = (values: readonly number[]) =>
    values.length === 0
      ? null
      : { median: rounded(100 * quantile(values, 0.5), 1), ninety: rounded(100 * quantile(values, 0.9), 1) };
  const estimated = feet.filter(({ isEstimated }) => isEstimated);
  return {
    boxes: feet.length,
    estimatedShare: ratio(estimated.length, feet.length, 3),
    /** The end of the box, */
    box: spread(feet.map(({ missing }) => missing)),
    /** the foot point of the product, */
    product: spread(feet.map(({ error }) => error)),
    /** and of those whose feet it estimates. */
    estimated: spread(estimated.map(({ error }) => error)),
  };
}
