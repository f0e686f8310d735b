import { round } from './arithmetic.ts';
import { ERROR_MODELS } from './error-model.ts';
import type { SumName, Sums } from './sums.ts';

/** Above this the numbers are doubtful. */
export const DOUBTFUL_PERCENT = 20;
/** Person-milliseconds in the line below which nothing can be said. */
const LEAST_LINE_MS = 30_000;
/** Smooths ratios of short times. */
const SMOOTH_MS = 2_000;
/** Smooths errors near 0 before the logarithm. */
export const ERROR_FLOOR = 3;

/** The sums from which the error is estimated. */
export const LINE_SUMS = [
  ...(['inQueueMs', 'coveredMs', 'followedMs', 'unseenMs', 'sureMs', 'stepsMs'] as const),
  ...(['arrivals', 'lost'] as const),
] as const satisfies readonly SumName[];
export type LineSums = Pick<Sums, (typeof LINE_SUMS)[number]>;

/** What the model looks at. Each grows with the error, and none with the length of the time. */
export const LINE_FEATURES = {
  /** Counted people who are not seen, of all who are counted. */
  unseen: ({ unseenMs, inQueueMs }) => unseenMs / (inQueueMs + SMOOTH_MS),
  /** Fewer are followed than counted. */
  missing: ({ followedMs, inQueueMs }) => -Math.log((followedMs + SMOOTH_MS) / (inQueueMs + SMOOTH_MS)),
  /** Queue length by detections alone and by visits: mean length = arrivals × mean wait (Little's law). */
  apart: ({ sureMs, inQueueMs }) => Math.abs(Math.log((sureMs + SMOOTH_MS) / (inQueueMs + SMOOTH_MS))),
  /** How often detections come and go. */
  steps: ({ stepsMs, sureMs }) => Math.log((stepsMs + SMOOTH_MS / 100) / (sureMs + SMOOTH_MS)),
  /** One wrong person is much of a short line. */
  short: ({ inQueueMs, coveredMs }) => -Math.log(inQueueMs / coveredMs + 0.1),
  /** Seconds in the line for each who joined: stays that are broken are brief. */
  brief: ({ inQueueMs, arrivals }) => -Math.log(inQueueMs / 1000 / (arrivals + 1) + 1),
  lost: ({ lost, arrivals }) => lost / (arrivals + 1),
} as const satisfies Readonly<Record<string, (sums: LineSums) => number>>;
export type LineFeature = keyof typeof LINE_FEATURES;

/** A monotone linear model of the logarithm of the error. `evaluate -- estimate` fits it. */
export interface ErrorModel {
  readonly bias: number;
  /** Features outside the range of the material count as its edge. */
  readonly weights: Readonly<Partial<Record<LineFeature, Weight>>>;
  /** What is to be added to the logarithm for the 10 % and 90 % quantiles. */
  readonly low: number;
  readonly high: number;
}

export interface Weight {
  readonly least: number;
  readonly most: number;
  readonly weight: number;
}

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
