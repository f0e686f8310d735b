import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sampleMetrics } from '../../scripts/seed/numbers.ts';
import { TILL_SUM_NAMES } from '../../src/catalogue/metrics/sums.ts';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { eraseMetrics } from '../../src/metrics/erase.store.ts';
import { packRows } from '../../src/metrics/packed/pack-rows.job.ts';
import { PACKED } from '../../src/metrics/packed/packed-tables.store.ts';
import { currentBytes, windowBytes } from '../../src/metrics/stored-numbers.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { rowsOf } from '../../src/privacy/export/export.store.ts';
import { EXPORTED_ROWS, type Range } from '../../src/privacy/ranged-rows.store.ts';
import { type JobContext, workOnNext } from '../../src/privacy/work-on-jobs.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { addVisits } from '../analytics/history/history-rows.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { dearCases, fc } from '../support/property.ts';
import { insertRows } from '../support/rows/insert-rows.ts';
import { addScene, type FilledScene } from './filled-scene.ts';
import { killedAt } from './killed-at.ts';

const CASES = dearCases(8);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Rows lie in four hours, the last two of them on the next day. */
const START = Date.UTC(2026, 10, 1, 22);
const HOURS = 4;
/** Long after the upgrade. */
const NOW = new Date('2031-05-10T12:00:00Z');
/** Minutes that come when their hour is packed. */
const isLate = (minute: number) => minute % 11 === 5;

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await testApi();
  ({ db } = api.context);
  await checkImageStorage(api.context);
});
afterAll(() => api.drop());

/** Both days: each turn packs the oldest one of each scene. */
async function pack(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await packRows({ db, clock: { now: () => NOW } });
}
const work = (context: JobContext = api.context) => workOnNext(context, new AbortController().signal);
const range = (from: string, to: string): Range => ({ from: new Date(from), to: new Date(to) });
const bytes = (numbers: Uint8Array) => `\\x${Buffer.from(numbers).toString('hex')}`;

const minutesOf = (sceneId: string, wanted: (minute: number) => boolean) =>
  Array.from({ length: HOURS * 60 }, (_, at) => at)
    .filter(wanted)
    .map((at) => ({
      ...{ sceneId, minute: new Date(START + at * MINUTE_MS), coveredMs: 60_000, inQueueMs: at * 100 },
      ...{ inServiceMs: at, busyMs: at, maxInQueue: at % 5, maxInService: 1 },
      ...{
        tillKnownMs: at % 7 === 0 ? null : 60_000,
        openTillMs: at,
        servingTillMs: at,
        waitedWithFreeMs: 1,
      },
    }));

/** A scene with rows of each kind that may be packed, some without bytes as in version 0.2, and visits. */
async function addRows(): Promise<FilledScene> {
  const scene = await addScene(db);
  const { sceneId, deviceId } = scene;
  const random = createRandom(5);
  const window = (at: number, lengthMs: number) => ({
    ...{ sceneId, deviceId, windowStart: new Date(at - lengthMs), windowEnd: new Date(at) },
    createdAt: new Date(at + 5),
  });
  const times = (everyMs: number) =>
    Array.from({ length: (HOURS * HOUR_MS) / everyMs }, (_, at) => START + at * everyMs);
  const isOld = (at: number) => (at / MINUTE_MS) % 25 === 0;
  await insertRows(
    db,
    'OccupancyMinute',
    minutesOf(sceneId, (minute) => !isLate(minute)),
  );
  await insertRows(
    db,
    'MetricSnapshot',
    times(2.5 * MINUTE_MS).map((at) => ({
      ...window(at, 10_000),
      durationSeconds: 10,
      numbers: isOld(at) ? null : bytes(currentBytes(sampleMetrics(random).current)),
      currentMetrics: isOld(at) ? { inQueue: 1 } : null,
    })),
  );
  const windows = { '5min': 5 * MINUTE_MS, '60min': HOUR_MS, total: 300 * HOUR_MS };
  await insertRows(
    db,
    'RollingRecord',
    times(5 * MINUTE_MS).flatMap((at) =>
      Object.entries(windows).map(([windowType, lengthMs]) => ({
        ...{ ...window(at, lengthMs), windowType },
        numbers: isOld(at) ? null : bytes(windowBytes(sampleMetrics(random).rolling5Min)),
        metrics: isOld(at) ? { inQueue: 1 } : null,
      })),
    ),
  );
  await addVisits(
    db,
    sceneId,
    times(10 * MINUTE_MS).map((arrivedAtMs) => ({
      ...{
        outcome: 'completed',
        arrivedAtMs,
        waitMs: 100_000,
        serviceMs: 0,
        decidedAtMs: arrivedAtMs + 100_000,
      },
    })),
  );
  return scene;
}

