import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { ROLLING_RECORDS, SNAPSHOTS } from '../../src/metrics/partitions.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { createPartitions } from '../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../src/platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../../src/platform/database/partitions/remove-old-partitions.store.ts';
import { connect, endOldDatabases, oldDatabase, openDb, sqlOf } from '../support/old-database.ts';
import { testServer, withDatabase } from '../support/servers/cluster.ts';

const FIRST = '20261126140000_metrics_end_before_partitions';
const CHECKED = '20261126140010_metrics_end_checked';
const LAST = '20261126140020_metrics_in_partitions';
const DAY_MS = 86_400_000;

afterEach(endOldDatabases);

/** Rows back to 20 days ago, one with a clock that is far ahead. */
const fill = (client: pg.Client, rows: number) =>
  client.query(`
    INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", "currentMetrics", "createdAt")
      SELECT id, "deviceId", at, at, 10, '{}', at FROM "Scene", generate_series(0, ${rows - 1}) n,
        LATERAL (SELECT now() - n * interval '20 days' / ${rows} AS at) t;
    INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", "currentMetrics")
      SELECT id, "deviceId", now() + interval '8 days', now() + interval '10 days', 10, '{}' FROM "Scene";
    INSERT INTO "RollingRecord" ("sceneId", "deviceId", "windowType", "windowStart", "windowEnd", metrics, "createdAt")
      SELECT "sceneId", "deviceId", 'total', "windowStart", "windowEnd", '{}', "createdAt" FROM "MetricSnapshot"`);

/** What the version before writes. @returns the id of the row */
async function writeAsBefore(client: pg.Client): Promise<string> {
  const id = randomUUID();
  const { rowCount } = await client.query(
    `INSERT INTO "public"."MetricSnapshot" ("id", "sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", "currentMetrics")
     SELECT $1, id, "deviceId", now(), clock_timestamp(), 10, '{}' FROM "Scene" ON CONFLICT DO NOTHING`,
    [id],
  );
  expect(rowCount).toBe(1);
  return id;
}

async function contents(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    SELECT (SELECT jsonb_agg(to_jsonb(s) ORDER BY "windowEnd") FROM "MetricSnapshot" s) AS snapshots,
           (SELECT jsonb_agg(to_jsonb(r) ORDER BY "windowEnd") FROM "RollingRecord" r) AS rolling`);
  return rows[0];
}

const namesOf = async (db: Db) =>
  (await listPartitions(db, SNAPSHOTS)).map(({ schema, name }) => `${schema}.${name}`);

test('a filled database keeps every row and right, and the former table goes when its rows are old', async () => {
  const { client, url, writer } = await oldDatabase(FIRST);
  await client.query(
    `GRANT SELECT, INSERT ON "MetricSnapshot" TO ${writer}; GRANT SELECT ON "RollingRecord" TO ${writer} WITH GRANT OPTION`,
  );
  await fill(client, 12_000);
  const stored = await contents(client);
  await client.query(sqlOf(FIRST));
  // An interrupted migration holds up nobody.
  const id = await writeAsBefore(client);
  await client.query('DELETE FROM "MetricSnapshot" WHERE id = $1', [id]);
  await client.query(sqlOf(CHECKED));
  await client.query(sqlOf(LAST));
  expect(await contents(client)).toEqual(stored);

  const db = openDb(url);
  expect(await namesOf(db)).toEqual([
    'partitions.MetricSnapshot_before',
    'partitions.MetricSnapshot_default',
  ]);
  await writeAsBefore(client);
  const { rows } = await client.query(`
    SELECT table_name AS "table", string_agg(privilege_type || ' ' || is_grantable, ', ' ORDER BY privilege_type) AS rights
    FROM information_schema.role_table_grants WHERE grantee = '${writer}' AND table_schema = 'public' GROUP BY 1 ORDER BY 1`);
  expect(rows).toEqual([
    { table: 'MetricSnapshot', rights: 'INSERT NO, SELECT NO' },
    { table: 'RollingRecord', rights: 'SELECT YES' },
  ]);

  const now = Date.now();
  for (const spec of [SNAPSHOTS, ROLLING_RECORDS]) {
    const [former] = await listPartitions(db, spec);
    const days = (former!.to!.getTime() - now) / DAY_MS;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(8);
    // The first day after the former table.
    expect(await createPartitions(db, spec, new Date(now + 2 * DAY_MS))).toBeNull();
    expect((await listPartitions(db, spec)).filter(({ from }) => from).length).toBeGreaterThan(0);
    // Row by row while it has young rows.
    expect(await removeOldPartitions(db, spec, new Date(now - 5 * DAY_MS))).toBeNull();
  }
  const left = await db.metricSnapshot.aggregate({ _min: { createdAt: true }, _count: true });
  expect(left._count).toBe(3002);
  expect(left._min.createdAt!.getTime()).toBeGreaterThanOrEqual(now - 5 * DAY_MS);
  expect(await db.rollingRecord.count()).toBe(3001);
  expect(await removeOldPartitions(db, SNAPSHOTS, new Date(now + 30 * DAY_MS))).toBeNull();
  expect(await namesOf(db)).not.toContain('partitions.MetricSnapshot_before');
  expect(await db.metricSnapshot.count()).toBe(0);
});

test('a small database has partitions of days at once, with its rows in them', async () => {
  const { client, url } = await oldDatabase(FIRST);
  await fill(client, 40);
  const stored = await contents(client);
  for (const name of [FIRST, CHECKED, LAST]) await client.query(sqlOf(name));
  expect(await contents(client)).toEqual(stored);
  const db = openDb(url);
  const names = await namesOf(db);
  expect(names).toHaveLength(4);
  expect(names.at(-1)).toBe('partitions.MetricSnapshot_default');
  await writeAsBefore(client);
  expect(await createPartitions(db, SNAPSHOTS, new Date())).toBeNull();
});

test.each([12_000, 40])(
  'a role that may not create schemas migrates %i rows, and partitions follow when the schema exists',
  async (rows) => {
    const { client, url, owner } = await oldDatabase(FIRST, { mayCreateSchemas: false });
    await fill(client, rows);
    const stored = await contents(client);
    for (const name of [FIRST, CHECKED, LAST]) await client.query(sqlOf(name));
    expect(await contents(client)).toEqual(stored);
    const db = openDb(url);
    expect(await namesOf(db)).toContain('public.MetricSnapshot_default');
    await writeAsBefore(client);
    const later = new Date(Date.now() + 20 * DAY_MS);
    expect(await createPartitions(db, SNAPSHOTS, later)).toMatch(/may not make or drop partitions/);
    expect(await removeOldPartitions(db, SNAPSHOTS, new Date(Date.now() - 10 * DAY_MS))).toBeNull();
    const server = new URL(url);
    const admin = await connect(withDatabase((await testServer()).url, server.pathname.slice(1)));
    await admin.query(`CREATE SCHEMA partitions AUTHORIZATION ${owner}`);
    expect(await createPartitions(db, SNAPSHOTS, later)).toBeNull();
    expect((await namesOf(db)).filter((name) => name.startsWith('partitions.'))).toHaveLength(8);
  },
);
