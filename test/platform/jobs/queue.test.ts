import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type JobType, type Queue, startQueue } from '../../../src/platform/jobs/queue.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const GREET: JobType<{ userId: string }> = {
  name: 'greet',
  retryLimit: 1,
  retryDelaySeconds: 1,
  expireSeconds: 60,
};
const SWEEP: JobType<{ day: string }> = {
  name: 'sweep',
  retryLimit: 0,
  retryDelaySeconds: 1,
  expireSeconds: 60,
  keyed: true,
};
/** Nobody works it off: its jobs wait. */
const TIDY: JobType<{ day: string }> = { ...SWEEP, name: 'tidy' };

let database: TestDatabase;
let queue: Queue;
const errors: Error[] = [];

beforeAll(async () => {
  database = await testDatabase();
  queue = await startQueue({
    databaseUrl: database.url,
    types: [GREET, SWEEP, TIDY],
    supervise: true,
    onError: (error) => errors.push(error),
  });
});
afterAll(async () => {
  await queue.stop(1_000);
  await database.drop();
});

/** Works a type off and hands out its payloads as they come. */
function collect<Payload extends object>(
  type: JobType<Payload>,
  fail: (payload: Payload) => boolean = () => false,
) {
  const seen: Payload[] = [];
  const waiting: (() => void)[] = [];
  const started = queue.work(type, { concurrency: 1, batchSize: 4 }, async (payload) => {
    seen.push(payload);
    for (const wake of waiting.splice(0)) wake();
    if (fail(payload)) throw new Error('not this time');
  });
  return {
    started,
    seen,
    async until(count: number) {
      while (seen.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

describe('queue', () => {
  test('a scheduled job runs at its time in one of several programs', async () => {
    const days: string[] = [];
    const others: Queue[] = [];
    const join = async () => {
      const other = await startQueue({
        databaseUrl: database.url,
        types: [SWEEP],
        supervise: true,
        onError: (error) => errors.push(error),
      });
      others.push(other);
      return other;
    };
    try {
      const second = await join();
      await new Promise<void>((resolve, reject) => {
        const take = (each: Queue) =>
          each.work(SWEEP, { concurrency: 1 }, async ({ day }) => {
            days.push(day);
            if (day === 'every minute') resolve();
          });
        const start = async () => {
          for (const each of [queue, second]) {
            await take(each);
            await each.schedule(
              SWEEP,
              { day: 'every minute' },
              { cron: '* * * * *', key: 'a', delaySeconds: 1 },
            );
            await each.schedule(SWEEP, { day: 'in March' }, { cron: '0 0 1 3 *', key: 'b' });
          }
          // Programs look at the schedule when they start and each half minute, one of them at a time: the half minute
          // since the last look has passed.
          await database.db.$executeRaw`UPDATE pgboss.version SET cron_on = cron_on - interval '1 minute'`;
          await take(await join());
        };
        start().catch(reject);
      });
      await Promise.all(others.map((other) => other.stop(1_000)));
      expect(days).toEqual(['every minute']);
      const delays = await database.db.$queryRaw`
        SELECT round(extract(epoch FROM start_after - created_on))::int AS seconds FROM pgboss.job WHERE name = 'sweep'`;
      expect(delays).toEqual([{ seconds: 1 }]);
    } finally {
      await Promise.all(others.map((other) => other.stop(1_000)));
    }
  });

  test('a job of a rolled-back transaction does not run, one of a committed transaction runs, a failed one runs again', async () => {
    const greeted = collect(GREET, ({ userId }) => userId === 'b');
    await greeted.started;
    const { db } = database;
    const failing = db.$transaction(async (tx) => {
      await queue.send(GREET, { userId: 'a' }, { tx });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');

    await db.$transaction((tx) => queue.send(GREET, { userId: 'b' }, { tx }));
    await greeted.until(1);
    await queue.send(GREET, { userId: 'c' });
    await greeted.until(3);
    expect(greeted.seen.map(({ userId }) => userId).sort()).toEqual(['b', 'b', 'c']);
    expect(errors).toEqual([]);
  });

  test('at most one job of a key waits', async () => {
    expect(await queue.send(TIDY, { day: '1' }, { key: 'x' })).not.toBeNull();
    expect(await queue.send(TIDY, { day: '1' }, { key: 'x' })).toBeNull();
    expect(await queue.send(TIDY, { day: '2' }, { key: 'y' })).not.toBeNull();
  });
});
