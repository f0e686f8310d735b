import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import { readDistribution } from '../../../src/analytics/history/read-distribution.ts';
import { readHeatmap } from '../../../src/analytics/history/read-heatmap.ts';
import { readSeries } from '../../../src/analytics/history/read-series.ts';
import { comparedPeriods } from '../../../src/analytics/reports/period.ts';
import { readReport } from '../../../src/analytics/reports/read-report.ts';
import { QUARTER_MS } from '../../../src/catalogue/metrics/quarter.ts';
import { removeOldHistory } from '../../../src/metrics/folded/history-retention.job.ts';
import { MINUTES } from '../../../src/metrics/partitions.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions, startOf } from '../../../src/platform/database/partitions/partitions.store.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import {
  addMinutes,
  addVisits,
  joinsQueue,
  levelOf,
  type VisitRow,
} from '../../analytics/history/history-rows.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { openingHoursAround } from '../../support/opening-hours.ts';
import { dearCases, fc } from '../../support/property.ts';
import { packMinutes } from '../../support/rows/pack-minutes.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const CASES = dearCases(15);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Europe changes its clocks on the second day; a month begins with the last day. */
const START = Date.UTC(2026, 2, 28);
/** Visits end at most four hours after they began. */
const DAYS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const visit = fc.record({
  outcome: fc.constantFrom<VisitRow['outcome']>(
    ...(['completed', 'completed', 'completed', 'abandoned', 'lost', 'discarded', null] as const),
  ),
  at: fc.integer({ min: 0, max: (DAYS - 1) * DAY_MS }),
  lasts: fc.integer({ min: 0, max: 4 * 3_600_000 }),
  waitMs: fc.option(fc.integer({ min: 0, max: 3_600_000 })),
  targetMs: fc.constantFrom(null, 600_000, 1_800_000),
  serviceMs: fc.option(fc.integer({ min: 0, max: 600_000 })),
});
const minute = fc.record({
  at: fc.integer({ min: 0, max: DAYS * 1440 - 1 }),
  coveredMs: fc.constantFrom(0, 20_000, 60_000),
  inQueue: fc.integer({ min: 0, max: 9 }),
});
const plan = fc.record({
  opening: fc.option(openingHoursAround('2026-04-01')),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
  scenes: fc.array(
    fc.record({
      minutes: fc.uniqueArray(minute, { maxLength: 60, selector: ({ at }) => at }),
      visits: fc.array(visit, { maxLength: 60 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  bucket: fc.constantFrom('15m', '30m', '1h', '3h', '6h', '1d', '1w', '1mo'),
  from: fc.integer({ min: 0, max: 2 * 96 }),
  quarters: fc.integer({ min: 1, max: 96 * DAYS }),
  /** Whether minutes lie in partitions of months. */
  isPartitioned: fc.boolean(),
  /** Whether minutes are packed before they are removed. */
  isPacked: fc.boolean(),
  /** Days of the plan that are older than each retention, one after the other: a later job removes more. */
  cuts: fc.array(fc.record({ visits: fc.nat(DAYS), minutes: fc.nat(DAYS) }), { minLength: 1, maxLength: 3 }),
});

/** The value with the expected numbers where they are close: sums of the same numbers in another order may differ in the last digit. */
function like(expected: unknown, actual: unknown): unknown {
  if (typeof expected === 'number' && typeof actual === 'number')
    return Math.abs(actual - expected) < 0.002 ? expected : actual;
  if (typeof actual !== 'object' || typeof expected !== 'object' || !actual || !expected) return actual;
  if (Array.isArray(actual)) return actual.map((value, at) => like((expected as unknown[])[at], value));
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [
      name,
      like((expected as Record<string, unknown>)[name], value),
    ]),
  );
}

test('series, heat maps, distributions, reports and the audit are the same before and after minutes are packed, and they and visits removed', async () => {
  const { db } = database;
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(
      plan,
      async ({ opening, timezone, scenes, bucket, from, quarters, isPartitioned, isPacked, cuts }) => {
        await db.user.deleteMany();
        if (isPartitioned) expect(await createPartitions(db, MINUTES, new Date(START))).toBeNull();
        const device = await addDevice(db);
        const stored = [];
        for (const { minutes, visits } of scenes) {
          const { scene } = await queueScene(db, device);
          const people = visits.map(({ at, lasts, ...row }) => ({
            ...{ ...row, arrivedAtMs: START + at, decidedAtMs: START + at + lasts },
          }));
          await addVisits(db, scene.id, people);
          await addMinutes(
            db,
            scene.id,
            minutes.map(({ at, ...row }) => ({ ...row, atMs: START + at * MINUTE_MS })),
          );
          const countOf = (outcome: VisitRow['outcome'], key?: 'waitMs' | 'serviceMs') =>
            people.filter((row) => row.outcome === outcome && (!key || row[key] !== null)).length;
          const { within, late, gaveUpLate, gaveUpEarly } = levelOf(people);
          await db.sceneTotals.create({
            data: {
              ...{ sceneId: scene.id, since: new Date(START) },
              arrivals: people.filter((row) => row.outcome !== 'discarded' && joinsQueue(row)).length,
              ...{ completedCount: countOf('completed'), abandonedCount: countOf('abandoned') },
              ...{ lostCount: countOf('lost'), waitCount: countOf('completed', 'waitMs') },
              serviceCount: countOf('completed', 'serviceMs'),
              ...{ inTimeCount: within, lateCount: late },
              ...{ gaveUpLateCount: gaveUpLate, gaveUpEarlyCount: gaveUpEarly },
            },
          });
          stored.push({
            id: scene.id,
            zones: SHOP_ZONES,
            name: 'Queue',
            deviceId: device.id,
            deviceName: 'Till',
          });
        }
        const now = new Date(START + 1000 * DAY_MS);
        const context = { db, clock: { now: () => now } };
        const hours = opening ? [{ hours: opening, timezone }] : [];
        const scope = { scenes: stored, timezone, hours };
        const range = { fromMs: START + from * QUARTER_MS, toMs: START + (from + quarters) * QUARTER_MS };
        const site = { id: device.id, name: 'Shop', timezone, hours, locale: null, scenes: stored };
        const read = async () => ({
          series: await readSeries(context, scope, { ...range, timezone, bucket }),
          heatmap: await readHeatmap(context, scope, { ...range, timezone }),
          distribution: await readDistribution(context, scope, {
            ...{ ...range, edges: [30, 60.5, 600], longerThanSeconds: [60, 300], minQueueLength: [1, 4] },
          }),
          report: await readReport(context, site, comparedPeriods('week', '2026-04-01', timezone)!),
          audit: await auditHistory(db),
        });
        const before = await read();
        expect(before.audit.differences).toEqual([]);
        if (isPacked) {
          await packMinutes(context);
          expect(await db.occupancyMinute.count()).toBe(0);
          expect(await read()).toEqual(before);
        }
        for (const cut of cuts) {
          const config = {
            visitRetentionDays: 1000 - cut.visits,
            minuteRetentionDays: 1000 - cut.minutes,
          } as never;
          await removeOldHistory({ ...context, config });
        }
        const after = await read();
        const { _max } = await db.sceneTotals.aggregate({ _max: { minutesSince: true } });
        // Minutes of several scenes cannot be summed once they are gone.
        const isUnknown = stored.length > 1 && Number(_max.minutesSince) > range.fromMs;
        const { queue, ...rest } = before.distribution;
        const expected = { ...before, distribution: { ...rest, queue: isUnknown ? null : queue } };
        expect(like(expected, after)).toEqual(expected);
        const last = (kind: 'visits' | 'minutes') =>
          new Date(START + Math.max(...cuts.map((cut) => cut[kind])) * DAY_MS);
        expect(await db.visit.count({ where: { outcomeDecidedAt: { lt: last('visits') } } })).toBe(0);
        const month = startOf('month', last('minutes'));
        expect(await db.occupancyMinute.count({ where: { minute: { lt: month } } })).toBe(0);
        expect(await db.minuteHour.count({ where: { hour: { lt: month } } })).toBe(0);
        const months = await listPartitions(db, MINUTES);
        expect(months.filter(({ from, to }) => from && to && to <= month)).toEqual([]);
        folded += await db.visitQuarter.count();
      },
    ),
    { numRuns: CASES },
  );
  expect(folded).toBeGreaterThan(3 * CASES);
});
