import { describe, expect, test } from '@jest/globals';
import { addMonths, filled, fullness, outlook, parseMonth } from '../../src/page/usage/meters.ts';

describe('meters', () => {
  test.each([
    [{ used: 5, limit: null, isExceeded: false }, 'unlimited'],
    [{ used: 79, limit: 100, isExceeded: false }, 'fine'],
    [{ used: 80, limit: 100, isExceeded: false }, 'near'],
    [{ used: 100, limit: 100, isExceeded: true }, 'full'],
    [{ used: 130, limit: 100, isExceeded: true }, 'full'],
    [{ used: 0, limit: 0, isExceeded: true }, 'full'],
  ])('%j is %s', (usage, expected) => expect(fullness(usage)).toBe(expected));

  test.each([
    [50, 100, 0.5],
    [150, 100, 1],
    [-5, 100, 0],
    [0, 0, 1],
  ])('%d of %d fills %d', (used, limit, share) => expect(filled(used, limit)).toBe(share));
});

describe('a forecast', () => {
  const asOf = '2026-11-20T00:00:00.000Z';
  test.each([
    [{ projected: 9, limit: null, projectedExceedAt: null }, { kind: 'unlimited' }],
    [
      { projected: 9, limit: 10, projectedExceedAt: null },
      { kind: 'lasts', share: 0.9 },
    ],
    [
      { projected: 0, limit: 0, projectedExceedAt: null },
      { kind: 'lasts', share: 0 },
    ],
    [{ projected: 19, limit: 10, projectedExceedAt: asOf }, { kind: 'reached' }],
    [
      { projected: 19, limit: 10, projectedExceedAt: '2026-11-27T08:00:00.000Z' },
      { kind: 'ends', at: '2026-11-27T08:00:00.000Z' },
    ],
  ])('%j says %j', (forecast, said) => expect(outlook(forecast, asOf)).toEqual(said));
});

describe('months', () => {
  test.each([
    ['2026-11', -1, '2026-10'],
    ['2026-01', -1, '2025-12'],
    ['2026-12', 1, '2027-01'],
  ])('%s and %d is %s', (month, months, result) => expect(addMonths(month, months)).toBe(result));

  test.each([
    ['2026-10', '2026-10'],
    ['2026-11', undefined],
    ['2026-13', undefined],
    ['1999-12', undefined],
    ['<b>', undefined],
    [null, undefined],
  ])('%p of an address is %p in 2026-11', (text, month) => expect(parseMonth(text, '2026-11')).toBe(month));
});
