import { describe, expect, test } from '@jest/globals';
import { WatchedShop } from '../../../scripts/evaluate/usual/watch-shop.ts';
import { planDay } from '../../../src/waits/day-plan.ts';
import { deviationsNow, isBack, type UsualMinute, unusualOf } from '../../../src/waits/usual/unusual-now.ts';
import { UsualDays, type UsualQuarter } from '../../../src/waits/usual/usual-days.ts';

const LOG = Math.log(60);
/** Four weeks with 30 people and services of a minute in each quarter from 9:00 to 17:00; nobody on Sundays. */
const QUARTERS: UsualQuarter[] = Array.from({ length: 28 * 96 }, (_, at) => {
  const [day, quarter] = [Math.floor(at / 96), at % 96];
  const arrivals = quarter >= 36 && quarter < 68 && day % 7 !== 0 ? 30 : 0;
  const services = arrivals;
  return {
    ...{ day: String(day), weekday: day % 7, quarter, arrivals, services },
    // Services swing by half.
    ...{ logSum: services * LOG, logSquares: services * (LOG ** 2 + 0.25), openTills: arrivals > 0 ? 3 : 0 },
  };
});
const USUAL = new UsualDays(QUARTERS);

/** The last 200 minutes before a time of a Tuesday; the last 20 of them are changed. */
function minutesBefore(hour: number, change: (minute: UsualMinute) => Partial<UsualMinute>, weekday = 2) {
  return Array.from({ length: 200 }, (_, at): UsualMinute => {
    const quarter = Math.floor((hour * 60 - 200 + at) / 15);
    const arrivals = quarter >= 36 && quarter < 68 && weekday !== 0 ? 2 : 0;
    const minute = {
      ...{ weekday, quarter, arrivals, services: arrivals, logSum: arrivals * LOG, openTills: 3 },
      ...{ isSeen: true, isUnusual: false },
    };
    return at < 180 ? minute : { ...minute, ...change(minute) };
  });
}
const metricsOf = (minutes: UsualMinute[]) =>
  unusualOf(deviationsNow(USUAL, minutes)).map((one) => one.metric);

describe('what of the last 20 minutes is unusual', () => {
  test.each([
    ['nothing', {}, []],
    ['twice as many people', { arrivals: 4 }, ['arrivals']],
    ['nobody', { arrivals: 0 }, ['arrivals']],
    ['services twice as long', { logSum: 2 * Math.log(120) }, ['serviceSeconds']],
    ['tills that nobody ever saw open', { openTills: 5 }, ['openTills']],
    ['a fifth more people, which may be chance', { arrivals: 2.4 }, []],
    ['minutes that the camera did not see', { arrivals: 9, isSeen: false }, []],
    ['tills that are not known', { openTills: null }, []],
  ] as const)('%s', (_, change, metrics) => {
    expect(metricsOf(minutesBefore(13, () => change))).toEqual(metrics);
  });

  test('people on a day on which nobody comes, and its usual silence', () => {
    expect(metricsOf(minutesBefore(13, () => ({ arrivals: 2 }), 0))).toContain('arrivals');
    expect(metricsOf(minutesBefore(13, () => ({ openTills: 0 }), 0))).toEqual([]);
  });

  test('the level of today counts, but not what was unusual', () => {
    const busy = minutesBefore(13, () => ({ arrivals: 4 }));
    const allDay = busy.map((minute) => ({ ...minute, arrivals: 4 }));
    expect(metricsOf(allDay)).toEqual([]);
    expect(metricsOf(allDay.map((minute) => ({ ...minute, isUnusual: true })))).toContain('arrivals');
    const known = deviationsNow(USUAL, busy);
    expect(isBack(known, ['arrivals'])).toBe(false);
    expect(isBack(known, ['openTills'])).toBe(true);
    expect(isBack([], ['arrivals'])).toBe(false);
  });

  test('nothing known gives nothing, and no rubbish', () => {
    const nothing = deviationsNow(
      new UsualDays([]),
      minutesBefore(13, () => ({})),
    );
    for (const { score, low, high } of nothing)
      expect([score, low, high].every((value) => Number.isFinite(value))).toBe(true);
    expect(deviationsNow(USUAL, [])).toEqual([]);
  });
});

test('an hour with half as many people more is found within 20 minutes in a made-up supermarket', () => {
  const from = (14 + 2) * 86_400 + 13 * 3600;
  const changes = [{ what: 'arrivals', times: 1.5, from, to: from + 3600 } as const];
  const notices = new WatchedShop('supermarket', 3, 14).watch(3, changes);
  expect(
    notices.some(({ at, metrics }) => at > from && at <= from + 1200 && metrics.includes('arrivals')),
  ).toBe(true);
  expect(notices.length).toBeLessThanOrEqual(3);
});

test('a plan has as many tills as each half hour needs, and none for a closed shop', () => {
  const arrivals = Array.from({ length: 96 }, (_, quarter) =>
    quarter >= 36 && quarter < 60 ? (quarter < 48 ? 5 : 30) : 0,
  );
  const services = { service: (elapsed: number) => Math.max(1, 60 - elapsed), patience: () => 1e6 };
  const plan = planDay({ arrivals, mostTills: 4, ...services }, { waitSeconds: 180, share: 0.9 });
  expect(plan.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, at) => 18 + at));
  expect(plan.slice(0, 6).every(({ tills }) => tills === 1)).toBe(true);
  expect(plan.slice(7).every(({ tills, lateShare }) => tills === 3 && lateShare <= 0.1)).toBe(true);
  const few = planDay({ arrivals, mostTills: 1, ...services }, { waitSeconds: 180, share: 0.9 });
  expect(few.at(-1)).toMatchObject({ tills: 1, people: 60 });
  expect(few.at(-1)!.lateShare).toBeGreaterThan(0.5);
});
