import { round } from './arithmetic.ts';
import { ERROR_MODELS } from './error-model.ts';
import { type ErrorModel, LINE_FEATURES, type LineFeature, type LineSums } from './line-features.ts';

/** Above this the numbers are doubtful. */
export const DOUBTFUL_PERCENT = 20;
/** Person-milliseconds in the line below which nothing can be said. */
const LEAST_LINE_MS = 30_000;
/** Smooths errors near 0 before the logarithm. */
export const ERROR_FLOOR = 3;

/** Why there is no expected error: no zone to wait in, no frames, stored by a version that did not look, or hardly anybody in the line. */
export const NO_ERRORS = ['noQueueZone', 'noFrames', 'notRecorded', 'tooFewPeople'] as const;
export type NoError = (typeof NO_ERRORS)[number];

export function whyNoError(sums: LineSums): Exclude<NoError, 'noQueueZone'> | null {
  const { coveredMs, inQueueMs, followedMs, unseenMs, sureMs } = sums;
  if (coveredMs === 0) return 'noFrames';
  // Whoever is counted is followed or not seen: other rows are of a version that did not look.
  if (inQueueMs > 0 && followedMs + unseenMs < inQueueMs / 2) return 'notRecorded';
  return Math.max(inQueueMs, sureMs) < LEAST_LINE_MS ? 'tooFewPeople' : null;
}

/** The logarithm that the model gives. */
export const errorLogarithm = ({ bias, weights }: ErrorModel, sums: LineSums): number =>
  Object.entries(weights).reduce((total, [name, { least, most, weight }]) => {
    const value = LINE_FEATURES[name as LineFeature](sums);
    return total + weight * Math.min(most, Math.max(least, value));
  }, bias);

/** Percent of the queue length; at most 100, because more says nothing. @param offset of the quantile */
export const errorOf = (logarithm: number, offset = 0): number =>
  Math.min(100, Math.max(0, Math.exp(logarithm + offset) - ERROR_FLOOR));

/**
 * The error of the queue length or of the mean wait that is to be expected, in percent of it; null where nothing can be said.
 * @param edge of the range in which it lies in 8 of 10 cases
 */
export const expectedError =
  (of: keyof typeof ERROR_MODELS, edge?: 'low' | 'high') =>
  (sums: LineSums): number | null => {
    if (whyNoError(sums)) return null;
    const model = ERROR_MODELS[of];
    return round(errorOf(errorLogarithm(model, sums), edge && model[edge]));
  };
