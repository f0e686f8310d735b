import { describe, expect, test } from '@jest/globals';
import { RunTills } from '../../../src/metrics/tills/run-tills.ts';
import { tillNumbers, tillServices, tillsNow, tillWindow } from '../../../src/metrics/tills/till-numbers.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import { IDS, madeUpDay } from './made-up-day.ts';

test('every number is what visits and states say, recomputed over 10,000 made-up visits', () => {
  const { visits, seconds } = madeUpDay(1, 10_000);
  const numbers = tillNumbers(IDS, { visits, seconds, length: 86_400 });

  const count = (is: (second: TillSecond) => boolean) => seconds.filter(is).length;
  const openTime = seconds.reduce(
    (all, { states }) => all + states.filter((state) => state !== 'closed').length,
    0,
  );
  const servingTime = seconds.reduce(
    (all, { states }) => all + states.filter((state) => state === 'serving').length,
    0,
  );
  expect(numbers.avgOpenTills).toBeCloseTo(openTime / seconds.length, 3);
  expect(numbers.tillUtilization).toBeCloseTo(servingTime / openTime, 3);
  const isLost = ({ states, isWaitedFor }: TillSecond) =>
    IDS.some((_, till) => states[till] === 'free' && isWaitedFor[till]);
  expect(numbers.waitedWithFreeTillSeconds).toBe(count(isLost));
  IDS.forEach((id, at) => {
    const lengths = visits
      .filter(({ outcome }) => outcome === 'completed')
      .flatMap(({ services }) => services!.filter(({ tillId }) => tillId === id))
      .map(({ startedAtMs, endedAtMs }) => (endedAtMs! - startedAtMs) / 1000)
      .sort((a, b) => a - b);
    const rank = 0.9 * (lengths.length - 1);
    const p90 =
      lengths[Math.floor(rank)]! + (rank % 1) * (lengths[Math.ceil(rank)]! - lengths[Math.floor(rank)]!);
    const till = numbers.tills[at]!;
    expect(till.services).toBe(lengths.length);
    expect(till.avgServiceSeconds).toBeCloseTo(
      lengths.reduce((sum, one) => sum + one, 0) / lengths.length,
      3,
    );
    expect(till.p90ServiceSeconds).toBeCloseTo(p90, 3);
    expect(till).toMatchObject({
      servingSeconds: count(({ states }) => states[at] === 'serving'),
      freeSeconds: count(({ states }) => states[at] === 'free'),
      closedSeconds: count(({ states }) => states[at] === 'closed'),
      unknownSeconds: 86_400 - seconds.length,
    });
  });

  // What is stored by the quarter of an hour says the same.
  const run = new RunTills(IDS.map((id) => ({ id, name: id })));
  const sums = new Map(IDS.map((id) => [id, { serving: 0, free: 0, closed: 0, lost: 0 }]));
  for (let from = 0; from < seconds.length; from += 1_000) run.add(seconds.slice(from, from + 1_000));
  for (const row of run.take(null)) {
    const sum = sums.get(row.tillId)!;
    sum.serving += row.servingSeconds;
    sum.free += row.freeSeconds;
    sum.closed += row.closedSeconds;
    sum.lost += row.lostSeconds;
  }
  const stored = IDS.map((id) => sums.get(id)!);
  expect(stored.map(({ serving, free, closed }) => [serving, free, closed])).toEqual(
    numbers.tills.map(({ servingSeconds, freeSeconds, closedSeconds }) => [
      servingSeconds,
      freeSeconds,
      closedSeconds,
    ]),
  );
  expect(stored.reduce((all, { lost }) => all + lost, 0)).toBe(numbers.waitedWithFreeTillSeconds);
});

describe('where nothing is known', () => {
  test('no till, no service and no frame are null or nothing', () => {
    expect(tillsNow([])).toEqual({ serving: 0, free: 0 });
    expect(tillServices([])).toEqual({ services: 0, avgServiceSeconds: null, p90ServiceSeconds: null });
    const none = { servingSeconds: 0, freeSeconds: 0, closedSeconds: 0, lostSeconds: 0 };
    const unknown = { avgOpenTills: null, tillUtilization: null, waitedWithFreeTillSeconds: null };
    expect(tillWindow(none, 0)).toEqual(unknown);
    expect(tillWindow({ ...none, closedSeconds: 60 }, 60)).toEqual({
      ...{ avgOpenTills: 0, tillUtilization: null, waitedWithFreeTillSeconds: 0 },
    });
  });

  test('tills that serve and tills that are free are open', () => {
    const states = ['serving', 'free', 'closed', 'serving'] as const;
    expect(tillsNow(states.map((state) => ({ state })))).toEqual({ serving: 2, free: 1 });
  });
});
