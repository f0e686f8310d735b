import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { removeOldHistory } from '../../../src/metrics/folded/history-retention.job.ts';
import { MINUTES } from '../../../src/metrics/partitions.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../../src/platform/database/partitions/partitions.store.ts';
import { addMinutes } from '../../analytics/history/history-rows.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const DAY_MS = 86_400_000;
/** Minutes before March 2031 are old. */
const NOW = new Date('2031-05-10T12:00:00Z');
const CONFIG = { minuteRetentionDays: 50, visitRetentionDays: 50 } as never;
const JANUARY = Date.UTC(2031, 0, 31, 23, 59);
const FEBRUARY = Date.UTC(2031, 1, 14);
const MARCH = Date.UTC(2031, 2, 1);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  for (const { name, from } of await listPartitions(db, MINUTES))
    if (from) await db.$executeRawUnsafe(`DROP TABLE partitions."${name}"`);
  for (const month of ['2031-01-10', '2031-03-10'])
    expect(await createPartitions(db, MINUTES, new Date(month))).toBeNull();
});

async function addScene(minutes: readonly number[]) {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  await db.sceneTotals.create({ data: { sceneId: scene.id, since: new Date(0) } });
  await addMinutes(
    db,
    scene.id,
    minutes.map((atMs) => ({ atMs })),
  );
  return scene;
}

const work = () =>
  removeOldHistory({ db: database.db, config: CONFIG, clock: { now: () => NOW } }).then(
    () => null,
    (error: Error) => error.message,
  );
const months = async () =>
  (await listPartitions(database.db, MINUTES)).map(({ name }) => name.replace('OccupancyMinute_', ''));
const minutes = async (sceneId: string) =>
  (await database.db.occupancyMinute.findMany({ where: { sceneId }, orderBy: { minute: 'asc' } })).map(
    (row) => Number(row.minute),
  );
const minutesSince = async (sceneId: string) =>
  (await database.db.sceneTotals.findUniqueOrThrow({ where: { sceneId } })).minutesSince;

test('old months are dropped, and scenes that had minutes in them know since when they have some', async () => {
  const old = await addScene([JANUARY, FEBRUARY, MARCH]);
  const january = await addScene([JANUARY]);
  const young = await addScene([MARCH]);
  const quarters = await database.db.occupancyQuarter.findMany({ orderBy: { quarter: 'asc' } });
  expect(await months()).toEqual(['2031_01', '2031_02', '2031_03', '2031_04', 'default']);
  expect(await work()).toBeNull();
  expect(await months()).toEqual(['2031_03', '2031_04', 'default']);
  expect(await minutes(old.id)).toEqual([MARCH]);
  expect(await minutesSince(old.id)).toEqual(new Date(MARCH));
  expect(await minutesSince(january.id)).toEqual(new Date('2031-02-01'));
  expect(await minutesSince(young.id)).toBeNull();
  expect(await database.db.occupancyQuarter.findMany({ orderBy: { quarter: 'asc' } })).toEqual(quarters);
  expect(await work()).toBeNull();
  expect(await minutes(old.id)).toEqual([MARCH]);
});

test('a month with minutes of a recording stays with these, and goes after the recording', async () => {
  const { db } = database;
  const camera = await addScene([JANUARY, FEBRUARY]);
  const recorded = await addScene([FEBRUARY]);
  const { userId, deviceId, id: sceneId } = recorded;
  await db.recording.create({
    data: {
      ...{
        userId,
        deviceId,
        sceneId,
        name: 'Monday',
        objectKey: 'x',
        sizeBytes: 1,
        format: 'mp4',
        codec: 'h264',
      },
      ...{ durationMs: 1, width: 1, height: 1, timezone: 'UTC', recordedAt: new Date(FEBRUARY) },
    },
  });
  expect(await work()).toBeNull();
  expect(await months()).toEqual(['2031_02', '2031_03', '2031_04', 'default']);
  expect([await minutes(camera.id), await minutes(sceneId)]).toEqual([[], [FEBRUARY]]);
  expect(await minutesSince(camera.id)).toEqual(new Date(FEBRUARY + DAY_MS));
  expect(await minutesSince(sceneId)).toBeNull();
  await db.recording.deleteMany();
  expect(await work()).toBeNull();
  expect(await months()).toEqual(['2031_03', '2031_04', 'default']);
});

test('minutes that no month holds go one by one', async () => {
  const scene = await addScene([Date.UTC(2030, 5, 1), FEBRUARY, Date.UTC(2040, 0, 1)]);
  expect(await work()).toBeNull();
  expect(await minutes(scene.id)).toEqual([Date.UTC(2040, 0, 1)]);
});

test('a month that a reader holds stays whole until the next run, and after days the reason is told', async () => {
  const { db } = database;
  const scene = await addScene([JANUARY, FEBRUARY]);
  await db.$transaction(async (tx) => {
    await tx.occupancyMinute.count();
    expect(await work()).toMatch(/^Partitions of "OccupancyMinute" .* other transactions hold the table/);
    expect(await minutes(scene.id)).toEqual([JANUARY, FEBRUARY]);
    expect(await minutesSince(scene.id)).toBeNull();
  });
  expect(await work()).toBeNull();
  expect(await minutes(scene.id)).toEqual([]);
});
