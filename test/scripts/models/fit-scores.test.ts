import { expect, test } from '@jest/globals';
import { fitScores, type ScoreSample } from '../../../scripts/models/fit-scores.ts';
import { probabilityOf, type ScoreCurve, ScoreCurveSchema } from '../../../src/vision/detect/score-curves.ts';
import { fc } from '../../support/property.ts';

/** The same numbers on every machine. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes that are right as often as a curve says. */
function boxes(curve: ScoreCurve, count: number, seed = 1): ScoreSample[] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const raw = 0.05 + 0.9 * next();
    const height = Math.exp(Math.log(10) + next() * Math.log(35));
    return { raw, height, right: next() < probabilityOf(curve, raw, height) };
  });
}

const TRUE: ScoreCurve = {
  constant: -1.4,
  score: 0.6,
  height: 0.6,
  scoreByHeight: 0.55,
  heights: [10, 350],
};

test('a fit finds the coefficients from which the boxes were generated', () => {
  const found = fitScores(boxes(TRUE, 20_000));
  expect(ScoreCurveSchema.safeParse(found).success).toBe(true);
  for (const name of ['constant', 'score', 'height', 'scoreByHeight'] as const) {
    expect(Math.abs(found[name] - TRUE[name])).toBeLessThan(0.35);
  }
  for (const raw of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    for (const height of [15, 40, 120, 300]) {
      expect(Math.abs(probabilityOf(found, raw, height) - probabilityOf(TRUE, raw, height))).toBeLessThan(
        0.03,
      );
    }
  }
});

test('the heights are those between which nearly all right boxes lie', () => {
  const { heights } = fitScores(boxes(TRUE, 5000));
  expect(heights[0]).toBeGreaterThanOrEqual(10);
  expect(heights[0]).toBeLessThan(20);
  expect(heights[1]).toBeGreaterThan(300);
  expect(heights[1]).toBeLessThanOrEqual(350);
});

test('boxes that one raw score separates into right and wrong give finite coefficients', () => {
  const parted = boxes(TRUE, 500).map((box) => ({ ...box, right: box.raw > 0.5 }));
  const curve = fitScores(parted);
  expect(ScoreCurveSchema.safeParse(curve).success).toBe(true);
  expect(probabilityOf(curve, 0.8, 100)).toBeGreaterThan(0.99);
  expect(probabilityOf(curve, 0.2, 100)).toBeLessThan(0.01);
});

test('boxes of one height are fitted as well', () => {
  const curve = fitScores(boxes(TRUE, 2000).map((box) => ({ ...box, height: 80, right: box.raw > 0.4 })));
  expect(Object.values(curve).flat().every(Number.isFinite)).toBe(true);
});

test.each([
  ['no box', []],
  ['only right boxes', [{ raw: 0.5, height: 10, right: true }]],
  ['only wrong boxes', [{ raw: 0.5, height: 10, right: false }]],
])('%s: a fit is refused', (_, samples) => {
  expect(() => fitScores(samples)).toThrow(/needs right and wrong ones/);
});

test('any boxes give coefficients that are numbers', () => {
  const sample = fc.record({
    raw: fc.double({ min: 0, max: 1, noNaN: true }),
    height: fc.double({ min: 0.1, max: 3000, noNaN: true }),
    right: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(sample, { minLength: 2, maxLength: 60 }), (samples) => {
      fc.pre(samples.some(({ right }) => right) && samples.some(({ right }) => !right));
      expect(Object.values(fitScores(samples)).flat().every(Number.isFinite)).toBe(true);
    }),
  );
});
