import { expect, test } from '@jest/globals';
import { existing, firstOf, itemAt, lastOf } from '../../src/catalogue/items/items.ts';

test('items and values that are there are given, null and zero too', () => {
  const list = [0, null, 7];
  expect([firstOf(list), itemAt(list, 1), lastOf(list)]).toEqual([0, null, 7]);
  expect(itemAt(Uint8Array.of(1, 2), 1)).toBe(2);
  expect([existing(0, 'number'), existing('', 'text'), existing(false, 'answer')]).toEqual([0, '', false]);
});

test('what is missing fails at once, and is named', () => {
  expect(() => firstOf([])).toThrow(new RangeError('There is no item 0 in a list of 0'));
  expect(() => lastOf([])).toThrow(RangeError);
  for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => itemAt([1, 2], index)).toThrow(RangeError);
  for (const nothing of [null, undefined])
    expect(() => existing(nothing, 'zone')).toThrow('There is no zone');
});
