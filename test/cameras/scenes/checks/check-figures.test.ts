import { describe, expect, test } from '@jest/globals';
import { drawCheck } from '../../../../scripts/evaluate/checks/resample.ts';
import { type Compared, figuresOf, wilson } from '../../../../src/cameras/scenes/checks/check-figures.ts';
import { outdatedBy } from '../../../../src/cameras/scenes/checks/outdated.ts';
import { draw, momentOf, slotsOf } from '../../../../src/cameras/scenes/checks/sample-moments.ts';
import { openIn } from '../../../../src/cameras/sites/open-hours.ts';

/** So many stills with each pair of counts. */
const stills = (...pairs: readonly (readonly [times: number, ours: number, theirs: number])[]): Compared[] =>
  pairs.flatMap(([times, ours, theirs]) =>
    Array.from({ length: times }, () => ({ weight: 1, ours, theirs: [theirs] })),
  );

describe('figures of a check', () => {
  test.each([
    // Ranges by hand from Wilson's formula, as published tables have them.
    [39, 40, 87.1, 99.6],
    [40, 40, 91.2, 100],
    [0, 40, 0, 8.8],
    [10, 20, 29.9, 70.1],
  ])('the range of %d of %d', (right, all, from, to) => {
    const range = wilson(right / all, all);
    expect(range.from).toBeCloseTo(from, 1);
    expect(range.to).toBeCloseTo(to, 1);
  });

  test.each<[string, Compared[], object]>([
    ['always right', stills([40, 5, 5]), { exact: 100, within: 100, bias: 0, error: 0, goodFrom: 1 }],
    [
      'now and then one too few',
      stills([30, 5, 5], [10, 4, 5]),
      { exact: 75, within: 100, bias: -0.25, error: 5, goodFrom: 4 },
    ],
    [
      'often two too many',
      stills([20, 2, 2], [20, 4, 2]),
      { exact: 50, within: 50, bias: 1, error: 50, goodFrom: 8 },
    ],
    ['never near', stills([40, 9, 1]), { exact: 0, within: 0, bias: 8, error: 800, goodFrom: null }],
    ['nobody there', stills([40, 0, 0]), { exact: 100, within: 100, bias: 0, error: null, goodFrom: 1 }],
    [
      'too few stills for a promise',
      stills([3, 5, 5]),
      { exact: 100, within: 100, bias: 0, error: 0, goodFrom: null },
    ],
    [
      'two checkers who disagree count half each',
      [{ weight: 1, ours: 3, theirs: [3, 5] }],
      { exact: 50, within: 50, bias: -1, error: 25, goodFrom: null },
    ],
    [
      'a still that stands for three moments counts three times',
      [...stills([1, 3, 3]), { weight: 3, ours: 2, theirs: [3] }],
      { exact: 25, within: 100, bias: -0.75, error: 25, goodFrom: null },
    ],
  ])('%s', (_, compared, expected) => {
    const { exactPercent, withinOnePercent, bias, lengthErrorPercent, goodFrom } = figuresOf(compared)!;
    expect({
      ...{ exact: exactPercent.value, within: withinOnePercent.value, bias: bias.value },
      ...{ error: lengthErrorPercent, goodFrom },
    }).toEqual(expected);
    for (const { value, from, to } of [exactPercent, withinOnePercent, bias]) {
      expect(from).toBeLessThanOrEqual(value);
      expect(to).toBeGreaterThanOrEqual(value);
    }
    // The same stills have the same figures.
    expect(figuresOf(compared)).toEqual(figuresOf(compared));
  });

  test('of nothing are none', () => expect(figuresOf([])).toBeNull());
});

