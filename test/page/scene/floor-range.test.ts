import { describe, expect, test } from '@jest/globals';
import { type FloorChoice, type FloorSpan, floorRange } from '../../../src/page/scene/floor/floor-range.ts';

const NOW = Date.UTC(2026, 9, 25, 23, 20);
const rangeOf = (choice: Partial<FloorChoice> & { span: FloorSpan }) => {
  const range = floorRange({ first: '', last: '', ...choice }, { nowMs: NOW, timezone: 'Europe/Berlin' });
  if (typeof range === 'string') return range;
  return [range.fromMs, range.toMs].map((ms) => new Date(ms).toISOString().slice(0, 13));
};

describe('the range of a floor map', () => {
  // In Berlin it is 00:20 on Monday; the Sunday before had 25 hours.
  test.each<[FloorSpan, string[]]>([
    ['hour', ['2026-10-25T22', '2026-10-26T00']],
    ['today', ['2026-10-25T23', '2026-10-26T00']],
    ['yesterday', ['2026-10-24T22', '2026-10-25T23']],
    ['week', ['2026-10-19T22', '2026-10-26T00']],
    ['month', ['2026-09-26T22', '2026-10-26T00']],
  ])('%s', (span, expected) => expect(rangeOf({ span })).toEqual(expected));

  test('of dates holds both', () => {
    expect(rangeOf({ span: 'dates', first: '2026-10-25', last: '2026-10-25' })).toEqual([
      '2026-10-24T22',
      '2026-10-25T23',
    ]);
  });

  test.each([
    ['', '2026-10-25', 'incomplete'],
    ['2026-10-25', '', 'incomplete'],
    ['2026-10-25', '2026-10-23', 'reversed'],
    ['2025-01-01', '2026-10-23', 'tooLong'],
  ])('from %p to %p is %s', (first, last, fault) =>
    expect(rangeOf({ span: 'dates', first, last })).toBe(fault),
  );
});
