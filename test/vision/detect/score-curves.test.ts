import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { makeDecoder } from '../../../src/vision/detect/decode/decoder.ts';
import { Candidates } from '../../../src/vision/detect/nms.ts';
import {
  makeScoreScale,
  probabilityOf,
  type ScoreCurve,
  ScoreCurveSchema,
} from '../../../src/vision/detect/score-curves.ts';
import { fc } from '../../support/property.ts';

const MODELS_DIR = join(import.meta.dirname, '../../../models');

/** Changes nothing. */
const SAME: ScoreCurve = { constant: 0, score: 1, height: 0, scoreByHeight: 0, heights: [10, 100] };

const curves = fc
  .record({
    constant: fc.double({ min: -20, max: 20, noNaN: true }),
    score: fc.double({ min: -20, max: 20, noNaN: true }),
    height: fc.double({ min: -10, max: 10, noNaN: true }),
    scoreByHeight: fc.double({ min: -10, max: 10, noNaN: true }),
    heights: fc.constantFrom<[number, number]>([1, 2], [10, 400], [8, 1000]),
  })
  .filter((curve) => ScoreCurveSchema.safeParse(curve).success);
const raw = fc.double({ min: 0, max: 1, noNaN: true });
const heights = fc.oneof(fc.double({ min: -10, max: 2000 }), fc.constantFrom(0, Number.POSITIVE_INFINITY));

describe('the probability that a box is right', () => {
  const logistic = (z: number) => 1 / (1 + Math.exp(-z));

  test.each<[string, Partial<ScoreCurve>, number, number, number]>([
    ['the same curve gives the raw score', {}, 0.37, 50, 0.37],
    ['the constant is a logit', { constant: 2 }, 0.5, 50, logistic(2)],
    ['the score has a slope', { score: 3 }, logistic(0.4), 50, logistic(1.2)],
    ['a height counts by its logarithm', { height: 2 }, 0.5, Math.E ** 3, logistic(6)],
    ['the slope changes with the height', { scoreByHeight: 0.5 }, logistic(1), Math.E ** 3, logistic(2.5)],
    ['a lower box counts as the lowest', { height: 2 }, 0.5, 3, logistic(2 * Math.log(10))],
    ['a higher box counts as the highest', { height: 2 }, 0.5, 1e9, logistic(2 * Math.log(100))],
    ['a box without height counts as the lowest', { height: 2 }, 0.5, Number.NaN, logistic(2 * Math.log(10))],
    ['a score of 0 stays near 0', {}, 0, 50, 1e-6],
    ['a score of 1 stays near 1', {}, 1, 50, 1 - 1e-6],
  ])('%s', (_, change, score, height, expected) => {
    expect(probabilityOf({ ...SAME, ...change }, score, height)).toBeCloseTo(expected, 9);
  });

  test('is within 0 and 1 and never falls while the raw score rises', () => {
    fc.assert(
      fc.property(curves, raw, raw, heights, (curve, a, b, height) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((score) =>
          probabilityOf(curve, score, height),
        );
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low!);
      }),
    );
  });

  test('no box below the lowest raw score reaches the probability', () => {
    fc.assert(
      fc.property(
        curves,
        raw,
        heights,
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (curve, a, height, p) => {
          const lowest = makeScoreScale({ person: curve }).lowestRaw(p);
          if (a < lowest) expect(probabilityOf(curve, a, height)).toBeLessThan(p + 1e-9);
          // Classes without a curve use their raw score.
          expect(lowest).toBeLessThanOrEqual(p);
        },
      ),
    );
  });
});

test('a curve changes only the scores of its classes; vehicles share one', () => {
  const candidates = new Candidates(4);
  candidates.count = 3;
  candidates.score.set([0.5, 0.5, 0.5, 0.5]);
  candidates.classId.set([0, 2, 24, 0]);
  makeScoreScale({ person: { ...SAME, constant: 2 } }).apply(candidates);
  expect([...candidates.score].map((score) => Number(score.toFixed(2)))).toEqual([0.88, 0.5, 0.5, 0.5]);
  makeScoreScale({ vehicle: { ...SAME, constant: -2 } }).apply(candidates);
  expect([...candidates.score].map((score) => Number(score.toFixed(2)))).toEqual([0.88, 0.12, 0.5, 0.5]);
});

describe('decoding', () => {
  const card = {
    input: { width: 32, height: 32 },
    classes: { keep: [0] },
  } as const;
  const decoded = (kind: 'nanodet' | 'yolox', curve: ScoreCurve | undefined, minScore: number) => {
    const rows = Int32Array.of(0, 1, 2);
    const raw = [0.8, 0.3, 0.05];
    const strides = [16];
    const decode =
      kind === 'nanodet'
        ? makeDecoder(
            {
              ...card,
              decoder: { kind, strides, bins: 8, scores: 'probabilities', pointOffset: 0 },
            },
            { rows, data: { scores: Float32Array.from(raw), distances: new Float32Array(12).fill(1) } },
            { person: curve },
          )
        : makeDecoder(
            {
              ...card,
              decoder: { kind, strides },
            },
            {
              rows,
              data: {
                predictions: Float32Array.from(raw.flatMap((score) => [0, 0, Math.LN2, Math.LN2, score, 1])),
              },
            },
            { person: curve },
          );
    const { count, score } = decode(minScore);
    return [...score.subarray(0, count)].map((value) => Number(value.toFixed(3)));
  };

  test.each(['nanodet', 'yolox'] as const)(
    '%s: raw scores without a curve, probabilities with one',
    (kind) => {
      expect(decoded(kind, undefined, 0.2)).toEqual([0.8, 0.3]);
      const up = decoded(kind, { ...SAME, constant: 2 }, 0.2);
      // the weakest box reaches 0.28 with the curve and so must not be cut off by its raw score
      expect(up).toEqual([0.967, 0.76, 0.28]);
    },
  );
});

test('the curve of the default detector separates sure from unsure boxes, by their height', async () => {
  const { scores, input } = await readDetectorCard(MODELS_DIR, 'nanodet-g-int8');
  const curve = scores!.person!;
  expect(scores!.fitted.pictures).toBeGreaterThan(0);
  expect(curve.heights[1]).toBeLessThanOrEqual(1.1 * input.height);
  for (const height of [20, 60, 150, 300]) {
    expect(probabilityOf(curve, 0.15, height)).toBeLessThan(0.25);
    expect(probabilityOf(curve, 0.75, height)).toBeGreaterThan(0.85);
  }
  // the reason for the curves: a near person of the raw score 0.45 is surer than a far one
  expect(probabilityOf(curve, 0.45, 250)).toBeGreaterThan(0.6);
  expect(probabilityOf(curve, 0.45, 30)).toBeLessThan(0.6);
});
