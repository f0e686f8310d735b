import type { SumName, Sums } from './sums.ts';

/** Smooths ratios of short times. */
const SMOOTH_MS = 2_000;

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
