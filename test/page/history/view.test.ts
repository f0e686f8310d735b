import { describe, expect, test } from '@jest/globals';
import {
  BUCKETS,
  bucketFor,
  bucketsFor,
  CHARTS,
  COMPARISONS,
  earlierSpan,
  LENGTHS,
  moved,
  OUTCOMES,
  parseView,
  placeOf,
  rangeOf,
  TABS,
  type View,
  viewQuery,
} from '../../../src/page/history/view.ts';
import { fc } from '../../support/property.ts';

const BERLIN = 'Europe/Berlin';
const NOW = Date.parse('2026-11-23T22:30:00Z');
const DAY_MS = 86_400_000;
const iso = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  [fromMs, toMs].map((ms) => new Date(ms).toISOString());
const usual = parseView('');

const dates = fc
  .integer({ min: Date.UTC(2001, 0), max: Date.UTC(2100, 0) })
  .map((ms) => new Date(ms).toISOString().slice(0, 10));
const views: fc.Arbitrary<View> = fc.record({
  tab: fc.constantFrom(...TABS),
  chart: fc.constantFrom(...CHARTS),
  length: fc.constantFrom(...LENGTHS),
  lastDay: fc.option(dates, { nil: undefined }),
  span: fc.option(
    fc
      .tuple(fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2100, 0) }), fc.integer({ min: 1, max: 9e9 }))
      .map(([fromMs, length]) => ({ fromMs, toMs: fromMs + length })),
    { nil: undefined },
  ),
  compare: fc.constantFrom(...COMPARISONS),
  bucket: fc.option(fc.constantFrom(...BUCKETS), { nil: undefined }),
  metric: fc.constantFrom(undefined, 'avgInQueue', 'p90WaitSeconds'),
  outcome: fc.option(fc.constantFrom(...OUTCOMES), { nil: undefined }),
});

describe('an address', () => {
  test('leads back to its view', () => {
    fc.assert(fc.property(views, (view) => expect(parseView(viewQuery(view))).toEqual(view)));
  });

  test('that says nothing is today, beside the week before', () => {
    expect(usual).toMatchObject({ tab: 'curves', length: 1, lastDay: undefined, compare: 7 });
    expect(placeOf({ kind: 'site', id: 'abc' }, usual)).toBe('/history/sites/abc');
  });

  test.each([
    'tab=%3Cscript%3E&days=900&to=2026-02-30&compare=3&bucket=1s&outcome=happy',
    'from=2026-01-02&until=2026-01-01',
    'from=1970-01-01&until=2026-01-01',
    'to=1999-01-01',
    'to=9999-99-99&from=x&until=y',
  ])('with faults is the usual one: %s', (query) => expect(parseView(query)).toEqual(usual));

  test('of any text can be read', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(TABS).toContain(parseView(text).tab)));
  });
});

describe('the range of a view', () => {
  test('is today by the clock of the camera, not of the browser', () => {
    // 23:30 in Berlin on the 23rd; 01:30 on the 24th.
    expect(iso(rangeOf(usual, BERLIN, NOW))).toEqual([
      '2026-11-22T23:00:00.000Z',
      '2026-11-23T23:00:00.000Z',
    ]);
    expect(rangeOf(usual, BERLIN, NOW + 7_200_000).lastDay).toBe('2026-11-24');
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('of %s in Berlin has %d hours', (lastDay, hours) => {
    const { fromMs, toMs } = rangeOf({ ...usual, lastDay }, BERLIN, NOW);
    expect((toMs - fromMs) / 3_600_000).toBe(hours);
  });

  test('of several days ends with the last one', () => {
    const { firstDay, lastDay } = rangeOf({ ...usual, length: 7, lastDay: '2026-11-20' }, BERLIN, NOW);
    expect([firstDay, lastDay]).toEqual(['2026-11-14', '2026-11-20']);
  });

  test('a week earlier has the same times of day', () => {
    const now = rangeOf({ ...usual, lastDay: '2026-10-27' }, BERLIN, NOW);
    expect(iso(earlierSpan(now, BERLIN, 7))).toEqual([
      '2026-10-19T22:00:00.000Z',
      '2026-10-20T22:00:00.000Z',
    ]);
  });

  test('moves by its length and stops at today', () => {
    const earlier = moved({ ...usual, length: 7 }, -1, '2026-11-23');
    expect(earlier.lastDay).toBe('2026-11-16');
    expect(moved(earlier, 1, '2026-11-23').lastDay).toBeUndefined();
  });
});

describe('buckets', () => {
  test.each([
    [1, '15m'],
    [7, '1h'],
    [30, '3h'],
  ])('of %d days are %s long', (days, bucket) => {
    expect(bucketFor({ fromMs: 0, toMs: days * DAY_MS }, undefined)).toBe(bucket);
  });

  test('are the chosen ones where these fit', () => {
    const month = { fromMs: 0, toMs: 30 * DAY_MS };
    expect(bucketFor(month, '1d')).toBe('1d');
    expect(bucketFor(month, '1m')).toBe('3h');
    expect(bucketsFor(month)).toEqual(['1h', '3h', '6h', '1d']);
  });

  test('fit any range that an address can name', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40_000 * DAY_MS }), (length) => {
        expect(bucketsFor({ fromMs: 0, toMs: length }).length).toBeGreaterThan(0);
      }),
    );
  });
});
