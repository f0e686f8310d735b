import type { Db } from '../platform/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { PlaceFilter } from './attribute.store.ts';

/** What a group of hours adds up to. */
export interface AttributeSums {
  readonly start: Date;
  readonly totalRecords: number;
  readonly totalPersons: number;
  readonly female: number;
  readonly male: number;
  readonly ageLess18: number;
  readonly age18To60: number;
  readonly ageOver60: number;
}

/** The rolled-up hours of `[startDate, endDate)`, added up per hour or UTC day; groups without a row are missing. */
export function sumAttributes(
  db: Db,
  {
    userId,
    deviceIds,
    deviceId,
    sceneId,
  }: PlaceFilter & { userId: string; deviceIds?: readonly string[] | undefined },
  { startDate, endDate, groupBy }: { startDate: Date; endDate: Date; groupBy: 'hour' | 'day' },
): Promise<AttributeSums[]> {
  const conditions = [
    Prisma.sql`"userId" = ${userId}::uuid`,
    Prisma.sql`hour >= ${startDate}`,
    Prisma.sql`hour < ${endDate}`,
    ...(deviceIds ? [Prisma.sql`"deviceId" = ANY(${[...deviceIds]}::uuid[])`] : []),
    ...(deviceId ? [Prisma.sql`"deviceId" = ${deviceId}::uuid`] : []),
    ...(sceneId ? [Prisma.sql`"sceneId" = ${sceneId}::uuid`] : []),
  ];
  // The rows are hours already.
  const start = groupBy === 'hour' ? Prisma.sql`hour` : Prisma.sql`date_trunc('day', hour, 'UTC')`;
  return db.$queryRaw<AttributeSums[]>`
    SELECT ${start} AS start,
      sum("totalRecords")::int AS "totalRecords", sum("totalPersons")::int AS "totalPersons",
      sum(female)::int AS female, sum(male)::int AS male, sum("ageLess18")::int AS "ageLess18",
      sum("age18To60")::int AS "age18To60", sum("ageOver60")::int AS "ageOver60"
    FROM "AttributeHour" WHERE ${Prisma.join(conditions, ' AND ')}
    GROUP BY start ORDER BY start`;
}
