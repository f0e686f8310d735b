import { describe, expect, test } from '@jest/globals';
import { numbersOf, worstFirst } from '../../../src/page/history/compared-places.ts';
import { EDGES, equalBins } from '../../../src/page/history/equal-bins.ts';
import { leadOf } from '../../../src/page/history/lead.ts';
import { history as de } from '../../../src/page/text/de/history.ts';
import { history as en } from '../../../src/page/text/en/history.ts';
import { fc } from '../../support/property.ts';

describe('what happened, in a sentence', () => {
  const told = {
    totals: { arrivals: 1391, abandonmentRate: 0.063 },
    waits: { p50Seconds: 75, p90Seconds: 146 },
    change: 2.2,
    compare: 7,
    isSoFar: false,
  } as const;
  const nothing = { arrivals: null, abandonmentRate: null };
  const unknown = { p50Seconds: null, p90Seconds: null };
  test.each([
    [
      told,
      '1,391 people arrived, 2% more than in the week before. Half waited less than 1 min 15 s, 9 of 10 less than 2 min 26 s. 6.3% gave up.',
    ],
    [
      { ...told, change: -0.4, waits: unknown },
      '1,391 people arrived, as many as in the week before. 6.3% gave up.',
    ],
    [
      { ...told, compare: 28, change: -50, isSoFar: true, waits: unknown },
      '1,391 people arrived so far, 50% fewer than four weeks before. 6.3% gave up.',
    ],
    [
      { ...told, change: null, totals: { arrivals: 1, abandonmentRate: null }, waits: unknown },
      '1 person arrived.',
    ],
    [{ ...told, totals: nothing, waits: unknown }, ''],
  ] as const)('%#', (given, words) => {
    expect(leadOf(given, en, 'en-GB')).toBe(words);
  });

  test('in German', () => {
    expect(leadOf({ ...told, isSoFar: true }, de, 'de')).toMatch(
      /^Bisher kamen 1\.391 Personen, 2\s% mehr als in der Woche davor\. Die Hälfte wartete weniger als/,
    );
  });
});

describe('bins of waits', () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 60 });
  const binned = (waits: readonly number[]) =>
    [0, ...EDGES].map((fromSeconds, at) => {
      const toSeconds = EDGES[at] ?? null;
      const isWithin = (wait: number) =>
        wait >= fromSeconds && wait < (toSeconds ?? Number.POSITIVE_INFINITY);
      return { fromSeconds, toSeconds, count: waits.filter(isWithin).length };
    });
  test('are equally wide but for the last without an end, few, and hold everybody', () => {
    fc.assert(
      fc.property(seconds, (waits) => {
        const bins = equalBins(binned(waits), Math.max(...waits));
        const widths = bins.flatMap(({ fromSeconds, toSeconds }) =>
          toSeconds === null ? [] : [toSeconds - fromSeconds],
        );
        expect(new Set(widths).size).toBeLessThanOrEqual(1);
        expect(bins.length).toBeLessThanOrEqual(14);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(waits.length);
      }),
    );
  });
});

test('areas of a site are compared: the longest waits first, what was not measured last', () => {
  const waits = (p90Seconds: number | null, share: number | null) => ({
    p90Seconds,
    longerThan: [
      { seconds: 60, share: 1 },
      { seconds: 180, share },
    ],
  });
  const series = { arrivals: [3, null], completed: [2, 1], abandoned: [1, null], avgInQueue: [1, 2] };
  const short = { ...numbersOf(series, { waits: waits(60, 0.25) } as never) };
  const long = { ...numbersOf(series, { waits: waits(90, 0.5) } as never) };
  const none = {
    ...numbersOf(
      { arrivals: [null], completed: [null], abandoned: [null], avgInQueue: [null] },
      { waits: null, serviceLevel: null },
    ),
  };
  expect(short).toMatchObject({ arrivals: 3, within: 0.75, abandonmentRate: 0.25 });
  expect(none).toMatchObject({ arrivals: null, p90Seconds: null, within: null, abandonmentRate: null });
  expect(worstFirst([none, short, long])).toEqual([long, short, none]);
});
