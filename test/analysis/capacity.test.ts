import { expect, test } from '@jest/globals';
import { measuredCapacity } from '../../src/analysis/capacity.ts';

test.each([
  [1, 25, 5],
  [4, 25, 22],
  [1, 10, 14],
  [1, 500, 1],
])('%i lanes that take %i ms a frame: %i cameras', (lanes, msPerFrame, cameras) => {
  expect(measuredCapacity(lanes, msPerFrame)).toBe(cameras);
});
