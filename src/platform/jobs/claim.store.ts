import type { Db, Tx } from '../database/db.ts';
import { Prisma } from '../prisma-client/client.ts';

export interface Claim {
  /** The table whose rows wait for work. In every part of the SQL a row is `w`. */
  readonly table: string;
  /** Its key, where that is not `id`. */
  readonly key?: string;
  /** Which rows are due and not claimed. */
  readonly due: Prisma.Sql;
  /** Which of them come first. */
  readonly order: Prisma.Sql;
  readonly limit: number;
  /** What the claim writes: until when it holds, or who has it. Then `due` no longer fits the row. */
  readonly set: Prisma.Sql;
  /** Another table that `returning` needs, `"User" u`, and how it belongs to the row. */
  readonly from?: { readonly table: Prisma.Sql; readonly on: Prisma.Sql };
  readonly returning: Prisma.Sql;
}

/**
 * Claims rows for one program: each is returned to one caller, however many ask at the same time. Rows that another transaction
 * holds are left out, so that nobody waits. If the program dies, the rows are due again when the claim has ended.
 */
export function claim<Row>(
  db: Db | Tx,
  { table, key = 'id', due, order, limit, set, from, returning }: Claim,
): Promise<Row[]> {
  const [rows, id] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${key}"`)];
  return db.$queryRaw<Row[]>`
    UPDATE ${rows} w SET ${set} ${from ? Prisma.sql`FROM ${from.table}` : Prisma.empty}
    WHERE w.${id} = ANY(ARRAY(
      SELECT w.${id} FROM ${rows} w WHERE ${due} ORDER BY ${order} LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED))
      AND ${from ? from.on : Prisma.sql`true`}
    RETURNING ${returning}`;
}
