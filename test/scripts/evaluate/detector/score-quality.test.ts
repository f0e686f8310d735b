import { expect, test } from '@jest/globals';
import { scoreQuality } from '../../../../scripts/evaluate/detector/score-quality.ts';
import type { Box } from '../../../../src/vision/types.ts';

const box = (left: number, height = 0.5): Box => ({ left, top: 0, right: left + 0.05, bottom: height });
const found = (left: number, score: number, height?: number) => ({
  ...{ box: box(left, height), score, classId: 0 },
});

/** A picture for each score: `right` of `count` boxes lie on an object. */
const pictures = (score: number, count: number, right: number) =>
  Array.from({ length: count }, (_, i) => ({
    detections: [found(i < right ? 0 : 0.5, score)],
    truth: [box(0)],
  }));

test('the error is the mean distance of score and precision, weighted by boxes', () => {
  const { bins, error } = scoreQuality([...pictures(0.75, 40, 28), ...pictures(0.95, 60, 30)]);
  expect(bins.map(({ from, boxes, precision }) => [from, boxes, precision])).toEqual([
    [0.7, 40, 0.7],
    [0.9, 60, 0.5],
  ]);
  expect(error).toBeCloseTo((40 * 0.05 + 60 * 0.45) / 100, 9);
});

test('bins of fewer than 30 boxes and scores below 0.1 do not count', () => {
  const { bins, error } = scoreQuality([...pictures(0.75, 29, 0), ...pictures(0.09, 50, 50)]);
  expect(bins.map(({ from, boxes }) => [from, boxes])).toEqual([[0.7, 29]]);
  expect(error).toBeNull();
});

test('recall and precision of near objects are those at the score that starts a track', () => {
  const { near } = scoreQuality([
    // two near people, of whom one is surely found, and a far one
    {
      detections: [found(0, 0.6), found(0.3, 0.59), found(0.6, 0.9, 0.1)],
      truth: [box(0), box(0.3), box(0.6, 0.1)],
    },
    // a sure box where nobody is
    { detections: [found(0, 0.7)], truth: [] },
  ]);
  expect(near).toEqual({ objects: 2, recall: 0.5, precision: 0.5 });
});

test('a score of 1 belongs to the last bin, and without images all figures are null', () => {
  expect(scoreQuality(pictures(1, 1, 1)).bins.map(({ from }) => from)).toEqual([0.9]);
  expect(scoreQuality([])).toEqual({
    near: { objects: 0, recall: null, precision: null },
    bins: [],
    error: null,
  });
});