const addLateMinutes = ({ sceneId }: FilledScene) =>
  insertRows(db, 'OccupancyMinute', minutesOf(sceneId, isLate));

/** Two scenes of the same rows, whose totals count the minutes: one is packed, the other is not. */
async function addPair() {
  const [packed, plain] = [await addRows(), await addRows()];
  await db.scene.update({ where: { id: packed.sceneId }, data: { metricsUpdatedAt: NOW } });
  await pack();
  for (const scene of [packed, plain]) await addLateMinutes(scene);
  const { _sum: tills } = await db.occupancyMinute.aggregate({
    where: { sceneId: plain.sceneId },
    _sum: { tillKnownMs: true, openTillMs: true, servingTillMs: true, waitedWithFreeMs: true },
  });
  const sceneIds = [packed.sceneId, plain.sceneId];
  await db.sceneTotals.updateMany({ where: { sceneId: { in: sceneIds } }, data: tills as object });
  return { packed, plain };
}

const withoutIds = (rows: readonly object[]) =>
  rows.map((row) => ({ ...row, id: null, sceneId: null, deviceId: null }));

/** What is left of a scene, of both tables. */
async function left({ sceneId }: FilledScene) {
  const ends = [new Date(0), new Date('2100-01-01')] as const;
  const where = { sceneId };
  const rows = await Promise.all(
    PACKED.map(async ({ rows, all }) => {
      const found = await db.$queryRaw<{ windowType?: string }[]>`SELECT * FROM ${all(where, ...ends)}`;
      const textOf = (row: object) =>
        String(Object(row)[rows.column].getTime()) + (Object(row).windowType ?? '');
      return withoutIds(found.sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1)));
    }),
  );
  return {
    rows,
    quarters: withoutIds(await db.occupancyQuarter.findMany({ where, orderBy: { quarter: 'asc' } })),
    visits: await db.visit.findMany({ where, select: { number: true }, orderBy: { number: 'asc' } }),
    totals: withoutIds(await db.sceneTotals.findMany({ where, omit: { updatedAt: true } })),
  };
}

const request = async ({ userId }: FilledScene, { from, to }: Range): Promise<string> =>
  (
    await db.dataJob.create({
      data: { userId, kind: 'erasure', rangeFrom: from, rangeTo: to, deviceIds: [] },
    })
  ).id;
const jobOf = (id: string) => db.dataJob.findUniqueOrThrow({ where: { id } });

async function erase(scene: FilledScene, erased: Range) {
  const id = await request(scene, erased);
  expect(await work()).toBe(true);
  const { status, counts, errorMessage } = await jobOf(id);
  expect([status, errorMessage]).toEqual(['completed', null]);
  return counts;
}

const tillsOf = (rows: readonly object[]) =>
  TILL_SUM_NAMES.map((name) => rows.reduce((sum, row) => sum + Number(Object(row)[name] ?? 0), 0));

/** The same is left of a packed scene as of its twin, before and after it is packed again; totals count the minutes that are left. */
async function expectSame(packed: FilledScene, plain: FilledScene): Promise<void> {
  const expected = await left(plain);
  expect(await left(packed)).toEqual(expected);
  expect(tillsOf(expected.totals)).toEqual(tillsOf(expected.rows[0]!));
  await pack();
  expect(await left(packed)).toEqual(expected);
}

