import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTES, ROLLING_RECORDS, SNAPSHOTS } from '../../../../src/metrics/partitions.ts';
import { createDb, type Db, type Tx } from '../../../../src/platform/database/db.ts';
import {
  createPartitions,
  AHEAD as PERIODS_AHEAD,
} from '../../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../../../src/platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../../../../src/platform/database/partitions/remove-old-partitions.store.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { addDevice, queueScene } from '../../../support/rows/runs.ts';
import { onServer, testServer } from '../../../support/servers/cluster.ts';

const DAY_MS = 86_400_000;
/** Far from the days of the migration. */
const NOW = new Date('2030-05-10T15:00:00Z');
const day = (days: number, hours = 0) =>
  new Date(Date.parse('2030-05-10T00:00:00Z') + days * DAY_MS + hours * 3_600_000);

let database: TestDatabase;
let db: Db;
let scene: { sceneId: string; deviceId: string };
beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
  const { task } = await queueScene(db, await addDevice(db));
  scene = { sceneId: task.sceneId, deviceId: task.deviceId };
});
afterAll(() => database.drop());

beforeEach(async () => {
  for (const spec of [SNAPSHOTS, ROLLING_RECORDS])
    for (const { name, isDefault } of await listPartitions(db, spec))
      if (!isDefault) await db.$executeRawUnsafe(`DROP TABLE partitions."${name}"`);
  await db.metricSnapshot.deleteMany();
  await db.rollingRecord.deleteMany();
});

const store = (client: Db, windowEnd: Date, createdAt = windowEnd) =>
  client.metricSnapshot.createMany({
    data: [
      {
        ...scene,
        windowStart: new Date(windowEnd.getTime() - 10_000),
        windowEnd,
        durationSeconds: 10,
        currentMetrics: {},
        createdAt,
      },
    ],
    skipDuplicates: true,
  });

/** One row every six hours of a range of days, each created when it ended. */
async function fill(from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 0.25) await store(db, day(at));
}

const days = async () => (await listPartitions(db, SNAPSHOTS)).map(({ name }) => name.slice(15));
const ends = async (client: Db = db) =>
  (await client.metricSnapshot.findMany({ orderBy: { windowEnd: 'asc' } })).map(({ windowEnd }) => windowEnd);
const rowsIn = async (partition: string) => {
  const [{ rows }] = await db.$queryRawUnsafe<[{ rows: number }]>(
    `SELECT count(*)::int AS rows FROM partitions."MetricSnapshot_${partition}"`,
  );
  return rows;
};
const AHEAD = Array.from({ length: PERIODS_AHEAD.day + 1 }, (_, at) => `2030_05_${10 + at}`);

