import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { unpackAll } from '../../../src/metrics/packed/pack.store.ts';
import { packRows } from '../../../src/metrics/packed/pack-rows.job.ts';
import { PACKED, PACKED_MINUTES } from '../../../src/metrics/packed/packed-tables.store.ts';
import { MINUTES, SNAPSHOTS } from '../../../src/metrics/partitions.ts';
import { removeOldMetrics } from '../../../src/metrics/retention.job.ts';
import { currentBytes, windowBytes } from '../../../src/metrics/stored-numbers.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../../src/platform/database/partitions/partitions.store.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = HOUR_MS / 3;
const NOW = new Date('2031-05-10T15:00:00Z');
const YESTERDAY = new Date('2031-05-09');
/** The first row, in the evening of the sixth: rows of the ninth and tenth stay as they are. */
const FIRST = Date.UTC(2031, 4, 6, 20);
/** 4 hours of the sixth and two days. */
const PACKED_HOURS = 52;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => database.db.user.deleteMany());

/** A scene with rows of each kind every 20 minutes from FIRST to NOW. @param newest the time of its newest metrics */
async function addScene(newest: Date | null = NOW) {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  await db.scene.update({ where: { id: scene.id }, data: { metricsUpdatedAt: newest } });
  await db.sceneTotals.create({ data: { sceneId: scene.id, since: new Date(0) } });
  const times: number[] = [];
  for (let at = FIRST; at < NOW.getTime(); at += STEP_MS) times.push(at);
  await insertRows(
    db,
    'OccupancyMinute',
    times.map((at) => minute(scene.id, at)),
  );
  await insertRows(
    db,
    'MetricSnapshot',
    times.map((at) => snapshot(scene, at)),
  );
  const windows = times.flatMap((at) => ['5min', 'total'].map((windowType) => ({ at, windowType })));
  const random = createRandom(3);
  await insertRows(
    db,
    'RollingRecord',
    windows.map(({ at, windowType }) => ({
      ...ending(scene, at, 300_000),
      windowType,
      numbers: Buffer.from(windowBytes(sampleMetrics(random).rolling5Min)),
    })),
  );
  return scene;
}

const minute = (sceneId: string, at: number) => ({
  ...{
    sceneId,
    minute: new Date(at),
    coveredMs: 60_000,
    inQueueMs: at % 7_919,
    inServiceMs: 60_000,
    busyMs: 60_000,
  },
  // Rows of earlier versions have no tills.
  ...{ maxInQueue: 3, maxInService: 1, tillKnownMs: at % (2 * STEP_MS) === 0 ? null : 60_000 },
});

const ending = (
  { id: sceneId, deviceId }: { id: string; deviceId: string },
  at: number,
  lengthMs: number,
) => ({
  ...{
    sceneId,
    deviceId,
    windowStart: new Date(at - lengthMs),
    windowEnd: new Date(at),
    createdAt: new Date(at + 5),
  },
  computeNodeId: at % (2 * STEP_MS) === 0 ? null : randomUUID(),
});

const snapshot = (scene: { id: string; deviceId: string }, at: number) => ({
  ...ending(scene, at, 10_000),
  durationSeconds: 10,
  numbers: Buffer.from(currentBytes(sampleMetrics(createRandom(at)).current)),
});

const pack = () => packRows({ db: database.db, clock: { now: () => NOW } });

/** Several turns, each of which packs a day of each scene. */
async function packAll(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await pack();
}

/** All rows of a scene, packed or not, and its quarters of an hour. */
async function all(sceneId: string) {
  const { db } = database;
  const read = (of: string, order: string) =>
    db.$queryRawUnsafe<object[]>(`SELECT * FROM ${of} ORDER BY ${order}`, sceneId);
  const ever = `'-infinity', 'infinity'`;
  return {
    minutes: await read(`all_minutes(ARRAY[$1::uuid], ${ever})`, 'minute'),
    snapshots: await read(`all_snapshots($1::uuid, ${ever})`, '"windowEnd"'),
    rolling: await read(`all_rolling($1::uuid, '{5min,total}', ${ever})`, '"windowEnd", "windowType"'),
    quarters: await db.occupancyQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } }),
  };
}

