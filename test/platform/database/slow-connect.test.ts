import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { isDatabaseAway } from '../../../src/platform/database/database-away.ts';
import { describeDatabaseError } from '../../../src/platform/database/database-check.ts';
import { createDb, queryRows } from '../../../src/platform/database/db.ts';
import { startQueue } from '../../../src/platform/jobs/queue.ts';
import { listen } from '../../support/servers/stream-server.ts';

const AUTHENTICATED = Buffer.from('R\0\0\0\x08\0\0\0\0');

/** What a server may do with a client that connects. */
const SERVERS: Record<string, (socket: Socket) => void> = {
  'says nothing': () => undefined,
  'stops after the password': (socket) => void socket.once('data', () => socket.write(AUTHENTICATED)),
  'hangs up at once': (socket) => void socket.end(),
  'hangs up after the greeting': (socket) => void socket.once('data', () => socket.end()),
  'resets the connection': (socket) => void socket.once('data', () => socket.resetAndDestroy()),
};

async function withServer(
  serve: (socket: Socket) => void,
  use: (url: string) => Promise<unknown>,
): Promise<void> {
  const server = createServer((socket) => serve(socket.on('error', () => undefined)));
  const postgres = await listen(server, (port) => `postgresql://me:secret@127.0.0.1:${port}/none`);
  try {
    await use(postgres.url);
  } finally {
    await postgres.close();
  }
}

const faultOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => 'no fault',
    (error: unknown) => error,
  );

describe.each(Object.entries(SERVERS))('a database that %s while a client connects', (_, serve) => {
  test('is away for every kind of call', () =>
    withServer(serve, async (url) => {
      const db = createDb(url, { waitMs: 200, onPoolError: () => undefined });
      const faults = await Promise.all([
        faultOf(queryRows(db, 'SELECT 1', [])),
        faultOf(db.user.count()),
        faultOf(db.$queryRaw`SELECT 1`),
        faultOf(db.$transaction([db.user.count()])),
        faultOf(db.$transaction((tx) => tx.user.count())),
      ]);
      await db.$disconnect();
      expect(faults.map((fault) => [isDatabaseAway(fault), fault])).toEqual(
        faults.map((fault) => [true, fault]),
      );
      // Prisma does not say why a transaction of several statements got no connection.
      for (const fault of faults)
        expect(describeDatabaseError(fault, url).message).toMatch(
          (fault as { code?: string }).code === 'P2028'
            ? /^PostgreSQL at .* was too slow, /
            : /^PostgreSQL at .* does not answer: /,
        );
    }));

  test('is away for the queue of jobs', () =>
    withServer(serve, async (url) => {
      const options = { databaseUrl: url, types: [], supervise: false };
      const fault = await faultOf(startQueue({ ...options, connectMs: 200, onError: () => undefined }));
      expect([isDatabaseAway(fault), fault]).toEqual([true, fault]);
    }));
});

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', '08000', '08001', '08003', '08004', '57P05'])(
  '%s means that the database is away',
  (code) => expect(isDatabaseAway(Object.assign(new Error('of the driver'), { code }))).toBe(true),
);

test.each([new Error('Connection of the two tables is wrong'), new Error('timeout'), null, 'text'])(
  'another error means no such thing: %p',
  (error) => expect(isDatabaseAway(error)).toBe(false),
);
