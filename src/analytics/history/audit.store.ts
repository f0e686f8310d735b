import { VISIT_COUNTS } from '../../catalogue/metrics/counted.ts';
import { type CountName, MOST_NAMES, SUMMED_NAMES, TIME_SUM_NAMES } from '../../catalogue/metrics/sums.ts';
import { isArrival } from '../../metrics/folded/counted-visits.store.ts';
import { KEPT } from '../../metrics/totals.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

export interface AuditedScene {
  readonly id: string;
  readonly userId: string;
}

const ofUser = (email: string | undefined) => (email === undefined ? {} : { user: { email } });

/** The scenes of all users or of one, also deleted ones, in the order of their ids. */
export const everyScene = (db: Db, email: string | undefined): AsyncGenerator<AuditedScene> =>
  inBatches<AuditedScene>((take, last) =>
    db.scene.findMany({
      where: { ...ofUser(email), ...(last && { id: { gt: last.id } }) },
      orderBy: { id: 'asc' },
      take,
      select: { id: true, userId: true },
    }),
  );

export const countScenes = (db: Db, email: string | undefined): Promise<number> =>
  db.scene.count({ where: ofUser(email) });

/** Columns of a table with the sums of minutes and quarters. */
const sumsOf = (table: string) =>
  Prisma.raw(['coveredMs', ...TIME_SUM_NAMES].map((name) => `${table}."${name}"`).join(', '));
const ADDED = Prisma.raw(
  [
    ...['coveredMs', ...SUMMED_NAMES].map((name) => `sum("${name}") AS "${name}"`),
    ...MOST_NAMES.map((name) => `max("${name}") AS "${name}"`),
  ].join(', '),
);

/** Quarters of an hour that differ from their minutes, as far as there are minutes. */
export function findWrongQuarters(tx: Tx, sceneId: string): Promise<{ quarter: Date }[]> {
  return tx.$queryRaw<{ quarter: Date }[]>`
    WITH since AS (
      SELECT coalesce((SELECT "minutesSince" FROM "SceneTotals" WHERE "sceneId" = ${sceneId}::uuid), '-infinity') AS minutes),
    added AS (
      SELECT date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter, ${ADDED},
        array_agg(least("inQueueMs" / nullif("coveredMs", 0), 32767)::smallint ORDER BY minute)
          FILTER (WHERE "coveredMs" > 0) AS averages,
        array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0) AS maxima
      FROM since CROSS JOIN LATERAL all_minutes(ARRAY[${sceneId}::uuid], since.minutes, 'infinity') GROUP BY 1),
    kept AS (
      SELECT * FROM "OccupancyQuarter" WHERE "sceneId" = ${sceneId}::uuid AND quarter >= (SELECT minutes FROM since))
    SELECT quarter FROM added FULL JOIN kept USING (quarter)
    WHERE (${sumsOf('added')}, averages, maxima)
      IS DISTINCT FROM (${sumsOf('kept')}, "minuteAverages", "minuteMaxima")
    ORDER BY quarter`;
}

/** Counts of a scene. */
export type SceneCounts = Readonly<Record<'arrivals' | 'waits' | 'services' | CountName, number>>;

const COUNTS = Prisma.raw(
  KEPT.map((name) => `(count(*) FILTER (WHERE ${VISIT_COUNTS[name].sql}))::int AS "${name}"`).join(', '),
);

/** The counts of the visits, also of those that are removed and kept as sums, and those of the totals; null before the first start. */
export async function countVisits(
  tx: Tx,
  sceneId: string,
): Promise<{ ofVisits: SceneCounts; ofTotals: SceneCounts | null; first: Date | null; last: Date | null }> {
  const [row] = await tx.$queryRaw<(SceneCounts & { first: Date | null; last: Date | null })[]>`
    WITH visit AS (
      SELECT (${Prisma.raw(isArrival('ARRAY["sceneId"]'))})::int AS arrivals, outcome, "isInTime",
        (outcome = 'completed' AND "queueEnteredAt" IS NOT NULL AND coalesce("serviceStartedAt", "queueLeftAt") IS NOT NULL)::int
          AS waits,
        (outcome = 'completed' AND "serviceStartedAt" IS NOT NULL AND "serviceEndedAt" IS NOT NULL)::int AS services,
        "arrivalDecidedAt" AS first, greatest("arrivalDecidedAt", "outcomeDecidedAt") AS last
      FROM "Visit" WHERE "sceneId" = ${sceneId}::uuid AND state <> 'discarded'
      UNION ALL
      SELECT arrivals, NULL, NULL, NULL, NULL, quarter, quarter FROM "VisitQuarter" WHERE "sceneId" = ${sceneId}::uuid
      UNION ALL
      SELECT NULL, entry.outcome, nullif(entry.in_time, -1) = 1, (entry.outcome = 'completed' AND entry.wait >= 0)::int,
        (entry.outcome = 'completed' AND entry.service >= 0)::int, NULL, NULL
      FROM "VisitQuarter" q
      CROSS JOIN LATERAL unnest(q.outcomes, q."waitMs", q."serviceMs", q."inTime") AS entry(outcome, wait, service, in_time)
      WHERE "sceneId" = ${sceneId}::uuid)
    SELECT coalesce(sum(arrivals), 0)::int AS arrivals, ${COUNTS},
      coalesce(sum(waits), 0)::int AS waits, coalesce(sum(services), 0)::int AS services,
      min(first) AS first, max(last) AS last
    FROM visit`;
  const totals = await tx.sceneTotals.findUnique({ where: { sceneId } });
  const { first, last, ...ofVisits } = row!;
  return {
    ...{ ofVisits, first, last },
    ofTotals: totals && {
      ...(Object.fromEntries(KEPT.map((name) => [name, totals[VISIT_COUNTS[name].total]])) as Record<
        CountName,
        number
      >),
      arrivals: totals.arrivals,
      waits: totals.waitCount,
      services: totals.serviceCount,
    },
  };
}
