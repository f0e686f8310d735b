import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { SNAPSHOTS } from '../../../src/metrics/partitions.ts';
import { fillIndexes } from '../../../src/platform/database/fill-indexes.store.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const DAY = new Date('2030-05-10T00:00:00Z');
const OVER = new Date('2030-05-11T02:00:00Z');
const TABLES = ['Visit', 'MetricSnapshot'];

let database: TestDatabase;
let scenes: { sceneId: string; deviceId: string; taskId: string }[];
beforeAll(async () => {
  database = await testDatabase();
  scenes = [];
  for (let at = 0; at < 4; at++) {
    const { task } = await queueScene(database.db, await addDevice(database.db));
    scenes.push({ sceneId: task.sceneId, deviceId: task.deviceId, taskId: task.id });
  }
  await createPartitions(database.db, SNAPSHOTS, DAY);
});
afterAll(() => database.drop());

const sql = <Row>(text: string, ...values: unknown[]) => database.db.$queryRawUnsafe<Row[]>(text, ...values);

/** Rows of each scene in the order of time, from the `first` one on. */
async function store(first: number, count: number): Promise<void> {
  for (let at = first; at < first + count; at += 100)
    for (const { sceneId, deviceId, taskId } of scenes) {
      // One hundred rows of each scene, so that pages split in their middle.
      await sql(
        `INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds")
         SELECT $1::uuid, $2::uuid, at, at, 10 FROM (SELECT $3::timestamptz + n * interval '10 s' AS at FROM generate_series($4::int, $4 + 99) n) t`,
        ...[sceneId, deviceId, DAY.toISOString(), at],
      );
      await sql(
        `INSERT INTO "Visit" ("sceneId", "taskId", number, "trackId", state, outcome, "arrivalDecidedAt", "outcomeDecidedAt")
         SELECT $1::uuid, $2::uuid, n, 1, 'closed', 'completed', $3::timestamptz, $3::timestamptz + n * interval '1 s'
         FROM generate_series($4::int, $4 + 99) n`,
        ...[sceneId, taskId, DAY.toISOString(), at],
      );
    }
  await sql('ANALYZE "Visit"');
  await sql('ANALYZE "MetricSnapshot"');
}

const fill = (now: Date, lockMs = 60_000) =>
  fillIndexes(database.db, database.url, { tables: TABLES, now, leastBytes: 16_384, lockMs });
const bytes = async () =>
  Object.fromEntries(
    (
      await sql<{ name: string; bytes: number }>(`
        SELECT t.relname AS name, sum(pg_relation_size(i.indexrelid))::float8 AS bytes FROM pg_index i
        JOIN pg_class t ON t.oid = i.indrelid WHERE t.relname IN ('Visit', 'MetricSnapshot_2030_05_10') GROUP BY 1`)
    ).map((row) => [row.name, row.bytes]),
  ) as Record<'Visit' | 'MetricSnapshot_2030_05_10', number>;
const notReady = () =>
  sql(
    `SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE NOT i.indisvalid OR x.relname LIKE '%\\_cc%'`,
  );
const sums = () =>
  sql(`
  SELECT (SELECT md5(string_agg(v::text, ',' ORDER BY v."taskId", v.number)) FROM "Visit" v) AS visits,
    (SELECT md5(string_agg(s::text, ',' ORDER BY s.id)) FROM "MetricSnapshot" s) AS snapshots`);

test('a table at once, a partition when its time is over, and again only after a fifth of growth', async () => {
  await store(1, 1_000);
  const [before, rows] = [await bytes(), await sums()];
  expect(await fill(DAY)).toBe(3);
  const filled = await bytes();
  expect(filled.Visit).toBeLessThan(0.75 * before.Visit);
  expect(filled.MetricSnapshot_2030_05_10).toBe(before.MetricSnapshot_2030_05_10);
  expect(await fill(OVER)).toBe(1);
  expect((await bytes()).MetricSnapshot_2030_05_10).toBeLessThan(0.75 * before.MetricSnapshot_2030_05_10);
  expect(await sums()).toEqual(rows);
  expect(await fill(OVER)).toBe(0);

  await store(1_001, 100);
  expect(await fill(OVER)).toBe(0);
  await store(1_101, 1_000);
  expect(await fill(OVER)).toBeGreaterThan(2);
  expect(await fill(OVER)).toBe(0);
});

