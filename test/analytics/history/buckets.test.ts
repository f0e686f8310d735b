import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import {
  BUCKETS,
  type Bucket,
  bucketEdges,
  cut,
  cutByDefault,
  cutShortest,
  longestRange,
  MAX_POINTS,
} from '../../../src/analytics/history/buckets.ts';
import { fc } from '../../support/property.ts';

const HOUR_MS = 3_600_000;
const at = (text: string, zone = 'UTC') => DateTime.fromISO(text, { zone }).toMillis();
const edgesOf = (bucket: Bucket, from: string, to: string, timezone: string) =>
  bucketEdges(bucket, { fromMs: at(from), toMs: at(to), timezone });
const local = (edges: readonly number[], timezone: string) =>
  edges.map((edge) => DateTime.fromMillis(edge, { zone: timezone }).toFormat('dd HH:mm'));
const hoursOf = (edges: readonly number[]) =>
  edges.slice(1).map((edge, index) => (edge - edges[index]!) / HOUR_MS);

describe('buckets on the nights on which clocks change', () => {
  test('the hour that Berlin repeats is two buckets, and the hour that it skips is none', () => {
    const autumn = edgesOf('1h', '2026-10-24T23:00Z', '2026-10-25T03:00Z', 'Europe/Berlin');
    expect(local(autumn, 'Europe/Berlin')).toEqual([
      '25 01:00',
      '25 02:00',
      '25 02:00',
      '25 03:00',
      '25 04:00',
    ]);
    const spring = edgesOf('1h', '2026-03-28T23:00Z', '2026-03-29T03:00Z', 'Europe/Berlin');
    expect(local(spring, 'Europe/Berlin')).toEqual([
      '29 00:00',
      '29 01:00',
      '29 03:00',
      '29 04:00',
      '29 05:00',
    ]);
  });

  test('days have 23 and 25 hours, parts of days and weeks change with them', () => {
    expect(hoursOf(edgesOf('1d', '2026-10-24T12:00Z', '2026-10-26T12:00Z', 'Europe/Berlin'))).toEqual([
      24, 25, 24,
    ]);
    expect(hoursOf(edgesOf('1d', '2026-03-28T12:00Z', '2026-03-30T12:00Z', 'Europe/Berlin'))).toEqual([
      24, 23, 24,
    ]);
    expect(hoursOf(edgesOf('3h', '2026-10-24T22:00Z', '2026-10-25T05:00Z', 'Europe/Berlin'))).toEqual([4, 3]);
    expect(hoursOf(edgesOf('6h', '2026-03-28T23:00Z', '2026-03-29T10:00Z', 'Europe/Berlin'))).toEqual([5, 6]);
    expect(hoursOf(edgesOf('1w', '2026-10-21T00:00Z', '2026-10-22T00:00Z', 'Europe/Berlin'))).toEqual([169]);
    expect(hoursOf(edgesOf('1mo', '2026-10-21T00:00Z', '2026-10-22T00:00Z', 'Europe/Berlin'))).toEqual([
      31 * 24 + 1,
    ]);
  });

  test('Lord Howe changes its clocks by half an hour', () => {
    const zone = 'Australia/Lord_Howe';
    // At 02:00 the clock goes back to 01:30: the hour from 01:00 lasts 90 minutes.
    const autumn = { from: '2026-04-04T14:00Z', to: '2026-04-04T16:30Z' };
    expect(hoursOf(edgesOf('1h', autumn.from, autumn.to, zone))).toEqual([1.5, 1]);
    expect(local(edgesOf('30m', autumn.from, autumn.to, zone), zone)).toEqual([
      ...['05 01:00', '05 01:30', '05 01:30', '05 02:00', '05 02:30', '05 03:00'],
    ]);
    // At 02:00 the clock goes on to 02:30.
    expect(hoursOf(edgesOf('1h', '2026-10-03T14:30Z', '2026-10-03T16:30Z', zone))).toEqual([1, 0.5, 1]);
    expect(hoursOf(edgesOf('1d', '2026-10-03T14:00Z', '2026-10-03T15:00Z', zone))).toEqual([23.5]);
  });

  test('a day is one bucket where midnight comes twice or never', () => {
    // Havana goes from 01:00 back to 00:00; Santiago from 24:00 on to 01:00, and back to 23:00 of the same day.
    expect(hoursOf(edgesOf('1d', '2026-11-01T03:00Z', '2026-11-02T06:00Z', 'America/Havana'))).toEqual([
      24, 25, 24,
    ]);
    expect(hoursOf(edgesOf('1d', '2026-09-05T12:00Z', '2026-09-07T12:00Z', 'America/Santiago'))).toEqual([
      24, 23, 24,
    ]);
    expect(hoursOf(edgesOf('1d', '2026-04-04T12:00Z', '2026-04-06T12:00Z', 'America/Santiago'))).toEqual([
      25, 24, 24,
    ]);
    // St. John's went from 00:01 back to 23:01 of the day before.
    expect(hoursOf(edgesOf('1d', '2010-11-06T12:00Z', '2010-11-07T12:00Z', 'America/St_Johns'))).toEqual([
      24, 25,
    ]);
    // Samoa left out 30 December 2011.
    expect(
      local(edgesOf('1d', '2011-12-29T12:00Z', '2011-12-31T00:00Z', 'Pacific/Apia'), 'Pacific/Apia'),
    ).toEqual([...['29 00:00', '31 00:00', '01 00:00']]);
  });

  test('zones with 45 minutes have their own hours', () => {
    const edges = edgesOf('1h', '2026-06-01T00:00Z', '2026-06-01T01:00Z', 'Asia/Kathmandu');
    expect(edges.map((edge) => new Date(edge).toISOString().slice(11, 16))).toEqual([
      '23:15',
      '00:15',
      '01:15',
    ]);
  });
});

