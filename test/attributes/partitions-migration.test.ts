import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { ATTRIBUTE_RECORDS } from '../../src/attributes/partitions.ts';
import { createPartitions } from '../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../src/platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../../src/platform/database/partitions/remove-old-partitions.store.ts';
import { endOldDatabases, oldDatabase, openDb, sqlOf } from '../support/old-database.ts';

const BY_ID = '20261129110000_attributes_by_id';
const FIRST = '20261129110010_attributes_end_before_partitions';
const CHECKED = '20261129110020_attributes_end_checked';
const LAST = '20261129110030_attributes_in_partitions';
const DAY_MS = 86_400_000;
/** The same moment in each statement. */
const STARTED_AT = new Date();

afterEach(endOldDatabases);

/** Records of the last 20 days, and one of a clock that is far ahead. */
const fill = (client: pg.Client, rows: number) =>
  client.query(`
    INSERT INTO "AttributeRecord" ("userId", "deviceId", "sceneId", "capturedAt", "totalPersons", attributes, known, "coveredKeys", persons, "createdAt", "updatedAt")
    SELECT "userId", "deviceId", id, at, n % 5, '{"female": 1}', '{"female": 2}', '{female}', '[]', at, at
    FROM "Scene", (SELECT n, now() - n * interval '20 days' / ${rows} AS at FROM generate_series(0, ${rows - 1}) n
                   UNION ALL SELECT 1, now() + interval '30 days') t`);

/** The statement of version 0.1.0. @returns whether it was told that the record is new */
async function writeAsBefore(client: pg.Client, daysAgo: number): Promise<boolean> {
  const { rows } = await client.query<{ id: string; isNew: boolean }>(
    `INSERT INTO "AttributeRecord" AS r ("userId", "deviceId", "sceneId", "taskId", "computeNodeId", "insightId", "capturedAt",
       "totalPersons", attributes, known, "coveredKeys", persons, "updatedAt")
     SELECT d."userId", d.id, s.id, NULL, NULL, NULL, $1::timestamptz - $2 * interval '1 day', 0, '{}', '{}', '{}', '[]', clock_timestamp()
     FROM "Device" d JOIN "Scene" s ON s."deviceId" = d.id
     ON CONFLICT ("sceneId", "capturedAt") DO UPDATE SET "insightId" = coalesce(r."insightId", EXCLUDED."insightId")
     RETURNING id, xmax = 0 AS "isNew"`,
    [STARTED_AT, daysAgo],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.isNew;
}

async function contents(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(
    'SELECT jsonb_agg(to_jsonb(r) ORDER BY "capturedAt") AS records FROM "AttributeRecord" r',
  );
  return rows[0];
}

test.each([12_000, 50])(
  'a database with %i records keeps them, and programs of the version before go on storing each record once',
  async (count) => {
    const { client, url } = await oldDatabase(BY_ID);
    await fill(client, count);
    expect([await writeAsBefore(client, 1), await writeAsBefore(client, 1)]).toEqual([true, false]);
    await client.query(sqlOf(BY_ID));
    const stored = await contents(client);
    for (const name of [FIRST, CHECKED, LAST]) await client.query(sqlOf(name));
    expect(await contents(client)).toEqual(stored);
    const db = openDb(url);
    // The former table, a default partition, and a partition of a day.
    expect(await createPartitions(db, ATTRIBUTE_RECORDS, new Date(Date.now() + 20 * DAY_MS))).toBeNull();
    expect(await writeAsBefore(client, 1)).toBe(false);
    for (const daysAgo of [3, -22, -60])
      expect([daysAgo, await writeAsBefore(client, daysAgo), await writeAsBefore(client, daysAgo)]).toEqual([
        daysAgo,
        true,
        false,
      ]);
    const names = (await listPartitions(db, ATTRIBUTE_RECORDS)).map(({ name }) => name);
    expect(names.includes('AttributeRecord_before')).toBe(count > 10_000);
    // The removal of the version before would take rows of other partitions too.
    await expect(
      client.query(
        `DELETE FROM "AttributeRecord" WHERE ctid = ANY(ARRAY(SELECT ctid FROM "AttributeRecord" t WHERE t."createdAt" < now() LIMIT 2000 FOR UPDATE SKIP LOCKED))`,
      ),
    ).rejects.toThrow(/cannot be removed by ctid/);
    expect(await removeOldPartitions(db, ATTRIBUTE_RECORDS, new Date(Date.now() - 5 * DAY_MS))).toBeNull();
    const { rows } = await client.query<{ count: number; oldest: Date }>(
      'SELECT count(*)::int, min("createdAt") AS oldest FROM "AttributeRecord"',
    );
    expect(rows[0]!.count).toBeGreaterThan(count / 5);
    expect(rows[0]!.oldest.getTime()).toBeGreaterThan(Date.now() - 6 * DAY_MS);
    // Their parents take them along, or leave them.
    await client.query('DELETE FROM "Scene"');
    expect(await db.attributeRecord.count()).toBe(0);
  },
);
