import { expect, test } from '@jest/globals';
import { PeopleSeen } from '../../../src/lanes/host/people-seen.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';

const boxAt = (left: number): Box => ({ left, top: 0, right: left + 0.1, bottom: 1 });
const person = (left: number, score = 0.9): Detection => ({ box: boxAt(left), score, classId: 0 });
const lefts = (boxes: Box[] | null) => boxes?.map(({ left }) => left) ?? null;

test('people of a frame and of the second before it are known, with low scores too, and no other objects', () => {
  const seen = new PeopleSeen();
  seen.add({ index: 1, timeMs: 1_000 }, [person(0.1)]);
  seen.add({ index: 2, timeMs: 1_800 }, [person(0.2, 0.1), { ...person(0.9), classId: 2 }]);
  seen.add({ index: 4, timeMs: 2_100 }, [person(0.3)]);
  expect(lefts(seen.around(2))).toEqual([0.1, 0.2]);
  expect(lefts(seen.around(4))).toEqual([0.2, 0.3]);
  expect(seen.newestIndex(null)).toBe(4);
});

test('a frame in which nobody looked for people is unknown, one without people is not', () => {
  const seen = new PeopleSeen();
  expect([seen.around(1), seen.newestIndex(null)]).toEqual([null, null]);
  seen.add({ index: 1, timeMs: 1_000 }, []);
  expect([seen.around(1), seen.around(2)]).toEqual([[], null]);
  seen.add({ index: 4, timeMs: 1_600 }, []);
  expect([0, 1, 3, 4, 9, null].map((last) => seen.newestIndex(last))).toEqual([null, 1, 1, 4, 4, 4]);
});

test('frames are forgotten after seconds, and when time goes back', () => {
  const seen = new PeopleSeen();
  seen.add({ index: 1, timeMs: 1_000 }, []);
  seen.add({ index: 2, timeMs: 6_000 }, []);
  expect([seen.around(1), seen.around(2)]).toEqual([[], []]);
  seen.add({ index: 3, timeMs: 6_001 }, []);
  expect(seen.around(1)).toBeNull();
  seen.add({ index: 4, timeMs: 500 }, [person(0.5)]);
  expect([seen.around(3), lefts(seen.around(4))]).toEqual([null, [0.5]]);
});
