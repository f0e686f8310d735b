import { expect, test } from '@jest/globals';
import { type FeetFrame, feetFigures, hiddenFeet } from '../../../../scripts/evaluate/feet/feet-errors.ts';
import type { Box } from '../../../../src/vision/types.ts';

const WHOLE: Box = { left: 0.4, right: 0.5, top: 0.3, bottom: 0.7 };

/** One person who stands, with a box that ends there. */
const frames = (bottom: number, whole = WHOLE): FeetFrame[] =>
  Array.from({ length: 10 }, (_, at) => ({
    timeMs: 200 * at,
    detections: [{ box: { ...whole, bottom }, score: 0.9, classId: 0 }],
    people: [{ id: 7, box: whole }],
  }));

test('only boxes that lack a tenth of the person count, and who reaches below the picture does not', () => {
  expect(hiddenFeet(frames(0.7), 1)).toEqual([]);
  expect(hiddenFeet(frames(0.67), 1)).toEqual([]);
  expect(hiddenFeet(frames(0.8, { ...WHOLE, bottom: 1.1 }), 1)).toEqual([]);
});

test('where nobody knows better the foot point is as wrong as the box', () => {
  const figures = feetFigures(hiddenFeet(frames(0.5), 1));
  expect(figures).toMatchObject({ estimatedShare: 0, estimated: null });
  expect(figures.box).toEqual({ median: 20, ninety: 20 });
  expect(figures.product).toEqual(figures.box);
  expect(feetFigures([])).toMatchObject({ boxes: 0, box: null });
});
