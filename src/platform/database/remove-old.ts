import { Prisma } from '../prisma-client/client.ts';
import type { Db } from './db.ts';

/** Small enough that no other statement waits long for the locks of one batch. */
const BATCH = 2_000;
const DAY_MS = 86_400_000;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Removes the rows of a table whose `column` lies before a time, in batches. Rows that another transaction holds stay until
 * the next call.
 * @param only what else must hold for a row `t`
 */
export async function removeOld(
  db: Db,
  { table, column = 'createdAt', before, only = Prisma.sql`true` }: OldRows,
): Promise<void> {
  const [from, at] = [Prisma.raw(`"${table}"`), Prisma.raw(`t."${column}"`)];
  const removeBatch = () => db.$executeRaw`
    DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${from} t WHERE ${at} < ${before} AND ${only} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
  while ((await removeBatch()) === BATCH);
}

interface OldRows {
  readonly table: string;
  readonly column?: string;
  readonly before: Date | string;
  readonly only?: Prisma.Sql;
}
