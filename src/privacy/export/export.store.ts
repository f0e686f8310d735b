import type { PackedTable } from '../../metrics/packed/packed-tables.store.ts';
import type { Db } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { RangedRows, SceneRange } from '../ranged-rows.store.ts';

const BATCH = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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

/**
 * All rows of a scene in the range, in batches. Those of a table with packed rows are read by the hour, so that a batch opens one packed
 * hour and not all, each hour from both tables in one statement: a row that is packed meanwhile comes once.
 */
export async function* rowsOf(db: Db, rows: RangedRows, range: SceneRange): AsyncGenerator<ExportedRow> {
  if (!rows.packed) yield* rowsIn(db, rows, { range, source: Prisma.raw(`"${rows.table}"`) });
  else
    for await (const [start, end] of hoursOf(db, rows.packed, range))
      yield* rowsIn(db, rows, { range, source: rows.packed.all(range, start, end) });
}

function rowsIn(
  db: Db,
  { table, where, order = [], casts = {} }: RangedRows,
  { range, source }: { range: SceneRange; source: Prisma.Sql },
) {
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
      SELECT ${shown} FROM ${source} t WHERE ${where(range)} ${after} ORDER BY ${by} LIMIT ${take}`;
  }, BATCH);
}

const hourOf = (time: Date): number => Math.floor(time.getTime() / HOUR_MS) * HOUR_MS;

/** The UTC hours with rows of a scene that may tell about a range: from the minute before it to the windows that began in it. */
async function* hoursOf(
  db: Db,
  { rows, hours }: PackedTable,
  { sceneId, from, to }: SceneRange,
): AsyncGenerator<readonly [start: Date, end: Date]> {
  const [table, column] = [Prisma.raw(`"${rows.table}"`), quoted(rows.column)];
  const until = new Date(to.getTime() + HOUR_MS);
  for (let since = new Date(hourOf(new Date(from.getTime() - MINUTE_MS))); ; ) {
    const [{ first }] = await db.$queryRaw<[{ first: Date | null }]>`
      SELECT least(
        (SELECT min(${column}) FROM ${table} t WHERE t."sceneId" = ${sceneId}::uuid AND ${column} >= ${since} AND ${column} < ${until}),
        (SELECT min(t.hour) FROM ${Prisma.raw(`"${hours}"`)} t
         WHERE t."sceneId" = ${sceneId}::uuid AND t.hour >= ${since} AND t.hour < ${until})) AS first`;
    if (!first) return;
    const start = hourOf(first);
    since = new Date(start + HOUR_MS);
    yield [new Date(start), since];
  }
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
