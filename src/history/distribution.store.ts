import { type Db, queryRows } from '../platform/database/db.ts';
import type { Range } from './range.ts';
import { DURATIONS } from './sums.store.ts';

export type DurationKind = 'wait' | 'service' | 'abandonedWait';

/** All durations of a kind. */
export interface DurationTotal {
  readonly kind: DurationKind;
  readonly sum: number;
  readonly max: number;
  readonly p50: number;
  readonly p90: number;
  /** Numbers of durations by bin and by how many limits they exceed. */
  readonly counts: readonly { readonly bin: number; readonly exceeded: number; readonly count: number }[];
}

const time = (ms: number): string => new Date(ms).toISOString();
/** Durations have milliseconds, so that this is between a limit and everything that is longer. */
const JUST_ABOVE_SECONDS = 0.000_5;

/**
 * The waits and services of the visits that were decided in the range. Kinds without durations are missing.
 * @param edges lower edges of the bins from bin 1 on, ascending @param limits ascending, both in seconds
 */
export function sumDurations(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, edges, limits }: Range & { edges: readonly number[]; limits: readonly number[] },
): Promise<DurationTotal[]> {
  return queryRows<DurationTotal>(
    db,
    `WITH visit AS (
       SELECT outcome, ${DURATIONS} FROM "Visit"
       WHERE "sceneId" = ANY($1::uuid[]) AND "outcomeDecidedAt" >= $2::timestamptz
         AND "outcomeDecidedAt" < $3::timestamptz AND outcome IN ('completed', 'abandoned')),
     duration AS MATERIALIZED (
       SELECT CASE outcome WHEN 'completed' THEN 'wait' ELSE 'abandonedWait' END AS kind, wait AS seconds
       FROM visit WHERE wait IS NOT NULL
       UNION ALL
       SELECT 'service', service FROM visit WHERE outcome = 'completed' AND service IS NOT NULL),
     counted AS (
       SELECT kind, width_bucket(seconds, $4::float8[]) AS bin, width_bucket(seconds, $5::float8[]) AS exceeded,
         count(*) AS count
       FROM duration GROUP BY 1, 2, 3),
     whole AS (
       SELECT kind, sum(seconds) AS sum, max(seconds) AS max,
         percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY seconds) AS shares
       FROM duration GROUP BY kind)
     SELECT kind, sum, max, shares[1] AS p50, shares[2] AS p90,
       (SELECT jsonb_agg(jsonb_build_object('bin', bin, 'exceeded', exceeded, 'count', count)) FROM counted
        WHERE counted.kind = whole.kind) AS counts
     FROM whole`,
    [sceneIds, time(fromMs), time(toMs), edges, limits.map((limit) => limit + JUST_ABOVE_SECONDS)],
  );
}

/** Minutes with frames by the length of the queue. */
export interface QueueMinutes {
  /** Numbers of minutes by how many of the lengths their average and their maximum reach. */
  readonly levels: readonly {
    readonly average: number;
    readonly maximum: number;
    readonly minutes: number;
  }[];
  /** Of the scene that has least. */
  readonly leastCoveredMs: number;
}

/** People of several scenes are summed minute by minute. @param lengths of the queue, ascending */
export async function countQueueMinutes(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, lengths }: Range & { lengths: readonly number[] },
): Promise<QueueMinutes> {
  const stored = `
    FROM "OccupancyMinute"
    WHERE "sceneId" = ANY($1::uuid[]) AND minute >= $2::timestamptz AND minute < $3::timestamptz AND "coveredMs" > 0`;
  const average = '"inQueueMs"::float8 / "coveredMs"';
  const minutes =
    sceneIds.length === 1
      ? `SELECT ${average} AS average, "maxInQueue" AS maximum, "coveredMs" AS covered ${stored}`
      : `SELECT sum(${average}) AS average, sum("maxInQueue") AS maximum, 0 AS covered ${stored} GROUP BY minute`;
  const range = [sceneIds, time(fromMs), time(toMs)];
  const [levels, ofScenes] = await Promise.all([
    queryRows<QueueMinutes['levels'][number] & { readonly covered: number }>(
      db,
      `SELECT width_bucket(average, $4::float8[]) AS average, width_bucket(maximum::float8, $4::float8[]) AS maximum,
         count(*)::int AS minutes, sum(covered)::float8 AS covered
       FROM (${minutes}) m GROUP BY 1, 2`,
      [...range, lengths],
    ),
    sceneIds.length === 1
      ? null
      : queryRows<{ readonly covered: number }>(
          db,
          `SELECT sum("coveredMs")::float8 AS covered ${stored} GROUP BY "sceneId"`,
          range,
        ),
  ]);
  if (!ofScenes) return { levels, leastCoveredMs: levels.reduce((sum, { covered }) => sum + covered, 0) };
  // A scene without rows has no coverage.
  const covered =
    ofScenes.length < sceneIds.length || sceneIds.length === 0 ? [0] : ofScenes.map((scene) => scene.covered);
  return { levels, leastCoveredMs: Math.min(...covered) };
}
