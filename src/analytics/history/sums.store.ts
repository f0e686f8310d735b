import { firstOf, lastOf } from '../../catalogue/items/items.ts';
import { countedArrivals, decidedVisits } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRows } from '../../platform/database/db.ts';

/**
 * Adjoining spans of time, each with the number of its group: the bucket of a series, or the cell of a heat map.
 * `edges` are in ascending order and one more than `groups`.
 */
export interface GroupedSpans {
  readonly edges: readonly number[];
  readonly groups: readonly number[];
}

/** People over time in one group. Of several scenes people are summed, and the coverage is the least. */
export interface OccupancySums {
  readonly group: number;
  /** Time with frames, of the scene that has least. */
  readonly leastCoveredMs: number;
  /** Of all scenes together. */
  readonly coveredMs: number;
  /** Scenes that have frames. */
  readonly scenes: number;
  readonly busyMs: number;
  /** Sums of the averages of the scenes. */
  readonly avgInQueue: number;
  readonly avgInService: number;
  readonly maxInQueue: number;
  readonly maxInService: number;
}

/** Literals of PostgreSQL arrays: the driver would examine each of the thousands of elements. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;
const times = (edges: readonly number[]): string[] => edges.map((edge) => new Date(edge).toISOString());

/** The edges, the first and the last of them, and the groups, as parameters. */
function parametersOf({ edges, groups }: GroupedSpans) {
  const all = times(edges);
  return [arrayOf(all), arrayOf(groups), firstOf(all), lastOf(all)] as const;
}

const QUARTER_MS = 15 * 60_000;

/** Where sums of people are stored: by the quarter of an hour where the spans allow it, else by the minute. */
const sourceOf = (edges: readonly number[]) =>
  edges.every((edge) => edge % QUARTER_MS === 0)
    ? { table: '"OccupancyQuarter"', start: 'quarter' }
    : { table: '"OccupancyMinute"', start: 'minute' };

/**
 * The largest numbers of several scenes together. When they coincided is not stored: numbers of the same quarter of an
 * hour, or of the same minute, are summed, so that the result is an upper bound.
 */
const TOGETHER = `
  SELECT "group", max(queue) AS queue, max(service) AS service FROM (
    SELECT "group", start, sum("maxInQueue") AS queue, sum("maxInService") AS service FROM part GROUP BY 1, 2) together
  GROUP BY 1`;
const ALONE =
  'SELECT "group", max("maxInQueue") AS queue, max("maxInService") AS service FROM part GROUP BY 1';

/** Groups without frames are missing. */
export function sumOccupancy(
  db: Db,
  sceneIds: readonly string[],
  spans: GroupedSpans,
): Promise<OccupancySums[]> {
  const { table, start } = sourceOf(spans.edges);
  return queryRows<OccupancySums>(
    db,
    `WITH part AS (
       SELECT ($3::int[])[width_bucket(${start}, $2::timestamptz[])] AS "group", "sceneId", ${start} AS start, "coveredMs",
         "inQueueMs"::float8 AS "inQueueMs", "inServiceMs"::float8 AS "inServiceMs", "busyMs", "maxInQueue", "maxInService"
       FROM ${table}
       WHERE "sceneId" = ANY($1::uuid[]) AND ${start} >= $4::timestamptz AND ${start} < $5::timestamptz
         AND "coveredMs" > 0),
     of_scene AS (
       SELECT "group", sum("coveredMs")::float8 AS covered, sum("inQueueMs") AS queue, sum("inServiceMs") AS service,
         sum("busyMs")::float8 AS busy
       FROM part GROUP BY "group", "sceneId"),
     of_group AS (
       SELECT "group", CASE count(*) WHEN cardinality($1::uuid[]) THEN min(covered) ELSE 0 END AS "leastCoveredMs",
         sum(covered) AS "coveredMs", count(*)::int AS scenes, sum(busy) AS "busyMs",
         sum(queue / covered) AS "avgInQueue", sum(service / covered) AS "avgInService"
       FROM of_scene GROUP BY "group")
     SELECT of_group.*, most.queue::int AS "maxInQueue", most.service::int AS "maxInService"
     FROM of_group JOIN (${sceneIds.length > 1 ? TOGETHER : ALONE}) most USING ("group")`,
    [sceneIds, ...parametersOf(spans)],
  );
}

