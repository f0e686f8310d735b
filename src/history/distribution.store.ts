import { type Db, queryRows } from '../platform/database/db.ts';
import type { Range } from './range.ts';
import { DURATIONS } from './sums.store.ts';

export type DurationKind = 'wait' | 'service' | 'abandonedWait';

/** Numbers of durations of a kind: of all, of a bin, or of those that are longer than so many limits. */
export interface DurationCount {
  readonly kind: DurationKind;
  /** 0 is below the first edge; null in other rows. */
  readonly bin: number | null;
  /** How many of the limits the durations exceed; null in other rows. */
  readonly exceeded: number | null;
  readonly count: number;
  readonly sum: number;
  readonly max: number;
  readonly p50: number;
  readonly p90: number;
}

const time = (ms: number): string => new Date(ms).toISOString();
/** Durations have milliseconds, so that this is between a limit and everything that is longer. */
const JUST_ABOVE_SECONDS = 0.000_5;

/**
 * Counts the waits and services of the visits that were decided in the range.
 * @param edges lower edges of the bins, ascending @param limits ascending, both in seconds
 */
export function countDurations(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, edges, limits }: Range & { edges: readonly number[]; limits: readonly number[] },
): Promise<DurationCount[]> {
  return queryRows<DurationCount>(
    db,
    `WITH visit AS (
       SELECT outcome, ${DURATIONS} FROM "Visit"
       WHERE "sceneId" = ANY($1::uuid[]) AND "outcomeDecidedAt" >= $2::timestamptz
         AND "outcomeDecidedAt" < $3::timestamptz AND outcome IN ('completed', 'abandoned')),
     duration AS (
       SELECT kind, seconds, width_bucket(seconds, $4::float8[]) AS bin, width_bucket(seconds, $5::float8[]) AS exceeded
       FROM visit CROSS JOIN LATERAL (VALUES
         (CASE outcome WHEN 'completed' THEN 'wait' ELSE 'abandonedWait' END, wait),
         (CASE outcome WHEN 'completed' THEN 'service' END, service)) AS d(kind, seconds)
       WHERE kind IS NOT NULL AND seconds IS NOT NULL),
     counted AS (
       SELECT kind, bin, exceeded, count(*)::int AS count, sum(seconds) AS sum, max(seconds) AS max,
         percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY seconds) AS shares
       FROM duration GROUP BY GROUPING SETS ((kind), (kind, bin), (kind, exceeded)))
     SELECT kind, bin, exceeded, count, sum, max, shares[1] AS p50, shares[2] AS p90 FROM counted`,
    [sceneIds, time(fromMs), time(toMs), edges, limits.map((limit) => limit + JUST_ABOVE_SECONDS)],
  );
}

/** Minutes with frames of a range, and those with at least so many people waiting. */
export interface QueueMinutes {
  readonly measured: number;
  /** Of the scene that has least. */
  readonly leastCoveredMs: number;
  /** One number for each length that was asked for. */
  readonly byAverage: readonly number[];
  readonly byMaximum: readonly number[];
}

/** People of several scenes are summed minute by minute. @param lengths of the queue, ascending */
export async function countQueueMinutes(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, lengths }: Range & { lengths: readonly number[] },
): Promise<QueueMinutes> {
  const [row] = await queryRows<QueueMinutes>(
    db,
    `WITH stored AS (
       SELECT "sceneId", minute, "coveredMs", "inQueueMs"::float8 / "coveredMs" AS average, "maxInQueue" AS maximum
       FROM "OccupancyMinute"
       WHERE "sceneId" = ANY($1::uuid[]) AND minute >= $2::timestamptz AND minute < $3::timestamptz
         AND "coveredMs" > 0),
     together AS (
       ${sceneIds.length === 1 ? 'SELECT average, maximum FROM stored' : 'SELECT sum(average) AS average, sum(maximum) AS maximum FROM stored GROUP BY minute'}),
     counted AS (
       SELECT width_bucket(average, $4::float8[]) AS average, width_bucket(maximum::float8, $4::float8[]) AS maximum,
         count(*) AS minutes
       FROM together GROUP BY 1, 2)
     SELECT (SELECT coalesce(sum(minutes), 0)::float8 FROM counted) AS measured,
       (SELECT coalesce(min(covered), 0)::float8 FROM (
         SELECT sum("coveredMs") AS covered FROM unnest($1::uuid[]) AS scene(id)
         LEFT JOIN stored ON "sceneId" = scene.id GROUP BY scene.id) c) AS "leastCoveredMs",
       ARRAY(SELECT coalesce((SELECT sum(minutes) FROM counted WHERE average >= at), 0)::float8
         FROM generate_series(1, cardinality($4::float8[])) at ORDER BY at) AS "byAverage",
       ARRAY(SELECT coalesce((SELECT sum(minutes) FROM counted WHERE maximum >= at), 0)::float8
         FROM generate_series(1, cardinality($4::float8[])) at ORDER BY at) AS "byMaximum"`,
    [sceneIds, time(fromMs), time(toMs), lengths],
  );
  return row!;
}
