import { expect, test } from '@jest/globals';
import { inOrder, turnOf } from '../../../src/page/wall/wall-order.ts';

test('tiles stand in the order of their names, numbers as numbers', () => {
  const names = ['Till 10', 'till 2', 'Bakery', 'Till 1'];
  expect(inOrder(names, String)).toEqual(['Bakery', 'Till 1', 'till 2', 'Till 10']);
});

test.each([
  [0, 0, 0, 0],
  [9, 99_000, 0, 9],
  [12, 0, 0, 9],
  [12, 15_000, 9, 12],
  [12, 30_000, 0, 9],
  [19, 44_999, 18, 19],
])('of %i tiles at %i ms those from %i to %i are shown', (count, nowMs, from, to) => {
  expect(turnOf(count, nowMs)).toEqual({ from, to });
});