const counts = async () => {
  const { db } = database;
  return [await db.minuteHour.count(), await db.snapshotHour.count(), await db.rollingHour.count()];
};

test('rows of days before yesterday are packed, and read as they were', async () => {
  const { db } = database;
  const scenes = [await addScene(), await addScene()] as const;
  const readAll = () => Promise.all(scenes.map(({ id }) => all(id)));
  const before = await readAll();
  expect(before[0]?.minutes).toHaveLength(273);
  await packAll();
  expect(await readAll()).toEqual(before);
  expect(await counts()).toEqual([2 * PACKED_HOURS, 2 * PACKED_HOURS, 2 * 2 * PACKED_HOURS]);
  expect((await db.occupancyMinute.aggregate({ _min: { minute: true } }))._min.minute).toEqual(YESTERDAY);
  expect((await db.metricSnapshot.aggregate({ _min: { windowEnd: true } }))._min.windowEnd).toEqual(
    YESTERDAY,
  );
  expect((await db.rollingRecord.aggregate({ _min: { windowEnd: true } }))._min.windowEnd).toEqual(YESTERDAY);
});

test('programs that pack at the same time lose nothing and count nothing twice', async () => {
  const scene = await addScene();
  const before = await all(scene.id);
  for (let turn = 0; turn < 3; turn++) await Promise.all([pack(), pack(), pack()]);
  expect(await all(scene.id)).toEqual(before);
  expect(await counts()).toEqual([PACKED_HOURS, PACKED_HOURS, 2 * PACKED_HOURS]);
});

test('rows that come late join their hour, and count with its quarter; those that were stored before are not packed twice', async () => {
  const { db } = database;
  const scene = await addScene();
  await packAll();
  const late = FIRST + STEP_MS / 20;
  await insertRows(db, 'OccupancyMinute', [minute(scene.id, late)]);
  await insertRows(db, 'MetricSnapshot', [snapshot(scene, late), snapshot(scene, FIRST)]);
  const before = await all(scene.id);
  expect(before.quarters[0]).toMatchObject({ coveredMs: 120_000, minuteMaxima: [3, 3] });
  await packAll();
  const after = await all(scene.id);
  expect(after).toEqual({ ...before, snapshots: expect.anything() });
  expect(before.snapshots).toHaveLength(275);
  expect(after.snapshots).toHaveLength(274);
  expect(await counts()).toEqual([PACKED_HOURS, PACKED_HOURS, 2 * PACKED_HOURS]);
});

test('rows of a node whose clock is behind, of recordings and of version 0.2 stay as they are', async () => {
  const { db } = database;
  const behind = await addScene(new Date(FIRST + 2 * STEP_MS));
  const never = await addScene(null);
  const recorded = await addScene();
  const { userId, deviceId } = recorded;
  await db.recording.create({
    data: {
      ...{
        userId,
        deviceId,
        sceneId: recorded.id,
        name: 'Monday',
        objectKey: 'x',
        sizeBytes: 1,
        format: 'mp4',
      },
      ...{ codec: 'h264', durationMs: 1, width: 1, height: 1, timezone: 'UTC', recordedAt: new Date(FIRST) },
    },
  });
  const old = await addScene();
  await db.$executeRaw`UPDATE "MetricSnapshot" SET numbers = NULL, "currentMetrics" = '{}' WHERE "sceneId" = ${old.id}::uuid`;
  await packAll();
  for (const { id: sceneId } of [behind, never, recorded])
    expect(await db.minuteHour.count({ where: { sceneId } })).toBe(0);
  expect(await db.snapshotHour.count()).toBe(0);
  expect(await db.rollingHour.count({ where: { sceneId: old.id } })).toBe(2 * PACKED_HOURS);
});

test('nothing is packed on the day of the upgrade, beside programs of the version before', async () => {
  const { db } = database;
  await addScene();
  const tomorrow = new Date(Date.now() + 26 * HOUR_MS);
  const { sceneId } = await db.occupancyMinute.findFirstOrThrow();
  await insertRows(db, 'OccupancyMinute', [minute(sceneId, Date.UTC(2026, 0, 1))]);
  await db.scene.updateMany({ data: { metricsUpdatedAt: tomorrow } });
  await packRows({ db, clock: { now: () => new Date() } });
  expect(await db.minuteHour.count()).toBe(0);
  await packRows({ db, clock: { now: () => tomorrow } });
  expect(await db.minuteHour.count()).toBe(1);
});

