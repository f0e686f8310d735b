import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import { ATTRIBUTE_CATEGORIES, type AttributeKey, type SensitiveGroup } from '../vision/attributes/keys.ts';
import type { PlaceFilter } from './attribute.store.ts';
import { SUMMED_KEYS } from './capture.ts';

/** The sums of a group of hours. */
export interface AttributeSums {
  readonly start: Date;
  readonly totalRecords: number;
  readonly totalPersons: number;
  readonly female: number;
  readonly male: number;
  readonly ageLess18: number;
  readonly age18To60: number;
  readonly ageOver60: number;
  /** The numbers of people of whom a key could be told. */
  readonly knownFemale: number;
  readonly knownMale: number;
  readonly knownAgeLess18: number;
  readonly knownAge18To60: number;
  readonly knownAgeOver60: number;
  /** Groups that were switched off at some capture. */
  readonly switchedOff: readonly SensitiveGroup[];
  /** Those of them that were on at no capture. */
  readonly neverOn: readonly SensitiveGroup[];
}

export interface StatsPlace extends PlaceFilter {
  readonly userId: string;
  readonly deviceIds?: readonly string[] | undefined;
}

interface StatsRange {
  readonly startDate: Date;
  readonly endDate: Date;
  readonly groupBy: 'hour' | 'day';
}

function hoursOf({ userId, deviceIds, deviceId, sceneId }: StatsPlace, { startDate, endDate }: StatsRange) {
  const conditions = [
    Prisma.sql`"userId" = ${userId}::uuid`,
    Prisma.sql`hour >= ${startDate}`,
    Prisma.sql`hour < ${endDate}`,
    ...(deviceIds ? [Prisma.sql`"deviceId" = ANY(${[...deviceIds]}::uuid[])`] : []),
    ...(deviceId ? [Prisma.sql`"deviceId" = ${deviceId}::uuid`] : []),
    ...(sceneId ? [Prisma.sql`"sceneId" = ${sceneId}::uuid`] : []),
  ];
  return Prisma.sql`FROM "AttributeHour" WHERE ${Prisma.join(conditions, ' AND ')}`;
}

const isOff = (group: SensitiveGroup) => Prisma.sql`${group} = ANY("switchedOff")`;
const wasOn = (group: SensitiveGroup) =>
  Prisma.sql`"coveredKeys" && ${[...ATTRIBUTE_CATEGORIES[group]]}::text[]`;

/** The hours of `[startDate, endDate)`, summed per hour or UTC day; groups without rows are missing. */
export function sumAttributes(db: Db, place: StatsPlace, range: StatsRange): Promise<AttributeSums[]> {
  // The rows are hours already.
  const start = range.groupBy === 'hour' ? Prisma.sql`hour` : Prisma.sql`date_trunc('day', hour, 'UTC')`;
  return db.$queryRaw<AttributeSums[]>`
    SELECT ${start} AS start,
      sum("totalRecords")::int AS "totalRecords", sum("totalPersons")::int AS "totalPersons",
      sum(female)::int AS female, sum(male)::int AS male, sum("ageLess18")::int AS "ageLess18",
      sum("age18To60")::int AS "age18To60", sum("ageOver60")::int AS "ageOver60",
      sum("knownFemale")::int AS "knownFemale", sum("knownMale")::int AS "knownMale",
      sum("knownAgeLess18")::int AS "knownAgeLess18", sum("knownAge18To60")::int AS "knownAge18To60",
      sum("knownAgeOver60")::int AS "knownAgeOver60",
      array_remove(ARRAY[CASE WHEN bool_or(${isOff('gender')}) THEN 'gender' END,
        CASE WHEN bool_or(${isOff('age')}) THEN 'age' END], NULL) AS "switchedOff",
      array_remove(ARRAY[CASE WHEN bool_and(${isOff('gender')} AND NOT ${wasOn('gender')}) THEN 'gender' END,
        CASE WHEN bool_and(${isOff('age')} AND NOT ${wasOn('age')}) THEN 'age' END], NULL) AS "neverOn"
    ${hoursOf(place, range)} GROUP BY start ORDER BY start`;
}

/** The keys with statistics that the attribute models in use could tell in any of these hours. */
export async function findCoveredKeys(db: Db, place: StatsPlace, range: StatsRange): Promise<AttributeKey[]> {
  const rows = await db.$queryRaw<{ coveredKeys: string[] }[]>`
    SELECT DISTINCT "coveredKeys" ${hoursOf(place, range)}`;
  const covered = new Set(rows.flatMap(({ coveredKeys }) => coveredKeys));
  return SUMMED_KEYS.filter((key) => covered.has(key));
}
