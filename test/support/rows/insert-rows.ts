import type { Db } from '../../../src/platform/database/db.ts';
import type { Prisma } from '../../../src/platform/prisma-client/client.ts';

/**
 * Stores many rows of one shape. Prisma's `createMany` takes a millisecond of processor time for each, and this a hundredth. What rows
 * do not name has the default of its column.
 */
export async function insertRows(
  db: Db,
  table: Prisma.ModelName,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).map((name) => `"${name}"`);
  await db.$executeRawUnsafe(
    `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${table}", $1::json)`,
    JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
}
