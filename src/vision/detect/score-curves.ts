import { z } from 'zod';
import { type AnalysisClass, CLASS_IDS } from '../types.ts';
import type { Candidates } from './nms.ts';

/** Least slope of the logit: with a flatter curve raw scores would mean nothing. */
const LEAST_SLOPE = 0.1;
/** A fit with larger coefficients is wrong. */
const coefficient = z.number().min(-100).max(100);

/**
 * Turns the raw score of a box into the probability that the box is right (IoU ≥ 0.5 with an object of its class):
 * logit p = constant + score · logit raw + height · ln h + scoreByHeight · logit raw · ln h, where h is the height of the
 * box in pixels of the network's input. A higher raw score never gives a lower probability.
 */
export const ScoreCurveSchema = z
  .strictObject({
    constant: coefficient,
    score: coefficient,
    height: coefficient,
    scoreByHeight: coefficient,
    /** Range of heights of the fit, pixels: lower boxes count as the first, higher ones as the second. */
    heights: z.tuple([z.number().min(1).max(10_000), z.number().min(1).max(10_000)]),
  })
  .refine(({ heights: [low, high] }) => low < high, {
    path: ['heights'],
    error: 'must be the lowest and the highest height',
  })
  // linear in ln h: what holds at both ends holds between them
  .refine((curve) => curve.heights.every((height) => slopeAt(curve, Math.log(height)) >= LEAST_SLOPE), {
    path: ['score'],
    error: 'makes the probability fall, or hardly rise, while the raw score rises: fit the coefficients anew',
  });

export type ScoreCurve = z.infer<typeof ScoreCurveSchema>;

/** A curve for each group of classes that has one; the others keep their raw scores. */
export type ScoreCurves = { readonly [name in AnalysisClass]?: ScoreCurve | undefined };

/** Replaces the raw scores of a decoder by probabilities. */
export interface ScoreScale {
  /** No box with a lower raw score has a probability of `probability` or more. */
  lowestRaw(probability: number): number;
  apply(candidates: Candidates): void;
}

/** Raw scores are clamped to this distance from 0 and 1, where their logit is infinite. */
const EDGE = 1e-6;

export function makeScoreScale(curves: ScoreCurves): ScoreScale {
  /** By class id. */
  const curveOf: (ScoreCurve | undefined)[] = [];
  for (const name of ['person', 'vehicle'] as const)
    for (const classId of CLASS_IDS[name]) curveOf[classId] = curves[name];
  const inUse = [curves.person, curves.vehicle].filter((curve) => curve !== undefined);

  return {
    lowestRaw: (probability) => Math.min(probability, ...inUse.map((curve) => leastRaw(curve, probability))),
    apply: ({ count, top, bottom, score, classId }) => {
      for (let i = 0; i < count; i++) {
        const curve = curveOf[classId[i]!];
        if (curve) score[i] = probabilityOf(curve, score[i]!, bottom[i]! - top[i]!);
      }
    },
  };
}

/** @param raw 0-1 @param height of the box, pixels of the network's input */
export function probabilityOf(curve: ScoreCurve, raw: number, height: number): number {
  const [low, high] = curve.heights;
  // written so that NaN counts as the lowest height
  const logHeight = Math.log(height > low ? Math.min(height, high) : low);
  const x = logit(Math.max(EDGE, Math.min(1 - EDGE, raw)));
  return 1 / (1 + Math.exp(-(curve.constant + curve.height * logHeight + slopeAt(curve, logHeight) * x)));
}

/**
 * The lowest raw score, over all heights, that reaches a probability. It is a fraction of two linear terms in ln h, so it
 * rises or falls over the whole range and is lowest at one end.
 */
function leastRaw(curve: ScoreCurve, probability: number): number {
  const x = curve.heights.map((height) => {
    const logHeight = Math.log(height);
    return (logit(probability) - curve.constant - curve.height * logHeight) / slopeAt(curve, logHeight);
  });
  const raw = 1 / (1 + Math.exp(-Math.min(...x)));
  return raw > EDGE ? raw : 0;
}

/** How fast the logit of the probability rises with that of the raw score. */
const slopeAt = (
  { score, scoreByHeight }: { score: number; scoreByHeight: number },
  logHeight: number,
): number => score + scoreByHeight * logHeight;

export const logit = (share: number): number => Math.log(share / (1 - share));
