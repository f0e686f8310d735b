import { MEASURED_NOW } from '../../cameras/scenes/measured-now.store.ts';
import { CURRENT, type CurrentNumbers } from '../../catalogue/metrics/all.ts';
import type { CurrentMetric } from '../../catalogue/metrics/metric.ts';
import { typeOf } from '../../metrics/catalogue.ts';
import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

/** SQL of the columns of the stored numbers of this moment. */
export const CURRENT_COLUMNS = Prisma.raw(
  CURRENT.map((metric) => `"${metric.name}" ${typeOf(metric) === 'integer' ? 'int' : 'numeric'}`).join(', '),
);

/** SQL of a number of the measured scenes together, from their columns. */
function together({ name, ofSite, isAlways }: CurrentMetric): string {
  const measured = 'FILTER (WHERE s.measured)';
  if (typeof ofSite !== 'string') {
    const { averageBy } = ofSite;
    return `round(sum(s."${name}" * s."${averageBy}") ${measured}
      / nullif(sum(s."${averageBy}") FILTER (WHERE s.measured AND s."${name}" IS NOT NULL), 0), 3)`;
  }
  const value = `${ofSite}(s."${name}") ${measured}`;
  return isAlways ? `coalesce(${value}, 0)` : value;
}
/** SQL of the pairs of an object with all of them: of rows `s` with these columns and `measured`. */
export const TOGETHER = Prisma.raw(
  CURRENT.map((metric) => `'${metric.name}', ${together(metric)}`).join(', '),
);

/** SQL of the service level of the last hour of a "Scene" s, and of the people whom it counts. */
export const LEVEL_COLUMNS = Prisma.sql`
  (s."latestMetrics"#>>'{rolling60Min,serviceLevel}')::numeric AS "serviceLevel",
  (s."latestMetrics"#>>'{rolling60Min,serviceLevelCount}')::numeric AS "levelCount"`;

/** SQL of the level of the measured scenes together: of rows `s` with these columns and `measured`. Null where nobody counts. */
export const LEVEL_TOGETHER = Prisma.sql`(round(sum(s."serviceLevel" * s."levelCount") FILTER (WHERE s.measured)
  / nullif(sum(s."levelCount") FILTER (WHERE s.measured AND s."serviceLevel" IS NOT NULL), 0), 3))::float8`;

/** The numbers of this moment of all scenes that are measured, of all users, and their service level of the last hour. */
export async function readTogether(db: Db): Promise<Readonly<Record<string, number | null>>> {
  const [row] = await db.$queryRaw<[{ current: CurrentNumbers; serviceLevel: number | null }]>`
    SELECT jsonb_build_object(${TOGETHER}) AS current, ${LEVEL_TOGETHER} AS "serviceLevel"
    FROM (
      SELECT m.*, true AS measured, ${LEVEL_COLUMNS}
      FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId" AND d."deletedAt" IS NULL
      CROSS JOIN LATERAL jsonb_to_record(s."latestMetrics"->'current') AS m(${CURRENT_COLUMNS})
      WHERE s."deletedAt" IS NULL AND ${MEASURED_NOW}) s`;
  return { ...row.current, serviceLevel: row.serviceLevel };
}
