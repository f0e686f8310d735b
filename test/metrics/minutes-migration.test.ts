import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { MINUTES } from '../../src/metrics/partitions.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { createPartitions } from '../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../src/platform/database/partitions/partitions.store.ts';
import { endOldDatabases, oldDatabase, openDb, sqlOf } from '../support/old-database.ts';

const FIRST = '20261129100000_minutes_end_before_partitions';
const CHECKED = '20261129100010_minutes_end_checked';
const LAST = '20261129100020_minutes_in_partitions';

afterEach(endOldDatabases);

/** One minute after the other back from now, and one of a clock that is far ahead. */
const fill = (client: pg.Client, rows: number) =>
  client.query(`
    INSERT INTO "OccupancyMinute"
    SELECT id, date_trunc('minute', at, 'UTC'), 60000, 60000, 0, 0, 1, 0 FROM "Scene",
      (SELECT now() - n * interval '1 minute' AS at FROM generate_series(0, ${rows - 1}) n UNION ALL SELECT now() + interval '99 days') t`);

const minutesFromNow = (minutes: number) => new Date((Math.floor(Date.now() / 60_000) + minutes) * 60_000);

/** What the version before writes: twice the same minute. */
async function writeAsBefore(client: pg.Client, minute: Date): Promise<void> {
  for (const covered of [20_000, 40_000]) {
    const { rowCount } = await client.query(
      `INSERT INTO "OccupancyMinute"
       SELECT p.* FROM "Scene" s, jsonb_populate_recordset(NULL::"OccupancyMinute", jsonb_build_array(jsonb_build_object(
         'sceneId', s.id, 'minute', $1::timestamptz, 'coveredMs', $2::int,
         'inQueueMs', 1, 'inServiceMs', 1, 'busyMs', 1, 'maxInQueue', 1, 'maxInService', 1))) p
       ON CONFLICT ("sceneId", minute) DO UPDATE SET "coveredMs" = excluded."coveredMs"`,
      [minute.toISOString(), covered],
    );
    expect(rowCount).toBe(1);
  }
}

async function contents(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    SELECT (SELECT jsonb_agg(to_jsonb(m) ORDER BY minute) FROM "OccupancyMinute" m) AS minutes,
           (SELECT jsonb_agg(to_jsonb(q) ORDER BY quarter) FROM "OccupancyQuarter" q) AS quarters`);
  return rows[0];
}

/** The covered time of all minutes, and by their quarters: the triggers write these. */
async function covered(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    SELECT (SELECT sum("coveredMs")::int FROM "OccupancyMinute") AS minutes, (SELECT sum("coveredMs")::int FROM "OccupancyQuarter") AS quarters`);
  return Object.values(rows[0] as object);
}

const namesOf = async (db: Db) =>
  (await listPartitions(db, MINUTES)).map(({ schema, name }) => `${schema}.${name}`);

test('a filled database keeps every minute, and what is written or removed later changes the quarters of an hour once', async () => {
  const { client, url, writer } = await oldDatabase(FIRST);
  await client.query(`GRANT SELECT ON "OccupancyMinute" TO ${writer}`);
  // Days, whatever the time zone of the server.
  await client.query(`SET timezone = 'Pacific/Auckland'`);
  await fill(client, 12_000);
  const stored = await contents(client);
  await client.query(sqlOf(FIRST));
  // An interrupted migration holds up nobody.
  const later = minutesFromNow(60);
  await writeAsBefore(client, later);
  await client.query('DELETE FROM "OccupancyMinute" WHERE minute = $1', [later]);
  await client.query(sqlOf(CHECKED));
  await client.query(sqlOf(LAST));
  expect(await contents(client)).toEqual(stored);
  const db = openDb(url);
  expect(await namesOf(db)).toEqual([
    'partitions.OccupancyMinute_before',
    'partitions.OccupancyMinute_default',
  ]);
  const [before] = await listPartitions(db, MINUTES);
  expect(before!.to!.toISOString()).toMatch(/-01T00:00:00.000Z$/);
  expect(before!.to!.getTime() - Date.now()).toBeGreaterThan(7.9 * 86_400_000);
  const { rows } = await client.query(
    `SELECT privilege_type FROM information_schema.role_table_grants WHERE grantee = '${writer}' AND table_name = 'OccupancyMinute'`,
  );
  expect(rows).toEqual([{ privilege_type: 'SELECT' }]);
  const all = 12_001 * 60_000;
  expect(await covered(client)).toEqual([all, all]);
  await writeAsBefore(client, minutesFromNow(-20_000));
  expect(await covered(client)).toEqual([all + 40_000, all + 40_000]);
  await client.query(`DELETE FROM "OccupancyMinute" WHERE minute > now() + interval '1 day'`);
  expect(await covered(client)).toEqual([all - 20_000, all - 20_000]);
  // The months after the former table.
  expect(await createPartitions(db, MINUTES, before!.to!)).toBeNull();
  expect(await namesOf(db)).toHaveLength(4);
  await client.query('DELETE FROM "Scene"');
  expect(await covered(client)).toEqual([null, null]);
});

test.each([true, false])('a small database, whose role may create schemas: %s', async (mayCreateSchemas) => {
  const { client, url } = await oldDatabase(FIRST, { mayCreateSchemas });
  await fill(client, 100);
  const stored = await contents(client);
  for (const name of [FIRST, CHECKED, LAST]) await client.query(sqlOf(name));
  expect(await contents(client)).toEqual(stored);
  await writeAsBefore(client, minutesFromNow(-200));
  expect(await covered(client)).toEqual([101 * 60_000 + 40_000, 101 * 60_000 + 40_000]);
  const names = await namesOf(openDb(url));
  expect(names).toHaveLength(mayCreateSchemas ? 3 : 1);
  expect(names.at(-1)).toBe(`${mayCreateSchemas ? 'partitions' : 'public'}.OccupancyMinute_default`);
});