const EDGES = range('2026-11-01T22:37:20Z', '2026-11-02T00:52:10Z');

test('an erasure leaves the same of packed rows as of others, and counts the same', async () => {
  const { packed, plain } = await addPair();
  expect(await db.minuteHour.count({ where: { sceneId: packed.sceneId } })).toBe(HOURS);
  const whole = (await left(plain)).rows.map(({ length }) => length);
  const counts = await erase(packed, EDGES);
  expect(counts).toEqual(await erase(plain, EDGES));
  expect(await db.snapshotHour.count({ where: { sceneId: packed.sceneId } })).toBe(0);
  await expectSame(packed, plain);
  const rows = (await left(packed)).rows.map(({ length }) => length);
  const { minutes, snapshots, rollingRecords } = counts as Record<string, number>;
  expect([minutes, snapshots, rollingRecords]).toEqual(rows.map((length, at) => whole[at]! - length));
});

test('an erasure of any range leaves the same of packed rows as of others', async () => {
  const unit = fc.constantFrom(1, 1_000, MINUTE_MS, 15 * MINUTE_MS, HOUR_MS);
  const edge = fc
    .tuple(unit, fc.integer({ min: -HOUR_MS, max: (HOURS + 1) * HOUR_MS }))
    .map(([ms, at]) => START + Math.floor(at / ms) * ms);
  await fc.assert(
    fc.asyncProperty(edge, edge, async (one, other) => {
      fc.pre(one !== other);
      const erased = { from: new Date(Math.min(one, other)), to: new Date(Math.max(one, other)) };
      const { packed, plain } = await addPair();
      expect(await erase(packed, erased)).toEqual(await erase(plain, erased));
      await expectSame(packed, plain);
    }),
    { numRuns: CASES },
  );
});

test('of a minute that was written again after its hour was packed, an erasure leaves what was written last', async () => {
  const { packed, plain } = await addPair();
  const minute = new Date(START + 30 * MINUTE_MS);
  const written = await db.occupancyMinute.update({
    where: { sceneId_minute: { sceneId: plain.sceneId, minute } },
    data: { inQueueMs: 7n, maxInQueue: 9 },
  });
  await db.occupancyMinute.create({ data: { ...written, sceneId: packed.sceneId } });
  for (const scene of [packed, plain]) await erase(scene, EDGES);
  const { totals: _, ...expected } = await left(plain);
  expect(await left(packed)).toMatchObject(expected);
});

test('killed at any call, also where its rows are packed again before the next try, it leaves the same', async () => {
  const { packed, plain } = await addPair();
  await erase(plain, EDGES);
  const id = await request(packed, EDGES);
  let kills = 0;
  for (let calls = 1; (await jobOf(id)).status !== 'completed'; calls += 3) {
    const dying = { ...api.context, db: killedAt(db, { left: calls }) };
    await work(dying).catch(() => undefined);
    // Its claim lapses; every other time it was given back.
    await db.$executeRaw`
      UPDATE "DataJob" SET "claimedUntil" = NULL, "dueAt" = now() - interval '1 second', attempts = 0,
        status = ${kills % 2 === 0 ? 'queued' : 'running'}::"DataJobStatus"
      WHERE status IN ('queued', 'running')`;
    await pack();
    kills += 1;
    expect(kills).toBeLessThan(100);
  }
  expect(kills).toBeGreaterThan(10);
  await expectSame(packed, plain);
});

