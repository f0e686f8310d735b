import { describe, expect, test } from '@jest/globals';
import { Candidates, suppress } from '../../../src/vision/detect/nms.ts';

const PERSON = 0;
const CAR = 2;
const TRUCK = 7;

/** [left, top, right, bottom, score, class] */
function candidates(rows: readonly (readonly number[])[]): Candidates {
  const found = new Candidates(rows.length);
  for (const [left, top, right, bottom, score, classId] of rows) {
    found.add({ left: left!, top: top!, right: right!, bottom: bottom! }, score!, classId!);
  }
  return found;
}

describe('suppress', () => {
  const cases: [string, number[][], number[]][] = [
    ['nothing found', [], []],
    ['one box', [[0, 0, 10, 10, 0.5, PERSON]], [0]],
    [
      'of two equal boxes the stronger one stays',
      [
        [0, 0, 10, 10, 0.5, PERSON],
        [0, 0, 10, 10.5, 0.9, PERSON],
      ],
      [1],
    ],
    [
      'strongest first',
      [
        [0, 0, 10, 10, 0.5, PERSON],
        [50, 0, 60, 10, 0.9, PERSON],
      ],
      [1, 0],
    ],
    [
      'two people who half cover each other stay',
      [
        [0, 0, 10, 30, 0.9, PERSON],
        [3, 0, 13, 30, 0.8, PERSON],
      ],
      [0, 1],
    ],
    [
      'a person on a car is two objects',
      [
        [0, 0, 10, 10, 0.9, CAR],
        [0, 0, 10, 10, 0.8, PERSON],
      ],
      [0, 1],
    ],
    [
      'a car and a truck in one box are one object',
      [
        [0, 0, 10, 10, 0.9, CAR],
        [0, 0, 10, 10, 0.8, TRUCK],
      ],
      [0],
    ],
    [
      'a box between two others loses score, but stays',
      [
        [0, 0, 10, 10, 0.9, PERSON],
        [2, 0, 12, 10, 0.8, PERSON],
        [5, 0, 15, 10, 0.7, PERSON],
      ],
      [0, 2, 1],
    ],
  ];
  test.each(cases)('%s', (_, rows, kept) => {
    expect(suppress(candidates(rows), { doubtIou: 0.6, minScore: 0.1 })).toEqual(kept);
  });

  test('the score falls by the share of the overlap; below the least score the box is dropped', () => {
    const rows = [
      [0, 0, 10, 10, 0.9, PERSON],
      [2, 0, 12, 10, 0.6, PERSON],
    ];
    const found = candidates(rows);
    expect(suppress(found, { doubtIou: 0.5, minScore: 0.1 })).toEqual([0, 1]);
    expect(found.score[1]).toBeCloseTo(0.6 * (1 - 2 / 3));
    expect(suppress(candidates(rows), { doubtIou: 0.5, minScore: 0.25 })).toEqual([0]);
  });

  test('equal scores keep their order', () => {
    const rows = Array.from({ length: 20 }, (_, i) => [20 * i, 0, 20 * i + 10, 10, 0.5, PERSON]);
    expect(suppress(candidates(rows), { doubtIou: 0.6, minScore: 0.1 })).toEqual(rows.map((_, i) => i));
  });
});