test('while an erasure of the user runs, nothing of the user is packed', async () => {
  const { db } = database;
  const scene = await addScene();
  const other = await addScene();
  const range = { rangeFrom: new Date(0), rangeTo: NOW };
  const job = await db.dataJob.create({
    data: { userId: scene.userId, kind: 'erasure', status: 'running', ...range },
  });
  await packAll();
  expect(await db.minuteHour.count({ where: { sceneId: scene.id } })).toBe(0);
  expect(await db.minuteHour.count({ where: { sceneId: other.id } })).toBe(PACKED_HOURS);
  await db.dataJob.update({ where: { id: job.id }, data: { status: 'completed' } });
  await packAll();
  expect(await db.minuteHour.count({ where: { sceneId: scene.id } })).toBe(PACKED_HOURS);
});

test('a partition whose rows are all packed is dropped', async () => {
  const { db } = database;
  for (const [spec, day] of [
    [MINUTES, '2031-04-20'],
    [SNAPSHOTS, '2031-05-06'],
  ] as const)
    expect(await createPartitions(db, spec, new Date(day))).toBeNull();
  const names = async () =>
    [...(await listPartitions(db, SNAPSHOTS)), ...(await listPartitions(db, MINUTES))].flatMap(
      ({ name, from, isDefault }) => (isDefault || (from && from < new Date('2031-01-01')) ? [] : name),
    );
  const scene = await addScene();
  await insertRows(db, 'OccupancyMinute', [minute(scene.id, Date.UTC(2031, 3, 20))]);
  const before = await all(scene.id);
  expect(await names()).toContain('MetricSnapshot_2031_05_08');
  await packAll();
  expect(await names()).toEqual([
    ...['09', '10', '11', '12', '13'].map((day) => `MetricSnapshot_2031_05_${day}`),
    'OccupancyMinute_2031_05',
  ]);
  expect(await all(scene.id)).toEqual(before);
});

test('rows are as they were when all hours are unpacked, in partitions of their days', async () => {
  const { db } = database;
  const scenes = [await addScene(), await addScene()];
  const readAll = () => Promise.all(scenes.map(({ id }) => all(id)));
  const before = await readAll();
  await packAll();
  for (const spec of PACKED) await unpackAll(db, spec, () => undefined);
  expect(await counts()).toEqual([0, 0, 0]);
  expect(await readAll()).toEqual(before);
  expect((await listPartitions(db, SNAPSHOTS)).map(({ name }) => name)).toContain(
    'MetricSnapshot_2031_05_07',
  );
});

test('packed snapshots and rolling records are removed after their retention', async () => {
  const { db } = database;
  await addScene();
  await packAll();
  const config = { snapshotRetentionDays: 2, rollingRetentionDays: 3 } as never;
  await removeOldMetrics({ db, config, clock: { now: () => NOW } });
  const first = { orderBy: { hour: 'asc' }, select: { hour: true } } as const;
  // Of the hour in which the days of retention begin all rows stay.
  expect(await db.snapshotHour.findFirst(first)).toEqual({ hour: new Date('2031-05-08T15:00:00Z') });
  expect(await db.rollingHour.findFirst(first)).toEqual({ hour: new Date('2031-05-07T15:00:00Z') });
});

test('the lists of the packed tables are the columns of the tables', async () => {
  const { db } = database;
  const columnsOf = async (table: string) =>
    (
      await db.$queryRaw<{ name: string }[]>`
        SELECT attname::text AS name FROM pg_attribute
        WHERE attrelid = ${`"${table}"`}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 1`
    ).map(({ name }) => name);
  for (const { rows, hours, key, lists } of PACKED) {
    expect(await columnsOf(hours)).toEqual(['hour', 'rows', ...key, ...lists].sort());
    // The numbers of version 0.2 are JSON, which is not packed.
    const ofRows = (await columnsOf(rows.table)).filter(
      (name) => !['metrics', 'currentMetrics'].includes(name),
    );
    expect(ofRows).toEqual([...key, ...lists].sort());
  }
  expect(PACKED_MINUTES.lists).toContain('stepsMs');
});