test('while an erasure runs, nothing of the user is packed', async () => {
  const scene = await addRows();
  await db.scene.update({ where: { id: scene.sceneId }, data: { metricsUpdatedAt: NOW } });
  const id = await request(scene, EDGES);
  await db.dataJob.update({ where: { id }, data: { status: 'running' } });
  const where = { sceneId: scene.sceneId };
  const hours = async () => [
    await db.minuteHour.count({ where }),
    await db.snapshotHour.count({ where }),
    await db.rollingHour.count({ where }),
  ];
  await pack();
  expect(await hours()).toEqual([0, 0, 0]);
  await db.dataJob.update({ where: { id }, data: { status: 'failed' } });
  await pack();
  expect(await hours()).toEqual([HOURS, HOURS, HOURS * 3]);
  await db.$transaction((tx) => eraseMetrics(tx, scene.sceneId));
  expect(await hours()).toEqual([0, 0, 0]);
});

const someoneWaits = (programs: number) =>
  eventually(`${programs} wait for a lock`, async () => {
    const waiting = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return waiting.length === programs;
  });

test('an erasure that begins while rows are being packed waits for them', async () => {
  const { packed, plain } = await addPair();
  await erase(plain, EDGES);
  const { sceneId } = packed;
  let packing: Promise<void> | undefined;
  let erasing: Promise<unknown> | undefined;
  await db.$transaction(async (tx) => {
    // The rows before the last late minute are packed already, but not for others.
    await tx.$queryRaw`
      SELECT 1 FROM "OccupancyMinute" WHERE "sceneId" = ${sceneId}::uuid AND minute < '2026-11-02' ORDER BY minute DESC LIMIT 1 FOR UPDATE`;
    packing = pack();
    await someoneWaits(1);
    erasing = erase(packed, EDGES);
    await someoneWaits(2);
  });
  await Promise.all([packing, erasing]);
  await expectSame(packed, plain);
});

/** The rows of an export, by kind. */
async function exported({ sceneId }: FilledScene, wanted: Range, client: Db = db) {
  const found: Record<string, object[]> = {};
  for (const rows of EXPORTED_ROWS) {
    for await (const row of rowsOf(client, rows, { sceneId, ...wanted })) {
      found[rows.name] ??= [];
      found[rows.name]!.push(rows.show ? rows.show(row as never) : row);
    }
  }
  return found;
}

test('an export has packed rows once, as before, also where they are packed while it reads', async () => {
  const scene = await addRows();
  const all = range('2000-01-01T00:00:00Z', '2026-11-10T00:00:00Z');
  const before = [await exported(scene, EDGES), await exported(scene, all)];
  expect(before[1]!.minutes!.length).toBeGreaterThan(before[0]!.minutes!.length);
  expect(before[1]!.quarters).toBeUndefined();
  await db.scene.update({ where: { id: scene.sceneId }, data: { metricsUpdatedAt: NOW } });
  for (const rows of EXPORTED_ROWS.filter(({ packed }) => packed)) {
    const found: object[] = [];
    for await (const row of rowsOf(db, rows, { sceneId: scene.sceneId, ...all })) {
      if (found.length === 1) await pack();
      found.push(rows.show ? rows.show(row as never) : row);
    }
    expect(found).toEqual(before[1]![rows.name]);
  }
  expect(await db.occupancyMinute.count({ where: { sceneId: scene.sceneId } })).toBe(0);
  expect(await exported(scene, EDGES)).toEqual(before[0]);
  // Of the hours of a quarter of a century it reads those with rows.
  const calls = { left: 100 };
  expect(await exported(scene, all, killedAt(db, calls))).toEqual(before[1]);
});

test('a scene that is deleted while its rows are packed waits for nobody who waits for it', async () => {
  const { sceneId } = await addRows();
  await db.scene.update({ where: { id: sceneId }, data: { metricsUpdatedAt: NOW } });
  let packing: Promise<void> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${sceneId}::uuid FOR UPDATE`;
    packing = pack();
    packing.catch(() => undefined);
    await someoneWaits(1);
    await tx.analysisTask.deleteMany({ where: { sceneId } });
    await tx.scene.delete({ where: { id: sceneId } });
  });
  await packing;
  expect(await db.minuteHour.count({ where: { sceneId } })).toBe(0);
});
