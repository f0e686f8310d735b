import type { Db } from '../../platform/database/db.ts';
import { quoted } from '../../platform/database/partitions/partitions.store.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { PackedTable } from './packed-tables.store.ts';

const { empty, raw, sql } = Prisma;

/** Rows of a scene whose time lies in a half-open range, which may have no start or no end. */
interface ListedRange {
  readonly sceneId: string;
  /** Of rolling records; without it those of all windows. */
  readonly windowType?: string | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/** The newest first, and rows of the same time by the rest of their key. */
const orderOf = ({ rows, key }: PackedTable): Prisma.Sql =>
  raw([`"${rows.column}" DESC`, ...key.slice(1).map((name) => `"${name}"`)].join(', '));

/** Parts of statements about the rows that are not packed, `t`, and the packed hours, `h`. */
function partsOf({ rows, hours }: PackedTable, { sceneId, windowType, startDate, endDate }: ListedRange) {
  const time = raw(`"${rows.column}"`);
  const since = sql`${startDate?.toISOString() ?? '-infinity'}::timestamptz`;
  const until = sql`${endDate?.toISOString() ?? 'infinity'}::timestamptz`;
  const ofScene = sql`"sceneId" = ${sceneId}::uuid ${windowType ? sql`AND "windowType" = ${windowType}` : empty}`;
  return {
    ...{ time, since, until },
    loose: sql`
      FROM ${quoted(rows.table)} t WHERE ${ofScene}
      ${startDate ? sql`AND t.${time} >= ${since}` : empty} ${endDate ? sql`AND t.${time} < ${until}` : empty}`,
    packed: sql`
      FROM ${quoted(hours)} h WHERE ${ofScene}
      ${startDate ? sql`AND h.hour > ${since} - interval '1 hour'` : empty} ${endDate ? sql`AND h.hour < ${until}` : empty}`,
    /** The rows of an hour. Only an hour at an edge of the range is opened. */
    rowsOfHour: sql`CASE
      WHEN h.hour >= ${since} AND h.hour <= ${until} - interval '1 hour' THEN h.rows
      ELSE (SELECT count(*) FROM unnest(h.${time}) u(at) WHERE u.at >= ${since} AND u.at < ${until}) END`,
  };
}

/** The number of rows of a range. */
export async function countListed(db: Db, table: PackedTable, range: ListedRange): Promise<number> {
  const { loose, packed, rowsOfHour } = partsOf(table, range);
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    SELECT ((SELECT count(*) ${loose}) + (SELECT coalesce(sum(${rowsOfHour}), 0) ${packed}))::int AS count`;
  return count;
}

interface Place {
  readonly skip: number;
  readonly take: number;
}

/**
 * Rows of a range, newest first: of a page after the last packed hour by their index, else from the hours that have it. A row that is
 * packed meanwhile is neither left out nor listed twice.
 */
export async function listNewest<Row>(
  db: Db,
  table: PackedTable,
  range: ListedRange,
  place: Place,
): Promise<Row[]> {
  const rows = await listUnpacked<Row>(db, table, range, place);
  if (rows.length === place.take) return rows;
  const packedUntil = await findPackedUntil(db, table, range);
  if (!packedUntil) return rows;
  const newer = await listUnpacked<Row>(db, table, { ...range, startDate: packedUntil }, place);
  return newer.length === place.take ? newer : listByHour(db, table, range, place);
}

/** The end of the last packed hour of a range. */
async function findPackedUntil(db: Db, table: PackedTable, range: ListedRange): Promise<Date | null> {
  const [{ end }] = await db.$queryRaw<[{ end: Date | null }]>`
    SELECT max(h.hour) + interval '1 hour' AS end ${partsOf(table, range).packed}`;
  return end;
}

/** Rows of a range without packed hours, newest first. None where an hour of it is packed, maybe since a moment ago. */
export function listUnpacked<Row>(
  db: Db,
  table: PackedTable,
  range: ListedRange,
  { skip, take }: Place,
): Promise<Row[]> {
  const { loose, packed } = partsOf(table, range);
  return db.$queryRaw<Row[]>(
    sql`SELECT t.* ${loose} AND NOT EXISTS (SELECT ${packed}) ORDER BY ${orderOf(table)} OFFSET ${skip} LIMIT ${take}`,
  );
}

/** The numbers of rows by the hour say which hours have the page, and only these are read. */
function listByHour<Row>(
  db: Db,
  table: PackedTable,
  range: ListedRange,
  { skip, take }: Place,
): Promise<Row[]> {
  const { time, since, until, loose, packed, rowsOfHour } = partsOf(table, range);
  return db.$queryRaw<Row[]>(
    sql`
      WITH counted AS (
        SELECT hour, sum(count)::bigint AS count FROM (
          SELECT h.hour, ${rowsOfHour} AS count ${packed}
          UNION ALL SELECT date_bin('1 hour', t.${time}, timestamptz '2000-01-01 00:00Z'), count(*) ${loose} GROUP BY 1) c
        GROUP BY hour),
      passed AS (SELECT hour, count, sum(count) OVER (ORDER BY hour DESC) - count AS passed FROM counted),
      place AS MATERIALIZED (
        SELECT greatest(min(hour), ${since}) AS since, least(max(hour) + interval '1 hour', ${until}) AS until, min(passed) AS passed
        FROM passed WHERE passed < ${skip + take} AND passed + count > ${skip} HAVING count(*) > 0)
      SELECT a.* FROM place CROSS JOIN LATERAL ${table.all(range, sql`place.since`, sql`place.until`)} a
      ORDER BY ${orderOf(table)} OFFSET (SELECT ${skip} - passed FROM place)::bigint LIMIT ${take}`,
  );
}
