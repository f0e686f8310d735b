import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim } from '../../../src/platform/jobs/claim.store.ts';
import { whileHeld, workOff } from '../../../src/platform/jobs/work-off.ts';
import { Prisma } from '../../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.db
    .$executeRaw`CREATE TABLE "Chore" (id int PRIMARY KEY, "dueAt" timestamptz NOT NULL, place text)`;
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE "Chore"`;
  await database.db.$executeRaw`
    INSERT INTO "Chore" SELECT n, now() - make_interval(secs => n), 'hall' FROM generate_series(1, 20) n`;
});

interface Chore {
  readonly id: number;
}

const claimChores = (limit: number, seconds = 3600) =>
  claim<Chore>(database.db, {
    table: 'Chore',
    due: Prisma.sql`w."dueAt" <= now()`,
    order: Prisma.sql`w."dueAt"`,
    limit,
    set: Prisma.sql`"dueAt" = clock_timestamp() + make_interval(secs => ${seconds})`,
    returning: Prisma.sql`w.id`,
  });
const idsOf = (chores: readonly Chore[]) => chores.map(({ id }) => id).sort((a, b) => a - b);

describe('a claim', () => {
  test('takes the rows that have been due for the longest time, as many as are asked for', async () => {
    expect(idsOf(await claimChores(3))).toEqual([18, 19, 20]);
    expect(idsOf(await claimChores(2))).toEqual([16, 17]);
    expect(await claimChores(0)).toEqual([]);
  });

  test('gives each row to one of those who ask at the same time', async () => {
    const claimed = await Promise.all(Array.from({ length: 8 }, () => claimChores(4)));
    const ids = claimed.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Who came too early may have found rows locked that others had.
    expect(idsOf([...claimed.flat(), ...(await claimChores(20))])).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });

  test('leaves out rows that another transaction holds, and waits for nobody', async () => {
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Chore" WHERE id > 2 FOR UPDATE`;
      expect(idsOf(await claimChores(20))).toEqual([1, 2]);
    });
  });

  test('ends: the row of a program that died is due again', async () => {
    expect(idsOf(await claimChores(1, -1))).toEqual([20]);
    expect(idsOf(await claimChores(20))).toContain(20);
  });

  test('reads another table that belongs to its rows', async () => {
    const rows = await claim<Chore & { name: string }>(database.db, {
      ...{ table: 'Chore', due: Prisma.sql`w.id = 7`, order: Prisma.sql`w.id`, limit: 1 },
      set: Prisma.sql`"dueAt" = now()`,
      from: {
        table: Prisma.sql`(VALUES ('hall', 'The hall')) p (place, name)`,
        on: Prisma.sql`p.place = w.place`,
      },
      returning: Prisma.sql`w.id, p.name`,
    });
    expect(rows).toEqual([{ id: 7, name: 'The hall' }]);
  });
});

describe('rows are worked off', () => {
  test('a program works on all that are due, on no more than it may at once', async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    const worked = await workOff<Chore>({
      atOnce: 3,
      claim: claimChores,
      work: async ({ id }) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running -= 1;
        seen.push(id);
      },
      failed: () => undefined,
    });
    expect([seen.sort((a, b) => a - b).length, new Set(seen).size, most]).toEqual([20, 20, 3]);
    expect(worked).toEqual({ done: 20, failed: 0 });
  });

  test('what fails is told, comes no more before its time, and holds up no other', async () => {
    const told: [unknown, number][] = [];
    const worked = await workOff<Chore>({
      ...{ atOnce: 4, claim: claimChores },
      work: async ({ id }) => {
        if (id % 5 === 0) throw id;
      },
      failed: async (error, { id }) => {
        told.push([error, id]);
        throw new Error('what is told may fail too');
      },
    });
    expect(worked).toEqual({ done: 16, failed: 4 });
    expect(told.sort(([, a], [, b]) => a - b)).toEqual([5, 10, 15, 20].map((id) => [id, id]));
  });

  test('a claim that fails ends the work, after the rows that were claimed before', async () => {
    let claims = 0;
    let ended = 0;
    const work = workOff<Chore>({
      atOnce: 2,
      claim: async () => {
        if (++claims > 1) throw new Error('the database is away');
        return [{ id: 1 }];
      },
      work: async () => {
        await new Promise(setImmediate);
        ended += 1;
      },
      failed: () => undefined,
    });
    await expect(work).rejects.toThrow('the database is away');
    expect(ended).toBe(1);
  });
});

describe('while a claim is held', () => {
  test('it is renewed until the work ends, and an error does not end it', async () => {
    let renewals = 0;
    const errors: unknown[] = [];
    const third = new AbortController();
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error('once');
      if (renewals === 3) third.abort();
      return true;
    };
    const failed = (error: unknown) => errors.push(error);
    const result = await whileHeld({ everyMs: 1, renew, failed }, (lost) =>
      once(third.signal, 'abort').then(() => lost.aborted),
    );
    const renewed = renewals;
    await new Promise(setImmediate);
    expect([result, errors.length, renewals >= 3, renewals]).toEqual([false, 1, true, renewed]);
  });

  test('the work learns that another program has it', async () => {
    const aborted = whileHeld(
      { everyMs: 1, renew: async () => false, failed: () => undefined },
      (lost) => new Promise((end) => lost.addEventListener('abort', () => end('lost'), { once: true })),
    );
    expect(await aborted).toBe('lost');
  });
});
