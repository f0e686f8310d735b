import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TcpProxy } from '../../../scripts/chaos/cameras/tcp-proxy.ts';
import { isDatabaseAway } from '../../../src/platform/database/database-away.ts';
import { createDb, poolCounts, queryRows } from '../../../src/platform/database/db.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/servers/stream-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('a stored row can be read back and has an id from the database', async () => {
  const { db } = database;
  const user = await db.user.create({ data: { email: 'a@example.com' } });
  expect(user.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await db.user.findMany()).toHaveLength(1);
});

test('ids sort in the order of creation, also within one millisecond', async () => {
  // The count takes some microseconds between two ids.
  const rows = await database.db.$queryRaw<{ id: string }[]>`
    SELECT uuid_v7()::text AS id, (SELECT count(*) FROM generate_series(0, i % 2 + 100))
    FROM generate_series(1, 500) AS i`;
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBeLessThan(250);
  const byId = Date.now() - Number.parseInt((ids.at(-1) ?? '').replaceAll('-', '').slice(0, 12), 16);
  expect(Math.abs(byId)).toBeLessThan(60_000);
});

test('a silent database connection fails in time, and the next connection works', async () => {
  const proxy = await new TcpProxy(Number(new URL(database.url).port)).listen();
  const url = Object.assign(new URL(database.url), { port: String(proxy.port) }).href;
  const db = createDb(url, { silenceMs: 2000, onPoolError: () => undefined });
  try {
    expect(await db.user.count()).toBe(1);
    await proxy.set('black-holed');
    const fault = await db.$transaction((tx) => tx.user.count()).catch((error: unknown) => error);
    expect(isDatabaseAway(fault)).toBe(true);
    await proxy.set('none');
    expect(await db.user.count()).toBe(1);
  } finally {
    await db.$disconnect();
    await proxy.close();
  }
});

test('a query that gets no connection, because all are in use, counts as an unreachable database', async () => {
  const db = createDb(database.url, { maxConnections: 1 });
  let release = () => {};
  const held = db.$transaction(
    async (tx) => {
      await tx.user.count();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
    { timeout: 60_000 },
  );
  await eventually('the connection in use', () => poolCounts(db).total === 1 && poolCounts(db).idle === 0);
  const faults = await Promise.all([
    queryRows(db, 'SELECT 1', []).catch((error: unknown) => error),
    db.user.count().catch((error: unknown) => error),
  ]);
  release();
  await held;
  await db.$disconnect();
  expect(faults.map(isDatabaseAway)).toEqual([true, true]);
});

test('a database that shuts down during a connect fails the transaction and not the process', async () => {
  // As Postgres does it: welcome and farewell in one packet.
  const [authenticated, ready] = [Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')];
  const farewell = Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(farewell.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, head, farewell])));
  });
  const postgres = await listen(server, (port) => `postgresql://me:secret@127.0.0.1:${port}/none`);
  const db = createDb(postgres.url, { onPoolError: () => undefined });
  const fault = await db.$transaction((tx) => tx.user.count()).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  await db.$disconnect();
  await postgres.close();
});