/** Visits whose outcome was decided in one group. Seconds. */
export interface DecidedSums {
  readonly group: number;
  readonly completed: number;
  readonly abandoned: number;
  readonly lost: number;
  readonly waitCount: number;
  readonly waitSum: number | null;
  readonly waitMax: number | null;
  readonly waitP50: number | null;
  readonly waitP90: number | null;
  readonly serviceCount: number;
  readonly serviceSum: number | null;
  readonly serviceMax: number | null;
  readonly serviceP90: number | null;
  readonly abandonedWaitCount: number;
  readonly abandonedWaitSum: number | null;
  readonly abandonedWaitMax: number | null;
}

/** Groups without visits are missing. */
export function sumDecided(db: Db, sceneIds: readonly string[], spans: GroupedSpans): Promise<DecidedSums[]> {
  // percentile_cont is the percentile of src/metrics: the value of rank share × (count − 1), interpolated.
  return queryRows<DecidedSums>(
    db,
    `WITH visit AS (
       SELECT ($3::int[])[width_bucket(at, $2::timestamptz[])] AS "group", outcome, wait, service
       FROM (${decidedVisits({ from: '$4', to: '$5' })}) decided),
     of_group AS (
       SELECT "group",
         (count(*) FILTER (WHERE outcome = 'completed'))::int AS completed,
         (count(*) FILTER (WHERE outcome = 'abandoned'))::int AS abandoned,
         (count(*) FILTER (WHERE outcome = 'lost'))::int AS lost,
         (count(wait) FILTER (WHERE outcome = 'completed'))::int AS "waitCount",
         sum(wait) FILTER (WHERE outcome = 'completed') AS "waitSum",
         max(wait) FILTER (WHERE outcome = 'completed') AS "waitMax",
         percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY wait) FILTER (WHERE outcome = 'completed') AS waits,
         (count(service) FILTER (WHERE outcome = 'completed'))::int AS "serviceCount",
         sum(service) FILTER (WHERE outcome = 'completed') AS "serviceSum",
         max(service) FILTER (WHERE outcome = 'completed') AS "serviceMax",
         percentile_cont(0.9) WITHIN GROUP (ORDER BY service) FILTER (WHERE outcome = 'completed') AS "serviceP90",
         (count(wait) FILTER (WHERE outcome = 'abandoned'))::int AS "abandonedWaitCount",
         sum(wait) FILTER (WHERE outcome = 'abandoned') AS "abandonedWaitSum",
         max(wait) FILTER (WHERE outcome = 'abandoned') AS "abandonedWaitMax"
       FROM visit GROUP BY "group")
     SELECT *, waits[1] AS "waitP50", waits[2] AS "waitP90" FROM of_group`,
    [sceneIds, ...parametersOf(spans)],
  );
}

/** Arrivals of each group: visits whose entry was confirmed in it. Groups without arrivals are missing. */
export function countArrivals(
  db: Db,
  sceneIds: readonly string[],
  spans: GroupedSpans,
): Promise<{ readonly group: number; readonly arrivals: number }[]> {
  return queryRows(
    db,
    `SELECT ($3::int[])[width_bucket(at, $2::timestamptz[])] AS "group", sum(arrivals)::int AS arrivals
     FROM (${countedArrivals({ from: '$4', to: '$5' })}) counted
     GROUP BY 1 HAVING sum(arrivals) > 0`,
    [sceneIds, ...parametersOf(spans)],
  );
}