const WRITE = `INSERT INTO "Visit" ("sceneId", "taskId", number, "trackId", state, "arrivalDecidedAt") VALUES ($1, $2, $3, 1, 'queued', now())`;

test.each(['waits too long for another transaction', 'is killed'])(
  'a run that %s keeps nobody from writing, and the next one ends its work',
  async (how) => {
    const number = how === 'is killed' ? 100_000 : 200_000;
    const [{ sceneId, taskId }] = scenes as [(typeof scenes)[0]];
    await sql(`COMMENT ON INDEX "Visit_counted_idx" IS NULL`);
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    try {
      await writer.query('BEGIN');
      await writer.query(WRITE, [sceneId, taskId, number]);
      const run = fill(OVER, how === 'is killed' ? 300_000 : 500).catch((error: Error) => error);
      if (how === 'is killed')
        await eventually('the run waits, and can be killed', async () => {
          const killed = await sql(`
            SELECT pg_terminate_backend(pid) AS killed FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'REINDEX%' AND wait_event_type = 'Lock'`);
          return killed.length > 0;
        });
      expect(await run).toEqual(how === 'is killed' ? expect.any(Error) : 0);
      expect(await notReady()).toHaveLength(1);
      // Another writer, beside the one that is not done.
      await sql(WRITE.replaceAll(/\$(1|2)/g, '$$$1::uuid'), sceneId, taskId, number + 1);
      await writer.query('COMMIT');
    } finally {
      await writer.end();
    }
    const rows = await sums();
    expect(await fill(OVER)).toBeGreaterThan(0);
    expect(await notReady()).toEqual([]);
    expect(await sums()).toEqual(rows);
  },
);

test('several at once build each index once', async () => {
  await sql(`COMMENT ON INDEX "Visit_counted_idx" IS NULL`);
  const built = await Promise.all([fill(OVER), fill(OVER), fill(OVER)]);
  expect(built.filter((count) => count > 0)).toHaveLength(1);
  expect(await notReady()).toEqual([]);
});

test('an index whose migration was killed is built again; one that is being built is left alone', async () => {
  expect(await fill(OVER)).toBe(0);
  const [writer, migration] = [database.url, database.url].map(
    (url) => new pg.Client({ connectionString: url }),
  ) as [pg.Client, pg.Client];
  migration.on('error', () => undefined);
  await Promise.all([writer.connect(), migration.connect()]);
  const buildersThatWait = `
    FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'`;
  try {
    const [{ sceneId, taskId }] = scenes as [(typeof scenes)[0]];
    await writer.query('BEGIN');
    await writer.query(WRITE, [sceneId, taskId, 300_000]);
    const killed = migration
      .query('CREATE INDEX CONCURRENTLY IF NOT EXISTS "Visit_late_idx" ON "Visit"("trackId")')
      .catch((error: Error) => error);
    await eventually('the migration waits', async () => (await sql(`SELECT ${buildersThatWait}`)).length > 0);
    expect(await fill(OVER)).toBe(0);
    await sql(`SELECT pg_terminate_backend(pid) ${buildersThatWait}`);
    expect(await killed).toBeInstanceOf(Error);
    await writer.query('COMMIT');
  } finally {
    await Promise.all([writer.end(), migration.end().catch(() => undefined)]);
  }
  expect(await notReady()).toHaveLength(1);
  expect(await fill(OVER)).toBe(1);
  expect(await notReady()).toEqual([]);
  expect(await sql(`SELECT '"Visit_late_idx"'::regclass::text`)).toHaveLength(1);
});