describe('moments of a check', () => {
  const plan = { startedAt: new Date(0), endsAt: new Date(3_600_000), wantedStills: 20, seed: 7 };

  test('lie one in each share of the time, and depend on the seed', () => {
    const moments = Array.from({ length: slotsOf(plan) }, (_, slot) => momentOf(plan, slot));
    expect(moments).toHaveLength(60);
    for (const [slot, moment] of moments.entries()) expect(Math.floor(moment / 60_000)).toBe(slot);
    expect(momentOf({ ...plan, seed: 8 }, 0)).not.toBe(moments[0]);
  });

  test('lie in open hours only, where there are some', () => {
    const open = [
      { fromMs: 600_000, toMs: 1_200_000 },
      { fromMs: 3_000_000, toMs: 3_600_000 },
    ];
    const moments = Array.from({ length: 60 }, (_, slot) => momentOf({ ...plan, open }, slot));
    for (const [slot, moment] of moments.entries()) {
      const fromMs = slot < 30 ? 600_000 + slot * 20_000 : 3_000_000 + (slot - 30) * 20_000;
      expect([slot, Math.floor((moment - fromMs) / 20_000)]).toEqual([slot, 0]);
    }
    expect(momentOf({ ...plan, open: [] }, 5)).toBe(momentOf(plan, 5));
  });

  test.each([
    ['forward', Date.UTC(2026, 2, 28, 12), ['00:00', '02:00'], 2],
    ['back', Date.UTC(2026, 9, 24, 12), ['23:00', '03:00'], 4],
  ])('of a night in which the clock goes %s lie in each of its open hours', (_, fromMs, ends, hours) => {
    const always = [1, 2, 3, 4, 5, 6, 7];
    const site = { windows: [{ days: always, start: '01:00', end: '04:00' }], exceptions: [] };
    const night = { fromMs, toMs: fromMs + 86_400_000 };
    const open = openIn([{ hours: site, timezone: 'Europe/Berlin' }], night)!;
    const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    expect(open.map((span) => [clock(span.fromMs), clock(span.toMs)])).toEqual([ends]);
    const check = { ...plan, startedAt: new Date(night.fromMs), endsAt: new Date(night.toMs), open };
    const moments = Array.from({ length: 60 }, (_, slot) => momentOf(check, slot));
    const inHour = (moment: number) => Math.floor((moment - open[0]!.fromMs) / 3_600_000);
    expect(new Set(moments.map(inHour))).toEqual(new Set(Array.from({ length: hours }, (_, at) => at)));
  });

  test('a moment of change is kept twice as often, and counts half', () => {
    const kept = [0, 0];
    for (let seed = 0; seed < 1_000; seed++) {
      const first = draw({ weightSum: 0 }, false, { ...plan, seed }, 0);
      const second = draw(first, true, { ...plan, seed }, 1);
      expect(first).toEqual({ weightSum: 1, drawWeight: 1, isKept: true });
      expect(second).toMatchObject({ weightSum: 3, drawWeight: 2 });
      kept[second.isKept ? 1 : 0]! += 1;
    }
    expect(kept[1]! / 1_000).toBeCloseTo(2 / 3, 1);
  });

  test('weighted figures are those of a random moment although changes are kept more often', () => {
    // Our count lags behind: it is wrong in the second after each change, in 10 % of the time.
    const seconds = Array.from({ length: 3_600 }, (_, s) => {
      const theirs = Math.floor(s / 10) % 2;
      return { theirs, ours: s % 10 === 0 ? 1 - theirs : theirs };
    });
    const checks = Array.from({ length: 400 }, (_, seed) => drawCheck(seconds, 40, seed));
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    const right = checks.map((one) =>
      sum(one.map(({ weight, ours, theirs }) => (ours === theirs[0] ? weight : 0))),
    );
    const all = checks.map((one) => sum(one.map(({ weight }) => weight)));
    expect(Math.abs(sum(right) / sum(all) - 0.9)).toBeLessThan(0.01);
  });
});

const zonesOf = (right: number) => {
  const points = [
    [0, 0],
    [right, 0],
    [right, 1],
  ];
  return { queueZone: { type: 'polygon', points } };
};
const [AROUND, BESIDE] = [zonesOf(1), zonesOf(0.5)];
test.each([
  ['the same', AROUND, AROUND, [], null],
  ['other zones', AROUND, BESIDE, [], 'zones_changed'],
  [
    'a moved view',
    AROUND,
    AROUND,
    [{ reason: 'view_changed', since: '2026-11-02T00:00:00.000Z' }],
    'view_changed',
  ],
  [
    'a view that had moved before',
    AROUND,
    AROUND,
    [{ reason: 'view_changed', since: '2026-10-02T00:00:00.000Z' }],
    null,
  ],
  ['another warning', AROUND, AROUND, [{ reason: 'overloaded', since: '2026-11-02T00:00:00.000Z' }], null],
])('a check of %s', (_, zones, now, warnings, expected) => {
  const since = new Date('2026-11-01T00:00:00.000Z');
  expect(outdatedBy({ zones, config: { zones: now }, warnings, since })).toBe(expected);
});