describe('creation', () => {
  test('makes today and the next days once, also where two programs do it at the same time', async () => {
    const results = await Promise.all([1, 2, 3].map(() => createPartitions(db, SNAPSHOTS, NOW)));
    expect(results).toEqual([null, null, null]);
    expect(await createPartitions(db, SNAPSHOTS, NOW)).toBeNull();
    expect(await days()).toEqual([...AHEAD, 'default']);
    expect(await createPartitions(db, SNAPSHOTS, day(1, 3))).toBeNull();
    expect(await days()).toEqual([...AHEAD, '2030_05_18', 'default']);
  });

  test('each row lies in the partition of its day, and in the default one where there is none', async () => {
    await createPartitions(db, SNAPSHOTS, NOW);
    for (const at of [day(-100), day(0), day(0, 23.999), day(1), day(400)]) await store(db, at);
    await store(db, day(1));
    expect(await rowsIn('2030_05_10')).toBe(2);
    expect(await rowsIn('2030_05_11')).toBe(1);
    expect(await rowsIn('default')).toBe(2);
    expect(await ends()).toEqual([day(-100), day(0), day(0, 23.999), day(1), day(400)]);
  });

  test('a partition has the indexes, checks and foreign key of its table, and names its rows in replication', async () => {
    await createPartitions(db, ROLLING_RECORDS, NOW);
    const shapes = await db.$queryRaw<{ shape: unknown }[]>`
      SELECT DISTINCT jsonb_build_array(c.relreplident,
        (SELECT jsonb_agg(DISTINCT a.conname) FROM pg_constraint a WHERE a.conrelid = c.oid AND a.contype IN ('c', 'f')),
        (SELECT jsonb_agg(d.definition ORDER BY d.definition)
         FROM (SELECT regexp_replace(pg_get_indexdef(indexrelid), '.* USING', '') AS definition FROM pg_index
               WHERE indrelid = c.oid) d)) AS shape
      FROM pg_partition_tree('"RollingRecord"') p JOIN pg_class c ON c.oid = p.relid`;
    expect(shapes).toHaveLength(1);
    expect(shapes[0]!.shape).toEqual([
      'i',
      ['RollingRecord_sceneId_fkey', 'RollingRecord_windowType_check'],
      [expect.stringContaining('"createdAt"'), expect.stringContaining('"windowEnd", "windowType"')],
    ]);
  });

  test('a table of months has the one of now and the next one, also over the end of a year', async () => {
    expect(await createPartitions(db, MINUTES, new Date('2030-12-31T23:59:59Z'))).toBeNull();
    expect(await createPartitions(db, MINUTES, new Date('2031-01-31T12:00:00Z'))).toBeNull();
    const made = (await listPartitions(db, MINUTES)).filter(({ from }) => from && from > day(0));
    expect(made.map(({ name, from, to }) => [name, from?.toISOString(), to?.toISOString()])).toEqual(
      [
        ['2030_12', '2030-12', '2031-01'],
        ['2031_01', '2031-01', '2031-02'],
        ['2031_02', '2031-02', '2031-03'],
      ].map(([name, from, to]) => [
        `OccupancyMinute_${name}`,
        `${from}-01T00:00:00.000Z`,
        `${to}-01T00:00:00.000Z`,
      ]),
    );
  });

  test('a service that stood still goes on: what it wrote first moves into the partition of its day', async () => {
    await fill(0, 1);
    await store(db, day(3));
    expect(await createPartitions(db, SNAPSHOTS, NOW)).toBeNull();
    expect(await rowsIn('2030_05_10')).toBe(4);
    expect(await rowsIn('2030_05_13')).toBe(1);
    expect(await rowsIn('default')).toBe(0);
    expect(await createPartitions(db, SNAPSHOTS, day(90))).toBeNull();
    expect((await days()).length).toBe(2 * (PERIODS_AHEAD.day + 1) + 1);
  });

  test('a day with many rows in the default partition stays there, and the next days are made', async () => {
    await db.$executeRaw`
      INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", "currentMetrics")
      SELECT ${scene.sceneId}::uuid, ${scene.deviceId}::uuid, at, at, 1, '{}'
      FROM generate_series(1, 10001) n, LATERAL (SELECT ${day(2)}::timestamptz + n * interval '1 s' AS at) t`;
    expect(await createPartitions(db, SNAPSHOTS, NOW)).toBeNull();
    expect(await days()).toEqual([...AHEAD.filter((name) => name !== '2030_05_12'), 'default']);
    expect(await rowsIn('default')).toBe(10_001);
    await store(db, day(2, 20));
    expect(await rowsIn('default')).toBe(10_002);
  });

  test('makes none beside a large default partition until somebody asks for it', async () => {
    await fill(-3, -2);
    expect(await createPartitions(db, SNAPSHOTS, NOW, { mostBytes: 1_000 })).toMatch(
      /npm run admin -- make-partitions/,
    );
    expect(await days()).toEqual(['default']);
    expect(await createPartitions(db, SNAPSHOTS, NOW, { mostBytes: Infinity })).toBeNull();
    expect(await createPartitions(db, SNAPSHOTS, NOW, { mostBytes: 1_000 })).toBeNull();
    expect(await rowsIn('default')).toBe(4);
  });

  test('gives way to a transaction that holds the table, and makes the partitions afterwards', async () => {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE "Scene" IN ROW EXCLUSIVE MODE`;
      expect(await createPartitions(db, SNAPSHOTS, NOW)).toMatch(/other transactions hold the table/);
      expect(await days()).toEqual(['default']);
    });
    expect(await createPartitions(db, SNAPSHOTS, NOW)).toBeNull();
    expect(await days()).toEqual([...AHEAD, 'default']);
  });
});

describe('removal', () => {
  test('drops days whose rows are old, and leaves rows of other partitions with the same place alone', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    await createPartitions(db, SNAPSHOTS, day(8));
    await fill(0, 15);
    await store(db, day(-50));
    await store(db, day(-49), day(5));
    await store(db, day(500), day(1));
    await store(db, day(501), day(20));
    expect(await removeOldPartitions(db, SNAPSHOTS, day(4, 12))).toBeNull();
    expect((await days())[0]).toBe('2030_05_14');
    // The day of the limit stays whole until all of it is old.
    const left = Array.from({ length: 44 }, (_, at) => day(4 + at / 4));
    expect(await ends()).toEqual([day(-49), ...left, day(501)]);
  });

  test('a day keeps young rows of a recording; its old rows go, and later the whole day', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    await fill(0, 2);
    await store(db, day(0, 1), day(20));
    expect(await removeOldPartitions(db, SNAPSHOTS, day(10))).toBeNull();
    expect(await ends()).toEqual([day(0, 1)]);
    expect((await days())[0]).toBe('2030_05_10');
    expect(await removeOldPartitions(db, SNAPSHOTS, day(21))).toBeNull();
    expect(await days()).toEqual(['default']);
  });

  test('after months without a run drops everything that is old, and more than one batch of the default partition', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    await fill(0, 8);
    await db.$executeRaw`
      INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", "currentMetrics", "createdAt")
      SELECT ${scene.sceneId}::uuid, ${scene.deviceId}::uuid, at, at, 1, '{}', at
      FROM generate_series(1, 4500) n, LATERAL (SELECT ${day(30)}::timestamptz + n * interval '1 min' AS at) t`;
    expect(await removeOldPartitions(db, SNAPSHOTS, day(200))).toBeNull();
    expect(await days()).toEqual(['default']);
    expect(await ends()).toEqual([]);
  });

  test('gives way to a reader, keeps the day until the next run, and reports it only after days', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    await fill(0, 1);
    await db.$transaction(async (tx) => {
      await tx.metricSnapshot.count();
      expect(await removeOldPartitions(db, SNAPSHOTS, day(1))).toBeNull();
      expect(await removeOldPartitions(db, SNAPSHOTS, day(3))).toBeNull();
      expect(await ends()).toHaveLength(4);
      expect(await removeOldPartitions(db, SNAPSHOTS, day(4))).toMatch(/other transactions hold the table/);
    });
    expect(await removeOldPartitions(db, SNAPSHOTS, day(4))).toBeNull();
    expect(await ends()).toEqual([]);
    expect((await days())[0]).toBe('2030_05_14');
  });

  test('by ctid alone is refused, because it would take rows of other partitions too', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    await fill(0, 2);
    await expect(db.$executeRaw`
      DELETE FROM "MetricSnapshot" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "MetricSnapshot" t WHERE t."createdAt" < ${day(1)} LIMIT 10))`).rejects.toThrow(
      /cannot be removed by ctid/,
    );
    expect(await ends()).toHaveLength(8);
    await db.scene.delete({ where: { id: await sceneWithRow() } });
    expect(await ends()).toHaveLength(8);
  });
});

/** A scene with a snapshot of its own. */
async function sceneWithRow(): Promise<string> {
  const { task } = await queueScene(db, await addDevice(db));
  await db.metricSnapshot.create({
    data: {
      ...{ sceneId: task.sceneId, deviceId: task.deviceId, currentMetrics: {} },
      ...{ windowStart: day(0), windowEnd: day(0), durationSeconds: 10 },
    },
  });
  return task.sceneId;
}

/** A client whose session dies before the given statement of its transactions. */
function dyingAt(statement: number): Db {
  let count = 0;
  const dying = (tx: Tx) =>
    new Proxy(tx, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...values: unknown[]) => unknown;
        if (typeof method !== 'function') return method;
        return async (...values: unknown[]) => {
          count += 1;
          if (count === statement) throw new Error('killed');
          return method.apply(target, values);
        };
      },
    });
  return new Proxy(db, {
    get(target, name) {
      if (name !== '$transaction') return Reflect.get(target, name) as unknown;
      return (work: (tx: Tx) => unknown) => target.$transaction(async (tx) => work(dying(tx)));
    },
  });
}

describe('a process that is killed', () => {
  test('at any statement of the creation leaves every row and no half partition', async () => {
    let deaths = 0;
    for (; ; deaths++) {
      await fill(0, 2);
      const died = await createPartitions(dyingAt(deaths + 1), SNAPSHOTS, NOW).catch((error: Error) => error);
      expect(await ends()).toHaveLength(8);
      const stray = await db.$queryRaw`
        SELECT relname FROM pg_class WHERE relnamespace = 'partitions'::regnamespace AND relkind = 'r' AND NOT relispartition`;
      expect(stray).toEqual([]);
      if (died === null) break;
      expect(died).toEqual(new Error('killed'));
    }
    // Each statement of the first day, and some of the next ones.
    expect(deaths).toBeGreaterThan(12);
    expect(await days()).toEqual([...AHEAD, 'default']);
  });

  test('at any statement of the removal leaves young rows, and the next run ends the work', async () => {
    await createPartitions(db, SNAPSHOTS, NOW);
    let deaths = 0;
    for (; ; deaths++) {
      await fill(5, 7);
      const died = await removeOldPartitions(dyingAt(deaths + 1), SNAPSHOTS, day(4)).catch(
        (error: Error) => error,
      );
      expect(await ends()).toHaveLength(8);
      if (died === null) break;
    }
    expect(deaths).toBeGreaterThan(4);
    expect((await days())[0]).toBe('2030_05_14');
  });
});

describe('a database role without the right to make partitions', () => {
  const role = `writer_${randomBytes(6).toString('hex')}`;
  let writer: Db;
  beforeAll(async () => {
    await db.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    await db.$executeRawUnsafe(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    const url = new URL(database.url);
    url.username = role;
    url.password = role;
    writer = createDb(url.href);
  });
  afterEach(() => writer?.$disconnect());
  afterAll(async () => {
    await db.$executeRawUnsafe(`DROP OWNED BY ${role}`);
    await onServer((await testServer()).url, (client) => client.query(`DROP ROLE ${role}`));
  });

  test('says so, writes into the default partition, and removes old rows one by one', async () => {
    await createPartitions(db, SNAPSHOTS, day(0));
    expect(await createPartitions(writer, SNAPSHOTS, day(20))).toMatch(
      /^The database role may not make or drop partitions of "MetricSnapshot"/,
    );
    for (const at of [day(0), day(1), day(20), day(21)]) await store(writer, at);
    expect(await rowsIn('default')).toBe(2);
    expect(await ends(writer)).toHaveLength(4);
    expect(await removeOldPartitions(writer, SNAPSHOTS, day(20, 12))).toMatch(/removed one by one/);
    expect(await ends(writer)).toEqual([day(21)]);
    expect((await days())[0]).toBe('2030_05_10');
  });
});
