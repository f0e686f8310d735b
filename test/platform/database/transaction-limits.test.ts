import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import pg from 'pg';
import { isDatabaseAway, isDatabaseBusy } from '../../../src/platform/database/database-away.ts';
import { createDb, type Db, type Tx } from '../../../src/platform/database/db.ts';
import type { TransactionLimits } from '../../../src/platform/database/limited-client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testWhere } from '../../support/installed.ts';
import { hasPgbouncer, startPgbouncer } from '../../support/servers/pgbouncer.ts';

/** Longer than any of these tests; each shortens the limit that it is about. */
const LONG: TransactionLimits = { idleMs: 300_000, lockMs: 200_000, statementMs: 400_000, wholeMs: 900_000 };
const OWNER = 'test of limits';

let database: TestDatabase;
let userId: string;
let other: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  userId = (await database.db.user.create({ data: { email: 'a@example.com' } })).id;
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

interface Way {
  readonly url: string;
  close(): Promise<void>;
}

const ways: Record<string, () => Promise<Way>> = {
  directly: async () => ({ url: database.url, close: async () => undefined }),
  'through pgbouncer in transaction mode': () => startPgbouncer(database.url),
};

describe.each(Object.keys(ways))('%s', (name) => {
  // pgbouncer is a Debian package.
  const isPossible = name === 'directly' || hasPgbouncer;
  const tested = testWhere(isPossible);
  let way: Way | undefined;
  const opened: Db[] = [];
  beforeAll(async () => {
    if (isPossible) way = await ways[name]!();
  });
  afterAll(async () => {
    for (const db of opened) await db.$disconnect();
    await way?.close();
  });

  function connect(limits: Partial<TransactionLimits> = {}): Db {
    const db = createDb(way!.url, {
      owner: OWNER,
      waitMs: 300_000,
      silenceMs: 300_000,
      limits: { ...LONG, ...limits },
      onPoolError: () => undefined,
    });
    opened.push(db);
    return db;
  }

  /** @returns what `work` throws while another session holds the user's row */
  async function whileHeld(work: () => Promise<unknown>): Promise<unknown> {
    await other.query('BEGIN');
    try {
      await other.query('UPDATE "User" SET name = $1', ['held']);
      return await work().then(
        () => null,
        (error: unknown) => error,
      );
    } finally {
      await other.query('ROLLBACK');
    }
  }

  const fault = (db: Db, work: (tx: Tx) => Promise<unknown>) =>
    db.$transaction(work).then(
      () => null,
      (error: unknown) => error,
    );

  tested('every transaction begins with limits, and the session keeps none of them', async () => {
    const shown = (tx: Tx) => tx.$queryRaw<{ name: string; setting: string }[]>`
      SELECT name, setting FROM pg_settings
      WHERE name IN ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout') ORDER BY name`;
    const db = connect();
    const within = await db.$transaction(shown);
    expect(within.map(({ setting }) => setting)).toEqual(['300000', '200000', '400000']);
    const isolated = await db.$transaction(shown, { isolationLevel: 'RepeatableRead' });
    expect(isolated).toEqual(within);
    const [, listed] = await db.$transaction([db.user.count(), shown(db)]);
    expect(listed).toEqual(within);
    expect((await shown(db)).map(({ setting }) => setting)).toEqual(['0', '0', '0']);
  });

  tested.each([
    [
      'a transaction',
      (on: Db) => on.$transaction((tx) => tx.user.update({ where: { id: userId }, data: { name: 'b' } })),
    ],
    ['a write of Prisma alone', (on: Db) => on.user.update({ where: { id: userId }, data: { name: 'b' } })],
    [
      'a statement alone',
      (on: Db) => on.$executeRaw`UPDATE "User" SET name = 'b' WHERE id = ${userId}::uuid`,
    ],
  ])('%s does not wait for ever for a locked row', async (_, write) => {
    const db = connect({ lockMs: 200 });
    const error = await whileHeld(() => write(db));
    expect([isDatabaseBusy(error), isDatabaseAway(error)]).toEqual([true, false]);
    await write(db);
    expect((await database.db.user.findFirstOrThrow()).name).toBe('b');
  });

  tested('a statement that takes too long is ended', async () => {
    expect(
      isDatabaseBusy(
        await fault(connect({ statementMs: 400 }), (tx) => tx.$queryRaw`SELECT pg_sleep(5)::text`),
      ),
    ).toBe(true);
  });

  tested(
    'a transaction whose client says nothing is ended by the server, and gives its locks back',
    async () => {
      const error = await fault(connect({ idleMs: 300 }), async (tx) => {
        await tx.user.update({ where: { id: userId }, data: { name: 'silent' } });
        await eventually('the server has ended it', async () => (await sessions()) === 0);
        await tx.user.count();
      });
      // A pooler says only that its server is gone.
      expect(isDatabaseBusy(error) || isDatabaseAway(error)).toBe(true);
      await database.db.user.update({ where: { id: userId }, data: { name: 'free' } });
    },
  );

  const sessions = async () => {
    const { rows } = await other.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND xact_start IS NOT NULL`,
      [OWNER],
    );
    return rows.length;
  };

  tested('a transaction of many short statements ends too', async () => {
    const [server] = (
      await other.query<{ major: number }>(
        `SELECT current_setting('server_version_num')::int / 10000 AS major`,
      )
    ).rows;
    const error = await fault(connect({ wholeMs: 1_000 }), async (tx) => {
      for (let statement = 0; statement < 20; statement++) await tx.$queryRaw`SELECT pg_sleep(0.1)::text`;
    });
    // Older servers do not know this limit; there the others have to do.
    const isEnded = isDatabaseBusy(error) || isDatabaseAway(error);
    expect(isEnded).toBe(server!.major >= 17);
  });

  tested('its sessions are named after their owner while a transaction is open', async () => {
    // Those that the server has ended may still be listed.
    await eventually('no other transaction is open', async () => (await sessions()) === 0);
    const counted = connect().$transaction(async (tx) => [await tx.user.count(), await sessions()]);
    expect(await counted).toEqual([1, 1]);
  });
});
