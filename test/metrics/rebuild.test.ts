import { describe, expect, test } from '@jest/globals';
import type { Metrics } from '../../src/catalogue/metrics/all.ts';
import { WINDOWS } from '../../src/catalogue/metrics/all.ts';
import type { OccupancyMinute } from '../../src/metrics/occupancy.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import type { QueueZones, Visit } from '../../src/vision/types.ts';
import { addService, countService, NO_SERVICE, type ServiceCounts } from '../../src/waits/service-level.ts';
import { dearCases, fc } from '../support/property.ts';
import { type Person, path, walkInto } from './shop-day.ts';

const SQUARE = {
  type: 'polygon' as const,
  points: [
    [0, 0],
    [1, 0],
    [1, 1],
  ] as [number, number][],
};
const ZONES: QueueZones = { queueZone: SQUARE, checkoutZone: SQUARE };

const day = fc.array(
  fc.record({
    arrivesAt: fc.integer({ min: 0, max: 4000 }),
    waits: fc.integer({ min: 3, max: 300 }),
    served: fc.integer({ min: 3, max: 200 }),
    outcome: fc.constantFrom('completed' as const, 'abandoned' as const, 'lost' as const),
    // Somebody changes it in between.
    targetSeconds: fc.constantFrom(null, 60, 180),
  }),
  { maxLength: 60 },
);

/** The service level of people, each by the target of the moment. */
const levelOf = (people: readonly Person[]): ServiceCounts =>
  people
    .flatMap(({ outcome, waits, targetSeconds = null }) =>
      targetSeconds === null ? [] : [countService([{ outcome, waitSeconds: waits }], targetSeconds)],
    )
    .reduce(addService, NO_SERVICE);

/** Everything except the metrics over time, which stored minutes have only by the minute. */
const counted = (metrics: Metrics) => ({
  current: metrics.current,
  total: metrics.total,
  ...Object.fromEntries(
    WINDOWS.map(({ name }) => {
      const { serviceLevel, serviceLevelCount, ...window } = metrics[name];
      const { completed, abandoned, arrivals, abandonmentRate, lostCount } = window;
      const level = { serviceLevel, serviceLevelCount };
      return [name, { completed, abandoned, arrivals, abandonmentRate, lostCount, ...level }];
    }),
  ),
});

describe('whatever a day brings', () => {
  test('disjoint windows add up to the total', () => {
    fc.assert(
      fc.property(day, (people) => {
        const metrics = new QueueMetrics({ zones: ZONES });
        const sum = { completed: 0, abandoned: 0, lost: 0, arrivals: 0 };
        const visits = path(people);
        let endMs = 0;
        walkInto(metrics, visits, {
          everyMs: 300_000,
          lastMs: 6_000_000,
          look: (timeMs) => {
            const { completed, abandoned, lostCount, arrivals } = metrics.at(timeMs).rolling5Min;
            sum.completed += completed.count;
            sum.abandoned += abandoned.count!;
            sum.lost += lostCount;
            sum.arrivals += arrivals;
            endMs = timeMs;
          },
        });
        const { total } = metrics.at(endMs);
        expect(sum).toEqual({
          completed: total.completed.count,
          abandoned: total.abandoned.count,
          lost: total.lostCount,
          arrivals: total.arrivals,
        });
        expect(total.arrivals).toBe(people.length);
        expect(sum.completed + sum.abandoned + sum.lost).toBe(people.length);
      }),
      { numRuns: dearCases(4) },
    );
  });

  test('averages of disjoint windows, weighted by their counts, merge to the average of the total', () => {
    fc.assert(
      fc.property(day, (people) => {
        const metrics = new QueueMetrics({ zones: ZONES });
        const sums = { wait: [0, 0], service: [0, 0], gaveUp: [0, 0], level: [0, 0] };
        let early = 0;
        const add = (sum: number[], count: number | null, average: number | null) => {
          sum[0]! += (average ?? 0) * count!;
          sum[1]! += count!;
        };
        let endMs = 0;
        walkInto(metrics, path(people), {
          everyMs: 300_000,
          lastMs: 6_000_000,
          look: (timeMs) => {
            const { completed, abandoned, serviceLevel, serviceLevelCount } = metrics.at(timeMs).rolling5Min;
            early += abandoned.earlyCount!;
            add(sums.level, serviceLevelCount, serviceLevel);
            add(sums.wait, completed.waitCount, completed.avgWaitSeconds);
            add(sums.service, completed.serviceCount, completed.avgServiceSeconds);
            add(sums.gaveUp, abandoned.waitCount, abandoned.avgWaitSeconds);
            endMs = timeMs;
          },
        });
        const { completed, abandoned, serviceLevel, serviceLevelCount } = metrics.at(endMs).total;
        expect(early).toBe(abandoned.earlyCount);
        const level = levelOf(people);
        expect(serviceLevelCount).toBe(level.within + level.late + level.gaveUpLate);
        expect(early).toBe(level.gaveUpEarly);
        for (const [[sum, count], counted, average] of [
          [sums.wait, completed.waitCount, completed.avgWaitSeconds],
          [sums.service, completed.serviceCount, completed.avgServiceSeconds],
          [sums.gaveUp, abandoned.waitCount, abandoned.avgWaitSeconds],
          [sums.level, serviceLevelCount, serviceLevel],
        ] as const) {
          expect(count).toBe(counted);
          if (count === 0) expect(average).toBeNull();
          else expect(Math.abs(sum! / count! - average!)).toBeLessThan(0.002);
        }
      }),
      { numRuns: dearCases(4) },
    );
  });

  test('metrics rebuilt from stored data are the same', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 5000 }), (people, stopSecond) => {
        const metrics = new QueueMetrics({ zones: ZONES });
        const minutes: OccupancyMinute[] = [];
        const stored = new Map<number, Visit>();
        walkInto(metrics, path(people), {
          everyMs: 60_000,
          lastMs: stopSecond * 1000,
          look: () => minutes.push(...metrics.minuteRows()),
          changed: (visit) => stored.set(visit.id, visit),
        });
        const nowMs = stopSecond * 1000;
        minutes.push(...metrics.minuteRows(), ...(metrics.openMinute ? [metrics.openMinute] : []));
        const again = QueueMetrics.rebuild(ZONES, {
          visits: [...stored.values()],
          minutes,
          totals: metrics.totals,
          nowMs,
        });
        const [before, after] = [metrics.at(nowMs), again.at(nowMs)];
        const known = (all: Metrics) => ({ ...counted(all), current: all.current });
        expect(known(after)).toEqual(known(before));
        if (nowMs % 60_000 !== 0) expect(again.openMinute).toEqual(metrics.openMinute);
        for (const { name } of WINDOWS) {
          expect(Math.abs(after[name].coveragePercent - before[name].coveragePercent)).toBeLessThan(1);
          if (before[name].avgInQueue === null) expect(after[name].avgInQueue).toBeNull();
          else expect(Math.abs((after[name].avgInQueue ?? 0) - before[name].avgInQueue)).toBeLessThan(0.5);
        }
      }),
      { numRuns: dearCases(6) },
    );
  });
});
