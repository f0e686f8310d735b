import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { removeHours, removeOldHours, removeOldMinutes } from '../../../src/metrics/packed/pack.store.ts';
import { packRows } from '../../../src/metrics/packed/pack-rows.job.ts';
import { PACKED, PACKED_MINUTES, PACKED_SNAPSHOTS } from '../../../src/metrics/packed/packed-tables.ts';
import { currentBytes, windowBytes } from '../../../src/metrics/stored-numbers.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../../src/platform/database/partitions/partitions.store.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2031-05-10T15:00:00Z');
const YESTERDAY = Date.UTC(2031, 4, 9);
/** The first row, in the evening of the sixth: rows of the ninth and tenth stay as they are. */
const FIRST = Date.UTC(2031, 4, 6, 20);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => database.db.user.deleteMany());

/** A scene with a row of each kind every 20 minutes from FIRST to NOW. */
async function addScene({ newest = NOW as Date | null } = {}) {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  await db.scene.update({ where: { id: scene.id }, data: { metricsUpdatedAt: newest } });
  await db.sceneTotals.create({ data: { sceneId: scene.id, since: new Date(0) } });
  const random = createRandom(3);
  const times = Array.from(
    { length: Math.ceil((NOW.getTime() - FIRST) / (HOUR_MS / 3)) },
    (_, at) => FIRST + (at * HOUR_MS) / 3,
  );
  const place = { sceneId: scene.id, deviceId: scene.deviceId };
  const window = (at: number, lengthMs: number) => ({
    windowStart: new Date(at - lengthMs),
    windowEnd: new Date(at),
    createdAt: new Date(at + 5),
  });
  await insertRows(
    db,
    'OccupancyMinute',
    times.map((at) => ({
      sceneId: scene.id,
      minute: new Date(at),
      coveredMs: 60_000,
      inQueueMs: at % 7_919,
      inServiceMs: 60_000,
      busyMs: 60_000,
      maxInQueue: 3,
      maxInService: 1,
      tillKnownMs: at % 3 === 0 ? null : 60_000,
    })),
  );
  await insertRows(
    db,
    'MetricSnapshot',
    times.map((at) => ({
      ...place,
      ...window(at, 10_000),
      durationSeconds: 10,
      numbers: Buffer.from(currentBytes(sampleMetrics(random).current)),
    })),
  );
  await insertRows(
    db,
    'RollingRecord',
    times.flatMap((at) =>
      ['5min', 'total'].map((windowType) => ({
        ...place,
        ...window(at, 300_000),
        windowType,
        numbers: Buffer.from(windowBytes(sampleMetrics(random)['5min'])),
      })),
    ),
  );
  return scene;
}

const pack = () => packRows({ db: database.db, clock: { now: () => NOW } });
const all = async (sceneId: string) => {
  const { db } = database;
  const range = [sceneId, '-infinity', 'infinity'];
  return {
    minutes: await db.$queryRawUnsafe<{ minute: Date }[]>(
      'SELECT * FROM all_minutes(ARRAY[$1::uuid], $2::timestamptz, $3::timestamptz) ORDER BY minute',
      ...range,
    ),
    snapshots: await db.$queryRawUnsafe<{ windowEnd: Date }[]>(
      'SELECT * FROM all_snapshots($1::uuid, $2::timestamptz, $3::timestamptz) ORDER BY "windowEnd"',
      ...range,
    ),
    rolling: await db.$queryRawUnsafe<{ windowEnd: Date }[]>(
      `SELECT * FROM all_rolling($1::uuid, '{5min,total}', $2::timestamptz, $3::timestamptz) ORDER BY "windowEnd", "windowType"`,
      ...range,
    ),
    quarters: await db.occupancyQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } }),
  };
};

test('rows of days before yesterday are packed, and read as they were', async () => {
  const { db } = database;
  const scene = await addScene();
  const other = await addScene();
  const before = [await all(scene.id), await all(other.id)];
  await pack();
  await pack();
  expect([await all(scene.id), await all(other.id)]).toEqual(before);
  // 4 hours of the sixth and two days.
  expect(await db.minuteHour.count()).toBe(2 * 52);
  expect(await db.snapshotHour.count()).toBe(2 * 52);
  expect(await db.rollingHour.count()).toBe(2 * 2 * 52);
  for (const first of [
    (await db.occupancyMinute.findFirstOrThrow({ orderBy: { minute: 'asc' } })).minute,
    (await db.metricSnapshot.findFirstOrThrow({ orderBy: { windowEnd: 'asc' } })).windowEnd,
    (await db.rollingRecord.findFirstOrThrow({ orderBy: { windowEnd: 'asc' } })).windowEnd,
  ])
    expect(first).toEqual(new Date(YESTERDAY));
});
