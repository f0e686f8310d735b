import type { Db } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { RangedRows, SceneRange } from '../ranged-rows.store.ts';

const BATCH = 1_000;

export type ExportedRow = Readonly<Record<string, unknown>>;

/** The columns that Prisma can read; a text search column is none of them. */
function columnsOf(table: string): string[] {
  const names = (Prisma as unknown as Record<string, Record<string, string> | undefined>)[
    `${table}ScalarFieldEnum`
  ];
  if (!names) throw new Error(`There is no table ${table}`);
  return Object.keys(names);
}

const quoted = (column: string) => Prisma.raw(`t."${column}"`);

/** All rows of a scene in the range, in batches. */
export function rowsOf(db: Db, { table, where, order = [], casts = {} }: RangedRows, range: SceneRange) {
  const shown = Prisma.join(
    columnsOf(table).map((column) =>
      casts[column] ? Prisma.raw(`t."${column}"::${casts[column]} AS "${column}"`) : quoted(column),
    ),
  );
  const by = Prisma.join(order.map(([column]) => quoted(column)));
  return inBatches((take, last: ExportedRow | undefined) => {
    const values = last && order.map(([name, type]) => Prisma.sql`${last[name]}::${Prisma.raw(type)}`);
    const after = values ? Prisma.sql`AND (${by}) > (${Prisma.join(values)})` : Prisma.empty;
    return db.$queryRaw<ExportedRow[]>`
      SELECT ${shown} FROM ${Prisma.raw(`"${table}"`)} t WHERE ${where(range)} ${after} ORDER BY ${by} LIMIT ${take}`;
  }, BATCH);
}

/** The devices of an export with their scenes; deleted ones too. */
export function placesOf(db: Db, { userId, deviceIds }: { userId: string; deviceIds: readonly string[] }) {
  return db.device.findMany({
    where: { userId, ...(deviceIds.length > 0 && { id: { in: [...deviceIds] } }) },
    select: {
      ...{ id: true, name: true, description: true, timezone: true, createdAt: true, deletedAt: true },
      scenes: {
        select: { id: true, name: true, description: true, config: true, createdAt: true, deletedAt: true },
      },
    },
    orderBy: { id: 'asc' },
  });
}
