import { expect, test } from '@jest/globals';
import { roundWeights } from '../../../models/convert/round-weights.ts';
import { LARGEST_WEIGHT } from '../../../src/models/onnx/saturation.ts';

/** The weights in steps, and what they became. */
function rounded(weights: readonly number[], area: number) {
  const bytes = new Int8Array(weights.length);
  const step = roundWeights(Float32Array.from(weights), area, bytes);
  return { steps: weights.map((weight) => weight / step), bytes: [...bytes], step };
}

test('the largest weight becomes 64 steps, and the sign is kept', () => {
  expect(LARGEST_WEIGHT).toBe(64);
  expect(rounded([0.5, -1, 0.25, 0], 1)).toMatchObject({ bytes: [32, -64, 16, 0], step: 1 / 64 });
});

test('a channel of zeros stays zeros', () => {
  expect(rounded([0, 0, 0, 0], 4).bytes).toEqual([0, 0, 0, 0]);
});

test('where all weights of a kernel would be rounded down, those nearest to the next step are rounded up', () => {
  expect(rounded([64, 10.4, 20.3, 30.45], 4).bytes).toEqual([64, 10, 20, 31]);
  expect(rounded([-64, -10.4, -20.3, -30.45], 4).bytes).toEqual([-64, -10, -20, -31]);
});

test('each kernel is rounded by itself', () => {
  expect(rounded([64, 10.4, 20.45, 1.4], 2).bytes).toEqual([64, 10, 21, 1]);
});

test.each([1, 9, 25])(
  'kernels of %i weights: no sum of errors above half a step, no weight off by more than one',
  (area) => {
    const weights = Array.from({ length: 40 * area }, (_, i) => Math.sin(1 + i * 12.9898) ** 3);
    const { steps, bytes } = rounded(weights, area);
    expect(Math.max(...bytes.map(Math.abs))).toBe(64);
    for (let from = 0; from < bytes.length; from += area) {
      const errors = steps.slice(from, from + area).map((value, i) => value - bytes[from + i]!);
      expect(Math.abs(errors.reduce((sum, error) => sum + error, 0))).toBeLessThanOrEqual(0.5001);
      for (const error of errors) expect(Math.abs(error)).toBeLessThan(1);
    }
  },
);
