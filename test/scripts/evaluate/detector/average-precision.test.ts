import { expect, test } from '@jest/globals';
import { averagePrecision } from '../../../../scripts/evaluate/detector/average-precision.ts';

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
