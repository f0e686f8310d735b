import { describe, expect, test } from '@jest/globals';
import { adviseTills } from '../../src/waits/advise-tills.ts';
import { ArrivalsForecast, QUARTERS_A_DAY } from '../../src/waits/arrivals-forecast.ts';
import { PlanFutures, type StaffingScene } from '../../src/waits/plan-futures.ts';
import { TillPolicy } from '../../src/waits/till-policy.ts';

const TARGET = { waitSeconds: 180, share: 0.9 };
const scene = (changes: Partial<StaffingScene>): StaffingScene => ({
  ...{ waited: [], serving: [], openTills: 2, leastTills: 1, mostTills: 4, elapsed: 0 },
  arrivals: Array<number>(8).fill(20),
  service: (_, u) => -70 * Math.log(u),
  patience: (_, u) => -900 * Math.log(u),
  ...changes,
});
const advise = (changes: Partial<StaffingScene>) => adviseTills(scene(changes), TARGET);
const lateOf = (futures: PlanFutures, change: Parameters<PlanFutures['count']>[0]): number => {
  const { late, gaveUpLate } = futures.count(change, TARGET.waitSeconds);
  return late + gaveUpLate;
};

describe('the advice', () => {
  test('is to open a till before a rush, with one change, in time', () => {
    const { change, lateAsItIs, lateWithChange } = advise({
      openTills: 1,
      arrivals: [3, 3, 20, 20, 3, 3, 3, 3],
    });
    expect(change).toMatchObject({ tills: 1 });
    expect(change!.from).toBeGreaterThan(900);
    expect(change!.from).toBeLessThanOrEqual(2700);
    expect(lateAsItIs).toBeGreaterThan(0.1);
    expect(lateWithChange).toBeLessThanOrEqual(0.1);
  });

  test('is to open a till at once where the line is long', () => {
    const { change, lateAsItIs, lateWithChange } = advise({ waited: Array<number>(12).fill(60) });
    expect(change).toMatchObject({ from: 60 });
    expect(change!.tills).toBeGreaterThan(0);
    expect(change!.to).toBeGreaterThanOrEqual(660);
    expect(lateWithChange).toBeLessThan(lateAsItIs);
  });

  test('is to close one where one is enough', () => {
    const { change } = advise({ arrivals: Array<number>(8).fill(2) });
    expect(change).toMatchObject({ tills: -1, from: 0 });
    expect(change!.to).toBeGreaterThan(1800);
  });

  test.each([
    ['what is open is right', { serving: [20, 40], arrivals: Array<number>(8).fill(13) }],
    ['there is no other till', { openTills: 1, mostTills: 1, arrivals: [50, 50] }],
    ['nothing is planned', { arrivals: [] }],
    ['the planned time is over', { arrivals: [50], elapsed: 900 }],
  ])('is nothing where %s', (_, changes) => {
    expect(advise(changes).change).toBeNull();
  });

  test('a higher target opens no fewer tills', () => {
    const tills = (share: number) =>
      adviseTills(scene({ waited: [60, 60, 30, 10], serving: [10, 10] }), { waitSeconds: 120, share }).change
        ?.tills ?? 0;
    const opened = [0.5, 0.8, 0.9, 0.99].map(tills);
    expect(opened).toEqual(opened.toSorted((a, b) => a - b));
    expect(opened.at(-1)).toBeGreaterThan(0);
  });

  test('does not open a till that nobody has', () => {
    const { change } = advise({ arrivals: Array<number>(8).fill(200) });
    expect(change!.tills).toBeLessThanOrEqual(2);
  });

  test('counts who waits now and which services run, and more tills are never worse', () => {
    const crowd = new PlanFutures(scene({ waited: Array<number>(30).fill(60), arrivals: [5, 5] }));
    const one = lateOf(crowd, null);
    expect(one).toBeGreaterThan(100);
    expect(lateOf(crowd, { tills: 2, from: 0, to: 1800 })).toBeLessThan(one);
    const service = (elapsed: number) => (elapsed > 0 ? 600 : 30);
    const busy = new PlanFutures(scene({ serving: [10, 10], waited: [0], arrivals: [1], service }));
    expect(lateOf(busy, null)).toBeGreaterThan(30);
  });

  test('a till that closes for a time serves again after it', () => {
    const futures = new PlanFutures(scene({ openTills: 1, arrivals: [0, 0, 30], service: () => 20 }));
    const closed = lateOf(futures, { tills: -1, from: 0, to: 1800 });
    expect(closed).toBe(lateOf(futures, null));
    expect(lateOf(futures, { tills: -1, from: 0, to: 2400 })).toBeGreaterThan(closed);
  });
});

