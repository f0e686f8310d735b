import { expect, test } from '@jest/globals';
import {
  averagePrecision,
  averagePrecisionOf,
} from '../../../../scripts/evaluate/detector/average-precision.ts';

const box = (left: number, width = 0.1) => ({ left, top: 0, right: left + width, bottom: 0.1 });
const found = (left: number, score: number, width = 0.1) => ({ box: box(left, width), score, classId: 0 });

test.each([
  ['all objects found', [{ detections: [found(0, 0.9), found(0.5, 0.8)], truth: [box(0), box(0.5)] }], 1, 1],
  ['no object found', [{ detections: [], truth: [box(0)] }], 0, 0],
  // half of the truth is found: precision 1 at the recalls 0 … .50, which are 51 of 101 points
  [
    'half of the objects found',
    [{ detections: [found(0, 0.9)], truth: [box(0), box(0.5)] }],
    51 / 101,
    51 / 101,
  ],
  // the wrong box comes first: precision ½ everywhere
  [
    'a wrong box with a higher score',
    [{ detections: [found(0.5, 0.9), found(0, 0.8)], truth: [box(0)] }],
    0.5,
    0.5,
  ],
  [
    'a wrong box with a lower score',
    [{ detections: [found(0.5, 0.7), found(0, 0.8)], truth: [box(0)] }],
    1,
    1,
  ],
  [
    'a second box of the same object counts as wrong',
    [{ detections: [found(0, 0.9), found(0, 0.8)], truth: [box(0), box(0.5)] }],
    51 / 101,
    51 / 101,
  ],
  // overlap .62: right at .50, .55 and .60 of the ten thresholds
  ['a box with an IoU of .62', [{ detections: [found(0, 0.9, 0.062)], truth: [box(0)] }], 1, 0.3],
])('average precision: %s', (_, pictures, ap50, ap) => {
  const result = averagePrecision(pictures);
  expect(result.ap50).toBeCloseTo(ap50, 10);
  expect(result.ap).toBeCloseTo(ap, 10);
});

const tall = (left: number, high: number) => ({ left, top: 0, right: left + 0.1, bottom: high });
const foundTall = (left: number, high: number, score: number) => ({
  ...{ box: tall(left, high), score, classId: 0 },
});

test.each([
  [
    'another height is not missed',
    [{ detections: [foundTall(0, 0.5, 0.9)], truth: [tall(0, 0.5), tall(0.5, 0.1)] }],
    1,
  ],
  [
    'a box on another height is not wrong',
    [
      {
        detections: [foundTall(0.5, 0.3, 0.9), foundTall(0, 0.5, 0.8)],
        truth: [tall(0, 0.5), tall(0.5, 0.3)],
      },
    ],
    1,
  ],
  [
    'a wrong box of another height does not count',
    [{ detections: [foundTall(0.7, 0.1, 0.9), foundTall(0, 0.5, 0.8)], truth: [tall(0, 0.5)] }],
    1,
  ],
  [
    'a wrong box of this height counts',
    [{ detections: [foundTall(0.7, 0.6, 0.9), foundTall(0, 0.5, 0.8)], truth: [tall(0, 0.5)] }],
    0.5,
  ],
  ['no object of this height', [{ detections: [foundTall(0, 0.1, 0.9)], truth: [tall(0, 0.1)] }], null],
])('average precision of objects from 0.35 on: %s', (_, pictures, expected) => {
  const result = averagePrecisionOf([0.35, Number.POSITIVE_INFINITY], pictures);
  if (expected === null) expect(result).toBeNull();
  else expect(result).toBeCloseTo(expected, 10);
});
