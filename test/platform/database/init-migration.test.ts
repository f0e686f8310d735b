import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { SNAPSHOTS } from '../../../src/metrics/partitions.ts';
import { PARTITIONED } from '../../../src/partitions.ts';
import { MIGRATIONS_DIR } from '../../../src/platform/config.ts';
import { createDb, type Db } from '../../../src/platform/database/db.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../../src/platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../../../src/platform/database/partitions/remove-old-partitions.store.ts';
import { testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { onServer, testServer, withDatabase } from '../../support/servers/cluster.ts';

const INIT = readFileSync(join(MIGRATIONS_DIR, '20261126080000_init/migration.sql'), 'utf8');
const DAY_MS = 86_400_000;

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  ends.push(() => client.end());
  return client;
}

/** An empty database of a role that is no superuser. */
async function emptyDatabase(mayCreateSchemas: boolean) {
  const server = await testServer();
  const id = randomBytes(6).toString('hex');
  const [name, owner] = [`empty_${id}`, `owner_${id}`];
  await onServer(server.url, async (client) => {
    await client.query(`CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'`);
    await client.query(`CREATE DATABASE ${name}`);
    const rights = `CONNECT, TEMPORARY${mayCreateSchemas ? ', CREATE' : ''}`;
    await client.query(`GRANT ${rights} ON DATABASE ${name} TO ${owner}`);
  });
  ends.push(() =>
    onServer(server.url, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`DROP ROLE ${owner}`);
    }),
  );
  const admin = await connect(withDatabase(server.url, name));
  await admin.query(`ALTER SCHEMA public OWNER TO ${owner}`);
  // Without the right to create in the database only a superuser may make them.
  await admin.query('CREATE EXTENSION unaccent; CREATE EXTENSION btree_gin; CREATE EXTENSION pg_trgm');
  const url = new URL(withDatabase(server.url, name));
  url.username = owner;
  url.password = owner;
  const client = await connect(url.href);
  // Days and their names, whatever the habits of the server.
  await client.query(`SET timezone = 'Pacific/Auckland'; SET datestyle = 'German'`);
  const db = createDb(url.href);
  ends.push(() => db.$disconnect());
  return { admin, client, db, owner };
}

const homesOf = async (db: Db) => {
  const homes: Record<string, string[]> = {};
  for (const spec of PARTITIONED)
    homes[spec.table] = (await listPartitions(db, spec)).map(({ schema, isDefault }) =>
      isDefault ? `${schema} default` : schema,
    );
  return homes;
};

test('the first days and months have partitions, and the job makes the next ones beside them', async () => {
  const { client, db } = await emptyDatabase(true);
  await client.query(INIT);
  const days = [...Array<string>(3).fill('partitions'), 'partitions default'];
  expect(await homesOf(db)).toEqual({
    MetricSnapshot: days,
    RollingRecord: days,
    AttributeRecord: days,
    OccupancyMinute: days.slice(1),
  });
  const made = await listPartitions(db, SNAPSHOTS);
  for (const { name, from, to } of made.slice(0, 3)) {
    expect(to!.getTime() - from!.getTime()).toBe(DAY_MS);
    expect(name).toBe(`MetricSnapshot_${from!.toISOString().slice(0, 10).replaceAll('-', '_')}`);
  }
  // The second of them, so that the end of a day changes nothing.
  expect(await createPartitions(db, SNAPSHOTS, made[1]!.from!)).toBeNull();
  expect(await listPartitions(db, SNAPSHOTS)).toHaveLength(10);
});

test('a role that may not create schemas has the default partitions, and the others when the schema exists', async () => {
  const { admin, client, db, owner } = await emptyDatabase(false);
  await client.query(INIT);
  const tables = PARTITIONED.map(({ table }) => [table, ['public default']]);
  expect(await homesOf(db)).toEqual(Object.fromEntries(tables));
  const later = new Date(Date.now() + 20 * DAY_MS);
  expect(await createPartitions(db, SNAPSHOTS, later)).toMatch(/may not make or drop partitions/);
  expect(await removeOldPartitions(db, SNAPSHOTS, new Date(Date.now() - 10 * DAY_MS))).toBeNull();
  await admin.query(`CREATE SCHEMA partitions AUTHORIZATION ${owner}`);
  expect(await createPartitions(db, SNAPSHOTS, later)).toBeNull();
  expect((await homesOf(db)).MetricSnapshot).toEqual([
    ...Array<string>(8).fill('partitions'),
    'public default',
  ]);
});

test('a database with tables of version 0.1 is left as it is, and the refusal names the page that helps', async () => {
  const { client } = await emptyDatabase(true);
  await client.query('CREATE TABLE "User" (id int); INSERT INTO "User" VALUES (1)');
  const tables = () =>
    client.query(`SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`);
  const before = (await tables()).rows;
  await expect(client.query(INIT)).rejects.toThrow(
    /tables of version 0\.1\. Nothing was changed\. src\/operations\.md, "From version 0\.1 to 0\.2"/,
  );
  expect((await tables()).rows).toEqual(before);
  expect((await client.query('SELECT id FROM "User"')).rows).toEqual([{ id: 1 }]);
});

test('rows of version 0.1 that lack a field get it, others stay, and its migrations are forgotten', async () => {
  const { db, drop } = await testDatabase();
  ends.push(drop);
  const counts = { present: 1, people: 1, meanDecisionSeconds: 70, longestDecisionSeconds: 70 };
  const { task } = await queueScene(db, await addDevice(db));
  const { task: other } = await queueScene(db, await addDevice(db));
  const newer = { staff: { ...counts, members: [{ trackId: 1 }] }, attributes: null };
  const older = { fps: 5, staff: counts, attributes: { models: [], persons: 0, coverage: {} } };
  await db.analysisTask.update({ where: { id: task.id }, data: { stats: older } });
  await db.analysisTask.update({ where: { id: other.id }, data: { stats: newer } });
  await db.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '20261121100000_foundation', now())`;
  const sql = readFileSync(join(MIGRATIONS_DIR, '../from-0.1.sql'), 'utf8');
  for (const statement of sql.replaceAll(/^--.*$/gm, '').split(';')) {
    if (statement.trim() !== '') await db.$executeRawUnsafe(statement);
  }
  const statsOf = async (id: string) => (await db.analysisTask.findUniqueOrThrow({ where: { id } })).stats;
  expect(await statsOf(task.id)).toEqual({
    ...older,
    staff: { ...counts, members: [] },
    attributes: { ...older.attributes, coveredKeys: null },
  });
  expect(await statsOf(other.id)).toEqual(newer);
  const names = await db.$queryRaw<{ name: string }[]>`SELECT migration_name AS name FROM _prisma_migrations`;
  expect(names).toContainEqual({ name: '20261126080000_init' });
  expect(names.map(({ name }) => name)).not.toContain('20261121100000_foundation');
});
