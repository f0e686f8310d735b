import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import { readDistribution } from '../../../src/analytics/history/read-distribution.ts';
import { readHeatmap } from '../../../src/analytics/history/read-heatmap.ts';
import { readSeries } from '../../../src/analytics/history/read-series.ts';
import { comparedPeriods } from '../../../src/analytics/reports/period.ts';
import { readReport } from '../../../src/analytics/reports/read-report.ts';
import { findMinutes } from '../../../src/analytics/unusual/unusual.store.ts';
import { MINUTES } from '../../../src/metrics/partitions.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { dearCases, fc } from '../../support/property.ts';
import { packMinutes } from '../../support/rows/pack-minutes.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { addMinutes } from './history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 28);
const DAYS = 5;
/** Minutes of the first three days are packed. */
const NOW = new Date(START + DAYS * DAY_MS - MINUTE_MS);
/** It opens and closes within quarters of an hour, so that reports and heat maps read minutes. */
const HOURS = {
  windows: [{ start: '07:08', end: '21:52', days: [1, 2, 3, 4, 5, 6, 7] }],
  exceptions: [],
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const minute = fc.record({
  at: fc.integer({ min: 0, max: DAYS * 1440 - 1 }),
  coveredMs: fc.constantFrom(0, 1, 20_000, 60_000),
  inQueue: fc.integer({ min: 0, max: 9 }),
  inService: fc.integer({ min: 0, max: 3 }),
  signs: fc.option(fc.record({ followed: fc.nat(5), unseen: fc.nat(5), sure: fc.nat(5), steps: fc.nat(5) }), {
    nil: undefined,
  }),
});
const plan = fc.record({
  isOpenAllDay: fc.boolean(),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
  scenes: fc.array(fc.uniqueArray(minute, { minLength: 50, maxLength: 200, selector: ({ at }) => at }), {
    minLength: 1,
    // Sums of three would depend on the order of the scenes, in their last digit.
    maxLength: 2,
  }),
  fromMs: fc.integer({ min: 0, max: (DAYS - 1) * DAY_MS }),
  lengthMs: fc.oneof(fc.integer({ min: 1, max: 20 * MINUTE_MS }), fc.integer({ min: 1, max: 2 * DAY_MS })),
  kind: fc.constantFrom('day' as const, 'week' as const),
});

test('everything that is read of minutes is the same when they are packed', async () => {
  const { db } = database;
  const numRuns = dearCases(10);
  let packed = 0;
  await fc.assert(
    fc.asyncProperty(plan, async ({ isOpenAllDay, timezone, scenes, fromMs, lengthMs, kind }) => {
      await db.user.deleteMany();
      const device = await addDevice(db);
      const stored: {
        id: string;
        zones: typeof SHOP_ZONES;
        name: string;
        deviceId: string;
        deviceName: string;
      }[] = [];
      for (const minutes of scenes) {
        const { scene } = await queueScene(db, device);
        await addMinutes(
          db,
          scene.id,
          minutes.map(({ at, signs, ...row }) => ({
            ...row,
            ...(signs && { signs }),
            atMs: START + at * MINUTE_MS,
          })),
        );
        const place = { name: 'Queue', deviceId: device.id, deviceName: 'Till' };
        stored.push({ id: scene.id, zones: SHOP_ZONES, ...place });
      }
      const context = { db, clock: { now: () => NOW } };
      const hours = isOpenAllDay ? [] : [{ hours: HOURS, timezone }];
      const range = { fromMs: START + fromMs, toMs: START + fromMs + lengthMs, timezone };
      const hour = { ...range, toMs: Math.min(range.toMs, range.fromMs + 60 * MINUTE_MS) };
      const limits = { edges: [30], longerThanSeconds: [60], minQueueLength: [1, 2, 4, 8] };
      const read = async () => ({
        places: await Promise.all(
          [stored.slice(0, 1), stored].map(async (some) => {
            const scope = { scenes: some, timezone, hours };
            const site = { id: device.id, name: 'Shop', timezone, hours, locale: null, scenes: some };
            return {
              series: [
                await readSeries(context, scope, { ...hour, bucket: '1m' }),
                await readSeries(context, scope, { ...range, bucket: '5m' }),
              ],
              heatmap: await readHeatmap(context, scope, range),
              distribution: await readDistribution(context, scope, { ...range, ...limits }),
              report: await readReport(context, site, comparedPeriods(kind, '2026-03-30', timezone)!),
            };
          }),
        ),
        minutes: (
          await findMinutes(db, {
            sceneIds: stored.map(({ id }) => id),
            from: new Date(range.fromMs),
            to: new Date(range.toMs),
          })
        ).sort((a, b) => a.sceneId.localeCompare(b.sceneId) || a.startMs - b.startMs),
        audit: await auditHistory(db),
      });
      const before = await read();
      expect(before.audit.differences).toEqual([]);
      await packMinutes(context);
      expect(
        await db.occupancyMinute.count({ where: { minute: { lt: new Date(START + 3 * DAY_MS) } } }),
      ).toBe(0);
      expect(await read()).toEqual(before);
      packed += await db.minuteHour.count();
    }),
    { numRuns },
  );
  expect(packed).toBeGreaterThan(20 * numRuns);
});

test('PostgreSQL opens only the hours of a range, found by an index, and the partitions of its months', async () => {
  const { db } = database;
  expect(await createPartitions(db, MINUTES, new Date(START))).toBeNull();
  const range = [[randomUUID()], '2026-03-29T07:03:00Z', '2026-03-29T13:03:00Z'];
  const plan = await db.$transaction(async (tx) => {
    // The tables are so small that it would read them whole.
    await tx.$executeRaw`SELECT set_config('enable_seqscan', 'off', true)`;
    const lines = await tx.$queryRawUnsafe<Record<string, string>[]>(
      'EXPLAIN SELECT sum("coveredMs") FROM all_minutes($1::uuid[], $2::timestamptz, $3::timestamptz)',
      ...range,
    );
    return lines.flatMap((line) => Object.values(line)).join('\n');
  });
  expect(plan).not.toContain('Function Scan');
  expect(plan).toMatch(/on "OccupancyMinute_2026_03".*Index Cond: .*minute >= '2026-03-29 07:03/s);
  expect(plan).not.toContain('OccupancyMinute_2026_04');
  expect(plan).toMatch(/"MinuteHour_(pkey|hour_idx)".*Index Cond: .*hour < '2026-03-29 13:03/s);
});
