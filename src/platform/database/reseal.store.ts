import type { Sealer } from '../crypto.ts';
import { type Db, queryRows } from './db.ts';

/** A column of sealed text. Its table has the primary key `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column to whose value the text is bound; `id` where the binding is always the same. */
  readonly boundTo: 'id' | 'userId' | 'messageId';
  readonly bindingOf: (value: string) => string;
}

/** What a change of the key has done to sealed texts. */
export interface Resealed {
  readonly resealed: number;
  /** ENCRYPTION_KEYS lacks the key that sealed them. */
  readonly unreadable: number;
}

const AT_ONCE = 500;

/**
 * Seals a column again with the newest key, in batches. A row that a program changes meanwhile keeps what the program wrote. A
 * second call goes on where the first one ended, because it reads only texts that another key has sealed.
 */
export async function resealColumn(db: Db, sealer: Sealer, sealed: SealedColumn): Promise<Resealed> {
  const { table, column, boundTo, bindingOf } = sealed;
  const read = `SELECT id, "${boundTo}" AS bound, "${column}" AS sealed FROM "${table}"
    WHERE id > $1::uuid AND NOT starts_with("${column}", $2) ORDER BY id LIMIT ${AT_ONCE}`;
  const write = `UPDATE "${table}" t SET "${column}" = v.next FROM unnest($1::uuid[], $2::text[], $3::text[]) v(id, was, next)
    WHERE t.id = v.id AND t."${column}" = v.was RETURNING 1`;
  let [resealed, unreadable] = [0, 0];
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await queryRows<{ id: string; bound: string; sealed: string }>(db, read, [
      ...[last, sealer.newestPrefix],
    ]);
    const changes = rows.flatMap((row) => {
      const next = sealer.reseal(row.sealed, bindingOf(row.bound));
      return next === null ? [] : [{ ...row, next }];
    });
    unreadable += rows.length - changes.length;
    const written = await queryRows(db, write, [
      changes.map(({ id }) => id),
      changes.map(({ sealed }) => sealed),
      changes.map(({ next }) => next),
    ]);
    resealed += written.length;
    const newest = rows.at(-1);
    if (!newest || rows.length < AT_ONCE) return { resealed, unreadable };
    last = newest.id;
  }
}