describe('the policy of tills', () => {
  const policyOf = (changes: Partial<StaffingScene>) => new TillPolicy(scene(changes), TARGET);

  test('opens for more people, closes for fewer, and leaves room between both', () => {
    const policy = policyOf({});
    for (const open of [1, 2, 3, 4]) {
      const changes = Array.from({ length: 60 }, (_, people) => policy.change(0, open, people));
      expect(changes).toEqual(changes.toSorted((a, b) => a - b));
      expect(changes[59]).toBe(Math.min(2, 4 - open));
      expect(changes[0]).toBe([1, 0, -1, -1][open - 1]);
      const still = changes.filter((change) => change === 0).length;
      if (open > 1) expect(still).toBeGreaterThan(3);
    }
  });

  test('opens before a rush for fewer people than without one, and closes none for a lull', () => {
    const rush = policyOf({ arrivals: [10, 45, 45, 45, 45] });
    const calm = policyOf({ arrivals: [10, 10, 10, 10, 10] });
    const opensAt = (policy: TillPolicy, minute: number) =>
      Array.from({ length: 60 }, (_, people) => people).find(
        (people) => policy.change(minute, 2, people) > 0,
      )!;
    expect(opensAt(rush, 13)).toBeLessThan(opensAt(calm, 13));
    expect(opensAt(rush, 13)).toBeLessThan(opensAt(rush, 0));
    expect(rush.change(13, 2, 0)).toBe(0);
    expect(calm.change(13, 2, 0)).toBe(-1);
  });

  test('opens all tills for a line that none can serve in time', () => {
    const policy = policyOf({ arrivals: Array<number>(5).fill(200) });
    for (const people of [10, 100, 1_000]) expect(policy.change(0, 3, people)).toBe(1);
    expect(policy.change(0, 4, 1_000)).toBe(0);
  });
});

describe('the forecast of arrivals', () => {
  const day = (weekday: number, people: number) => ({
    weekday,
    quarters: Array<number>(QUARTERS_A_DAY).fill(people),
  });

  test('knows the weekday, and shrinks what one day says', () => {
    const forecast = new ArrivalsForecast([day(0, 10), day(0, 10), day(1, 10), day(5, 40)]);
    expect(forecast.usual(5)[40]).toBeGreaterThan(20);
    expect(forecast.usual(5)[40]).toBeLessThan(40);
    expect(forecast.usual(0)[40]).toBeLessThan(forecast.usual(5)[40]!);
  });

  test('follows the level of today', () => {
    const forecast = new ArrivalsForecast([day(0, 10), day(0, 10)]);
    const rest = forecast.rest(0, Array<number>(40).fill(15));
    expect(rest).toHaveLength(56);
    expect(rest[0]).toBeGreaterThan(13.5);
    expect(rest[0]).toBeLessThan(15);
  });

  test('leaves out what nobody saw', () => {
    const half = { weekday: 0, quarters: day(0, 30).quarters.map((people, at) => (at < 48 ? people : null)) };
    const forecast = new ArrivalsForecast([day(0, 10), half]);
    expect(forecast.usual(0)[20]).toBe(20);
    expect(forecast.usual(0)[60]).toBe(10);
    const today = Array.from({ length: 60 }, (_, at) => (at < 48 ? null : 20));
    expect(forecast.rest(0, today)[0]).toBeGreaterThan(15);
  });

  test('expects nobody where no day is known', () => {
    expect(new ArrivalsForecast([]).rest(3, [])).toEqual(Array<number>(QUARTERS_A_DAY).fill(0));
  });
});