describe('buckets of a range', () => {
  test('a range that begins and ends with buckets gets exactly those', () => {
    expect(edgesOf('1h', '2026-01-01T00:00Z', '2026-01-01T02:00Z', 'UTC')).toHaveLength(3);
    expect(edgesOf('1h', '2026-01-01T00:00:00.001Z', '2026-01-01T02:00:00.001Z', 'UTC')).toHaveLength(4);
    expect(edgesOf('1w', '2026-11-23T00:00Z', '2026-11-30T00:00Z', 'UTC')).toEqual([
      at('2026-11-23'),
      at('2026-11-30'),
    ]);
  });

  test('a bucket is chosen by the length of the range', () => {
    const chosen = (days: number) => {
      const toMs = at('2026-11-23T11:22Z');
      return cutByDefault({ fromMs: toMs - days * 24 * HOUR_MS, toMs, timezone: 'Europe/Berlin' })?.bucket;
    };
    expect([1 / 24, 0.25, 1, 7, 30, 90, 365, 3650, 36_500].map(chosen)).toEqual([
      ...['1m', '1m', '5m', '30m', '3h', '6h', '1d', '1mo', '1mo'],
    ]);
    expect(chosen(400_000)).toBeUndefined();
  });

  test('a bucket that gives too many points does not fit', () => {
    const range = { fromMs: at('2026-01-01'), toMs: at('2026-01-31'), timezone: 'UTC' };
    expect(cut('30m', range)?.edges).toHaveLength(1441);
    expect(cut('15m', range)).toBeUndefined();
    expect(cutShortest(range)?.bucket).toBe('30m');
    expect(cut('1m', { ...range, toMs: at('2900-01-01') })).toBeUndefined();
  });
});

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Chatham'],
  ...[
    'America/Havana',
    'America/Santiago',
    'America/St_Johns',
    'Africa/Casablanca',
    'Pacific/Apia',
    'Asia/Tehran',
  ],
];

test('buckets of any range adjoin, cover it, start by the clock on the wall, and fit if they are longest', () => {
  const range = fc.record({
    zone: fc.constantFrom(...ZONES),
    bucket: fc.constantFrom(...BUCKETS),
    fromMs: fc.integer({ min: at('2000-01-02'), max: at('2037-12-31') }),
    points: fc.double({ min: 0.01, max: 300, noNaN: true }),
  });
  const lengths: Record<Bucket, number> = {
    ...{ '1m': 60_000, '5m': 300_000, '15m': 900_000, '30m': 1_800_000, '1h': HOUR_MS, '3h': 3 * HOUR_MS },
    ...{ '6h': 6 * HOUR_MS, '1d': 24 * HOUR_MS, '1w': 168 * HOUR_MS, '1mo': 730 * HOUR_MS },
  };
  fc.assert(
    fc.property(range, ({ zone, bucket, fromMs, points }) => {
      const length = lengths[bucket];
      const toMs = fromMs + Math.max(1, Math.round(points * length));
      const edges = bucketEdges(bucket, { fromMs, toMs, timezone: zone });
      expect(edges[0]).toBeLessThanOrEqual(fromMs);
      expect(edges[1]).toBeGreaterThan(fromMs);
      expect(edges.at(-1)).toBeGreaterThanOrEqual(toMs);
      expect(edges.at(-2)).toBeLessThan(toMs);
      for (const [index, edge] of edges.entries()) {
        if (index > 0) expect(edge).toBeGreaterThan(edges[index - 1]!);
        const clock = DateTime.fromMillis(edge, { zone });
        const before = DateTime.fromMillis(edge - 1, { zone });
        // By the clock on the wall, or at the moment at which it changes.
        if (clock.offset !== before.offset) continue;
        const minutes = clock.hour * 60 + clock.minute;
        expect(clock.second * 1000 + clock.millisecond).toBe(0);
        expect(minutes % Math.min(length / 60_000, 1440)).toBe(0);
        if (bucket === '1w') expect(clock.weekday).toBe(1);
        if (bucket === '1mo') expect(clock.day).toBe(1);
      }
    }),
  );
  const hours = Number(/\d+/.exec(longestRange('1m'))![0]);
  const start = at('2026-01-01T00:00:30Z');
  expect(cut('1m', { fromMs: start, toMs: start + hours * HOUR_MS, timezone: 'UTC' })).toBeDefined();
  expect(MAX_POINTS).toBe(1500);
});
