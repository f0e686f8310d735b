import { describe, expect, test } from '@jest/globals';
import { adviseTills, countPlan, type StaffingScene } from '../../src/waits/advise-tills.ts';
import { ArrivalsForecast, QUARTERS_A_DAY } from '../../src/waits/arrivals-forecast.ts';

const scene = (changes: Partial<StaffingScene>): StaffingScene => ({
  ...{ waited: [], openTills: 2, leastTills: 1, mostTills: 4, arrivals: Array<number>(8).fill(20) },
  service: (u) => -70 * Math.log(u),
  patience: (u) => -900 * Math.log(u),
  target: { waitSeconds: 180, share: 0.9 },
  ...changes,
});

describe('the advice', () => {
  test('is to open a till around a rush, with one change', () => {
    const arrivals = [10, 10, 28, 28, 28, 10, 10, 10];
    const { change, lateAsItIs, lateWithChange } = adviseTills(scene({ arrivals }));
    expect(change).toMatchObject({ tills: 1 });
    expect(change!.from).toBeLessThanOrEqual(3);
    expect(change!.to).toBeGreaterThanOrEqual(3);
    expect(lateAsItIs).toBeGreaterThan(0.1);
    expect(lateWithChange).toBeLessThanOrEqual(0.1);
  });

  test('is to close one where one is enough', () => {
    const { change } = adviseTills(scene({ arrivals: Array<number>(8).fill(2) }));
    expect(change).toEqual({ tills: -1, from: 0, to: 8 });
  });

  test('is nothing where it is right, or where nothing helps', () => {
    expect(adviseTills(scene({ arrivals: Array<number>(8).fill(18) })).change).toBeNull();
    expect(adviseTills(scene({ openTills: 1, mostTills: 1, arrivals: [50, 50] })).change).toBeNull();
    expect(adviseTills(scene({ arrivals: [] })).change).toBeNull();
  });

  test('does not open a till that nobody has', () => {
    const { change } = adviseTills(scene({ arrivals: Array<number>(8).fill(200) }));
    expect(change!.tills).toBeLessThanOrEqual(2);
  });

  test('counts who waits now, and more tills are never worse', () => {
    const crowd = scene({ waited: Array<number>(30).fill(60), arrivals: [5, 5] });
    const late = ({ late: served, gaveUpLate }: { late: number; gaveUpLate: number }) => served + gaveUpLate;
    const one = late(countPlan(crowd, null));
    expect(one).toBeGreaterThan(100);
    expect(late(countPlan(crowd, { tills: 2, from: 0, to: 2 }))).toBeLessThan(one);
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

  test('expects nobody where no day is known', () => {
    expect(new ArrivalsForecast([]).rest(3, [])).toEqual(Array<number>(QUARTERS_A_DAY).fill(0));
  });
});
