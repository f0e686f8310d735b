import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countQueueMinutes } from '../../../src/analytics/history/distribution.store.ts';
import { readHeatmap } from '../../../src/analytics/history/read-heatmap.ts';
import { readSeries } from '../../../src/analytics/history/read-series.ts';
import { TILL_SUM_NAMES } from '../../../src/catalogue/metrics/sums.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { serviceLevel } from '../../../src/waits/service-level.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { isOpenAt, openingHoursAround, openMsOf } from '../../support/opening-hours.ts';
import { dearCases, fc } from '../../support/property.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { addMinutes, addVisits, joinsQueue, levelOf, type VisitRow } from './history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** Zones with the UTC days on which their clocks change, or any day. */
const NIGHTS = [
  ['Europe/Berlin', '2026-10-25'],
  ['Europe/Berlin', '2026-03-29'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Havana', '2026-11-01'],
  ['America/St_Johns', '2026-03-08'],
  ['Pacific/Chatham', '2026-04-04'],
  ['Asia/Kathmandu', '2026-06-01'],
] as const;

const minute = fc.record({
  /** Minutes from the start of the time with rows. */
  at: fc.integer({ min: 0, max: 3 * 1440 - 1 }),
  coveredMs: fc.constantFrom(0, 1, 20_000, 60_000),
  inQueue: fc.integer({ min: 0, max: 9 }),
  inService: fc.integer({ min: 0, max: 3 }),
  more: fc.integer({ min: 0, max: 3 }),
});
const visit = fc.record({
  outcome: fc.constantFrom<VisitRow['outcome']>(
    'completed',
    'completed',
    'abandoned',
    'lost',
    'discarded',
    null,
  ),
  at: fc.integer({ min: 0, max: 3 * DAY_MS - 1 }),
  lasts: fc.integer({ min: 0, max: 4 * 3_600_000 }),
  waitMs: fc.option(fc.integer({ min: 0, max: 3_600_000 })),
  targetMs: fc.constantFrom(null, 600_000, 1_800_000),
  serviceMs: fc.option(fc.integer({ min: 0, max: 600_000 })),
});
const plan = fc.constantFrom(...NIGHTS).chain((night) =>
  fc.record({
    night: fc.constant(night),
    opening: fc.option(openingHoursAround(night[1])),
    scenes: fc.array(
      fc.record({
        minutes: fc.uniqueArray(minute, { maxLength: 60, selector: ({ at }) => at }),
        visits: fc.array(visit, { maxLength: 40 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    bucket: fc.constantFrom('5m', '15m', '30m', '1h', '3h', '6h', '1d', '1w'),
    fromMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
    lengthMs: fc.integer({ min: 1, max: 2 * DAY_MS }),
  }),
);

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

/** The definition in words: the value of rank share × (count − 1), interpolated. */
function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const low = sorted[Math.floor(rank)]!;
  const high = sorted[Math.min(sorted.length - 1, Math.floor(rank) + 1)]!;
  return low + (high - low) * (rank % 1);
}

test('a series is what the raw rows give, its sums are their sums, and the heat map adds up to it', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(plan, async ({ night: [timezone, day], opening, scenes, bucket, fromMs, lengthMs }) => {
      const start = Date.parse(day) - DAY_MS;
      const device = await addDevice(db);
      const stored = [];
      for (const { minutes, visits } of scenes) {
        const { scene } = await queueScene(db, device);
        // Without frames nobody is seen.
        const rows = minutes.map(({ at, coveredMs, inQueue, inService, more }) => ({
          ...{ atMs: start + at * MINUTE_MS, coveredMs, inQueue, inService },
          ...{
            maxInQueue: coveredMs > 0 ? inQueue + more : 0,
            maxInService: inService,
            busyMs: inService > 0 ? coveredMs : 0,
          },
        }));
        const people = visits.map(({ outcome, at, lasts, ...durations }) => ({
          ...{ outcome, arrivedAtMs: start + at, decidedAtMs: start + at + lasts, ...durations },
        }));
        await addMinutes(db, scene.id, rows);
        await addVisits(db, scene.id, people);
        stored.push({ id: scene.id, zones: SHOP_ZONES, rows, people });
      }
      const scope = { scenes: stored, timezone, hours: opening ? [{ hours: opening, timezone }] : [] };
      const isOpen = (ms: number) => isOpenAt(opening, timezone, ms);
      const context = { db, clock: { now: () => new Date(start + 30 * DAY_MS) } };
      const range = { fromMs: start + fromMs, toMs: start + fromMs + lengthMs, timezone };

      const { points, toMs } = await readSeries(context, scope, { ...range, bucket });
      const starts = points.map(({ t }) => Date.parse(t));
      expect(starts[0]).toBeLessThanOrEqual(range.fromMs);
      expect(toMs).toBeGreaterThanOrEqual(range.toMs);
      for (const [at, point] of points.entries()) {
        const [low, high] = [starts[at]!, starts[at + 1] ?? toMs];
        const isIn = (ms: number) => ms >= low && ms < high && isOpen(ms);
        const openMs = openMsOf(opening, timezone, { fromMs: low, toMs: high });
        const rowsOf = stored.map(({ rows }) => rows.filter(({ atMs }) => isIn(atMs)));
        const people = stored.flatMap((scene) => scene.people);
        const decided = people.filter(
          ({ outcome, decidedAtMs }) => outcome !== null && outcome !== 'discarded' && isIn(decidedAtMs),
        );
        const served = decided.filter(({ outcome }) => outcome === 'completed');
        const arrivals = people.filter(
          (visit) => visit.outcome !== 'discarded' && joinsQueue(visit) && isIn(visit.arrivedAtMs),
        );
        const covered = rowsOf.map((rows) => sum(rows.map(({ coveredMs }) => coveredMs)));
        const averages = rowsOf.flatMap((rows, scene) =>
          covered[scene]! > 0
            ? [sum(rows.map(({ inQueue, coveredMs }) => inQueue * coveredMs)) / covered[scene]!]
            : [],
        );
        const isSeen = sum(covered) > 0 || decided.length > 0 || arrivals.length > 0;
        const orNull = (count: number) => (count === 0 && !isSeen ? null : count);
        expect(point).toMatchObject({
          arrivals: orNull(arrivals.length),
          completed: orNull(served.length),
          abandoned: orNull(decided.filter(({ outcome }) => outcome === 'abandoned').length),
          lost: orNull(decided.filter(({ outcome }) => outcome === 'lost').length),
        });
        const least = Math.min(...covered);
        expect(point.coveragePercent).toBeCloseTo(least === 0 ? 0 : (least / openMs) * 100, 2);
        expect(point.openPercent).toBe(opening && Math.round((openMs / (high - low)) * 1_000) / 10);
        if (averages.length === 0) expect(point.avgInQueue).toBeNull();
        else expect(point.avgInQueue).toBeCloseTo(sum(averages), 2);
        if (stored.length === 1 && sum(covered) > 0) {
          const seen = rowsOf.flat().filter(({ coveredMs }) => coveredMs > 0);
          expect(point.maxInQueue).toBe(Math.max(...seen.map(({ maxInQueue }) => maxInQueue)));
          expect(point.serverUtilization).toBeCloseTo(sum(seen.map(({ busyMs }) => busyMs)) / covered[0]!, 2);
        }
        const level = levelOf(decided);
        const counted = level.within + level.late + level.gaveUpLate;
        expect([point.serviceLevelCount, point.abandonedEarly]).toEqual([
          orNull(counted),
          orNull(level.gaveUpEarly),
        ]);
        if (counted === 0) expect(point.serviceLevel).toBeNull();
        else expect(point.serviceLevel).toBeCloseTo(serviceLevel(level)!, 3);
        const waits = served.flatMap(({ waitMs }) => (waitMs === null ? [] : [waitMs / 1000]));
        expect(point.waitCount).toBe(orNull(waits.length));
        if (waits.length === 0) expect([point.avgWaitSeconds, point.p90WaitSeconds]).toEqual([null, null]);
        else {
          expect(point.avgWaitSeconds).toBeCloseTo(sum(waits) / waits.length, 2);
          expect(point.p50WaitSeconds).toBeCloseTo(percentileOf(waits, 0.5), 2);
          expect(point.p90WaitSeconds).toBeCloseTo(percentileOf(waits, 0.9), 2);
          expect(point.maxWaitSeconds).toBeCloseTo(Math.max(...waits), 2);
        }
      }

      const hours = await readSeries(context, scope, { ...range, bucket: '1h' });
      const heatmap = await readHeatmap(context, scope, range);
      for (const name of [
        'arrivals',
        'completed',
        'abandoned',
        'lost',
        'waitCount',
        'serviceCount',
        'serviceLevelCount',
        'abandonedEarly',
      ] as const) {
        expect([name, sum(heatmap.metrics[name].flat())]).toEqual([
          name,
          sum(hours.points.map((point) => point[name])),
        ]);
      }
      expect(sum(heatmap.hours.flat())).toBeCloseTo(openMsOf(opening, timezone, hours) / 3_600_000, 2);
    }),
    { numRuns: dearCases(20) },
  );
});

/** Columns that rows of earlier versions lack. */
const LATER_NAMES = [...TILL_SUM_NAMES, 'followedMs', 'unseenMs', 'sureMs', 'stepsMs'] as const;

test('the sums of quarters follow every change of their minutes', async () => {
  const { db } = database;
  const change = fc.record({
    kind: fc.constantFrom('put', 'put', 'put', 'remove'),
    at: fc.integer({ min: 0, max: 44 }),
    queue: fc.integer({ min: 0, max: 5 }),
    coveredMs: fc.integer({ min: 0, max: 60_000 }),
    // Rows of scenes without tills, and of earlier versions, may have none.
    laterMs: fc.option(fc.integer({ min: 0, max: 120_000 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (steps) => {
        const { scene } = await queueScene(db, await addDevice(db));
        const start = Date.UTC(2026, 0, 1, 3);
        for (const changes of steps) {
          await db.$transaction(async (tx) => {
            for (const { kind, at, queue, coveredMs, laterMs } of changes) {
              const minute = new Date(start + at * MINUTE_MS);
              const key = { sceneId: scene.id, minute };
              const data = { coveredMs, inQueueMs: coveredMs * queue, inServiceMs: 0, busyMs: 0 };
              const later = Object.fromEntries(
                LATER_NAMES.map((name, add) => [name, laterMs && laterMs + add]),
              );
              const row = { ...data, maxInQueue: queue, maxInService: 0, ...later };
              if (kind === 'remove') await tx.occupancyMinute.deleteMany({ where: key });
              else {
                await tx.occupancyMinute.upsert({
                  where: { sceneId_minute: key },
                  create: { ...key, ...row },
                  update: row,
                });
              }
            }
          });
        }
        const minutes = await db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
        const quarters = await db.occupancyQuarter.findMany({
          where: { sceneId: scene.id },
          orderBy: { quarter: 'asc' },
        });
        const expected = [0, 1, 2].flatMap((index) => {
          const low = start + index * 15 * MINUTE_MS;
          const rows = minutes.filter(
            ({ minute }) => Math.floor((minute.getTime() - low) / (15 * MINUTE_MS)) === 0,
          );
          if (rows.length === 0) return [];
          const withFrames = rows
            .filter(({ coveredMs }) => coveredMs > 0)
            .toSorted((a, b) => Number(a.minute) - Number(b.minute));
          return [
            {
              minuteAverages: withFrames.map((row) => Number(row.inQueueMs / BigInt(row.coveredMs))),
              minuteMaxima: withFrames.map(({ maxInQueue }) => maxInQueue),
              ...{ sceneId: scene.id, quarter: new Date(low), inServiceMs: 0n, busyMs: 0, maxInService: 0 },
              coveredMs: sum(rows.map(({ coveredMs }) => coveredMs)),
              inQueueMs: BigInt(sum(rows.map(({ inQueueMs }) => Number(inQueueMs)))),
              maxInQueue: Math.max(...rows.map(({ maxInQueue }) => maxInQueue)),
              ...Object.fromEntries(
                LATER_NAMES.map((name) => {
                  const known = rows.flatMap((row) => row[name] ?? []);
                  return [name, known.length > 0 ? sum(known) : null];
                }),
              ),
            },
          ];
        });
        expect(quarters).toEqual(expected);
      },
    ),
    { numRuns: dearCases(15) },
  );
});

test('minutes with a long queue, counted over quarters, are those of the minutes', async () => {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  const start = Date.UTC(2026, 0, 1, 3);
  const [sizes] = fc.sample(
    fc.array(fc.tuple(fc.nat(60_000), fc.nat(9)), { minLength: 120, maxLength: 120 }),
    {
      numRuns: 1,
      seed: 7,
    },
  );
  const rows = sizes!.map(([coveredMs, maxInQueue], at) => ({
    ...{
      sceneId: scene.id,
      minute: new Date(start + at * MINUTE_MS),
      inServiceMs: 0,
      busyMs: 0,
      maxInService: 0,
    },
    ...{ coveredMs: at % 7 === 0 ? 0 : coveredMs, maxInQueue },
    inQueueMs: Math.floor((coveredMs * maxInQueue * (1 + (at % 3))) / 3),
  }));
  await insertRows(db, 'OccupancyMinute', rows);
  const at = fc.integer({ min: -10 * MINUTE_MS, max: 130 * MINUTE_MS });
  const longest = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(at, at, longest, async (a, b, lengths) => {
      const fromMs = start + Math.min(a, b);
      const toMs = start + Math.max(a, b);
      const inRange = rows.filter(
        ({ minute, coveredMs }) => coveredMs > 0 && Number(minute) >= fromMs && Number(minute) < toMs,
      );
      lengths.sort((one, other) => one - other);
      const counted = await countQueueMinutes(db, [scene.id], { fromMs, toMs, open: null, lengths });
      const reaching = (length: number, reach: (row: (typeof rows)[number]) => number) =>
        inRange.filter((row) => reach(row) >= length).length;
      for (const [index, length] of lengths.entries()) {
        const above = (key: 'average' | 'maximum') =>
          sum(counted.levels.filter((level) => level[key] > index).map(({ minutes }) => minutes));
        expect([above('average'), above('maximum')]).toEqual([
          reaching(length, (row) => row.inQueueMs / row.coveredMs),
          reaching(length, ({ maxInQueue }) => maxInQueue),
        ]);
      }
      expect(sum(counted.levels.map(({ minutes }) => minutes))).toBe(inRange.length);
      expect(counted.leastCoveredMs).toBe(sum(inRange.map(({ coveredMs }) => coveredMs)));
    }),
  );
});
