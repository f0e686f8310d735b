import { setTimeout as pause } from 'node:timers/promises';
import { createDb } from '../../../src/platform/database/db.ts';
import { claim } from '../../../src/platform/jobs/claim.store.ts';
import { type JobType, startQueue } from '../../../src/platform/jobs/queue.ts';
import { workOff } from '../../../src/platform/jobs/work-off.ts';
import { Prisma } from '../../../src/platform/prisma-client/client.ts';
import { cpuSecondsOfTrees } from '../../support/cpu-time.ts';
import { startOwnCluster } from '../../support/database.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { withTemporaryFolder } from '../../support/temporary-folder.ts';
import { table } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const AT_ONCE = 16;
const CHORE: JobType<{ id: number }> = {
  name: 'chore',
  retryLimit: 1,
  retryDelaySeconds: 1,
  expireSeconds: 600,
};

export const claims = measuringCommand({
  name: 'claims',
  description:
    'CPU time of claimed work: a row becomes due, a program claims it and ends it. With a job of pg-boss for each row, and ' +
    'with a claim of the row itself. Of this process and the database, without the insertion of the rows.',
  options: { rows: ['rows that are worked off', 4_000], seconds: ['how long both wait for work', 20] },
  measure: ({ rows, seconds }) =>
    withTemporaryFolder('analytics-claims', async (folder) => {
      const database = await startOwnCluster({ dataDir: folder });
      const db = createDb(database.url);
      await db.$executeRaw`CREATE TABLE "Chore" (id int PRIMARY KEY, "dueAt" timestamptz NOT NULL DEFAULT now())`;
      await db.$executeRaw`CREATE INDEX ON "Chore" ("dueAt")`;
      const add = () => db.$executeRaw`INSERT INTO "Chore" SELECT n FROM generate_series(1, ${rows}::int) n`;
      const end = ({ id }: { id: number }) => db.$executeRaw`DELETE FROM "Chore" WHERE id = ${id}`;
      const left = async () =>
        Number((await db.$queryRaw<[{ n: bigint }]>`SELECT count(*) n FROM "Chore"`)[0].n);
      const work = () =>
        workOff<{ id: number }>({
          atOnce: AT_ONCE,
          claim: (limit) =>
            claim(db, {
              ...{
                table: 'Chore',
                due: Prisma.sql`w."dueAt" <= clock_timestamp()`,
                order: Prisma.sql`w."dueAt"`,
                limit,
              },
              set: Prisma.sql`"dueAt" = clock_timestamp() + interval '1 minute'`,
              returning: Prisma.sql`w.id`,
            }),
          work: end,
          failed: () => undefined,
        });
      const cpuMs = async (of: () => Promise<unknown>) => {
        const before = cpuSecondsOfTrees([process.pid])!;
        await of();
        return (cpuSecondsOfTrees([process.pid])! - before) * 1000;
      };
      try {
        await add();
        const claimedMs = await cpuMs(work);
        const idleMs = await cpuMs(async () => {
          for (let second = 0; second < seconds; second += 5) {
            await work();
            await pause(5_000);
          }
        });
        await add();
        const failed = (error: Error) => console.error(error);
        const queue = await startQueue({
          databaseUrl: database.url,
          types: [CHORE],
          supervise: true,
          onError: failed,
        });
        const sentMs = await cpuMs(async () => {
          for (let id = 1; id <= rows; id++) await queue.send(CHORE, { id });
        });
        const bossMs = await cpuMs(async () => {
          await queue.work(CHORE, { concurrency: 1, batchSize: AT_ONCE }, end as never);
          await until('everything is worked off', async () => (await left()) === 0, 600);
        });
        const bossIdleMs = await cpuMs(() => pause(seconds * 1000));
        await queue.stop();
        const each = (ms: number) => Math.round((ms / rows) * 1000) / 1000;
        const idle = (ms: number) => Math.round((ms / seconds) * 100) / 100;
        return {
          rows,
          claim: { eachMs: each(claimedMs), idleMsPerSecond: idle(idleMs) },
          pgBoss: { sentMs: each(sentMs), eachMs: each(bossMs), idleMsPerSecond: idle(bossIdleMs) },
        };
      } finally {
        await db.$disconnect();
        await database.stop();
      }
    }),
  report: ({ claim: row, pgBoss: job }) =>
    table([
      ['CPU time', 'claim of the row', 'job of pg-boss'],
      ['to send', '–', `${job.sentMs} ms`],
      ['to claim and end', `${row.eachMs} ms`, `${job.eachMs} ms`],
      ['a second without work', `${row.idleMsPerSecond} ms`, `${job.idleMsPerSecond} ms`],
    ]),
});
