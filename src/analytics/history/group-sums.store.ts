import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import { IN_HISTORY } from '../../catalogue/metrics/all.ts';
import type { TimeMetric } from '../../catalogue/metrics/metric.ts';
import { neededSums, type TimeSums, type VisitSums } from '../../catalogue/metrics/sums.ts';
import { countedArrivals, decidedColumns, decidedVisits } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRows } from '../../platform/database/db.ts';
import { edgesOf, spanOf } from './buckets.ts';
import { neededTimeSums, timeColumns, timeRows } from './time-columns.store.ts';

/** A span of time with the number of its group: the bucket of a series, or the cell of a heat map. */
export interface GroupedSpan extends OpenSpan {
  readonly group: number;
}

export interface SummedFor {
  /** Adjoining, in the order of time. */
  readonly spans: readonly GroupedSpan[];
  /** Whose sums are read; default: all of the history. */
  readonly metrics?: readonly TimeMetric[];
}

/** Literals of PostgreSQL arrays: the driver would examine each of the thousands of elements. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;
const times = (edges: readonly number[]): string[] => edges.map((edge) => new Date(edge).toISOString());

/** The edges, the groups, and the first and the last edge, as parameters. */
function parametersOf(spans: readonly GroupedSpan[]) {
  const edges = edgesOf(spans);
  const { fromMs, toMs } = spanOf(edges);
  return [arrayOf(times(edges)), arrayOf(spans.map(({ group }) => group)), ...times([fromMs, toMs])];
}

/**
 * The largest numbers of several scenes together. When they coincided is not stored: numbers of the same quarter of an
 * hour, or of the same minute, are summed, so that the result is an upper bound.
 */
const together = (ofMost: (text: (name: string) => string) => string): string => `
  SELECT "group"${ofMost((name) => `max("${name}") AS "${name}"`)} FROM (
    SELECT "group", start${ofMost((name) => `sum("${name}") AS "${name}"`)} FROM part GROUP BY 1, 2) together
  GROUP BY 1`;

/** Groups without frames are missing. */
export function sumOccupancy(
  db: Db,
  sceneIds: readonly string[],
  { metrics = IN_HISTORY, spans }: SummedFor,
): Promise<(Omit<TimeSums, 'elapsedMs'> & { readonly group: number })[]> {
  const { sums, most } = neededTimeSums(metrics);
  const { raw, ofScene, ofGroup } = timeColumns(sums);
  const ofMost = (text: (name: string) => string): string => most.map((name) => `, ${text(name)}`).join('');
  const alone = `SELECT "group"${ofMost((name) => `max("${name}") AS "${name}"`)} FROM part GROUP BY 1`;
  return queryRows(
    db,
    `WITH part AS (
       SELECT ($3::int[])[width_bucket(start, $2::timestamptz[])] AS "group", "sceneId", start, "coveredMs"${raw}${ofMost((name) => `"${name}"`)}
       FROM ${timeRows(edgesOf(spans), '$4', '$5')}
       WHERE "coveredMs" > 0),
     of_scene AS (
       SELECT "group", sum("coveredMs")::float8 AS covered${ofScene}
       FROM part GROUP BY "group", "sceneId"),
     of_group AS (
       SELECT "group", CASE count(*) WHEN cardinality($1::uuid[]) THEN min(covered) ELSE 0 END AS "leastCoveredMs",
         sum(covered) AS "coveredMs", count(*)::int AS scenes${ofGroup}
       FROM of_scene GROUP BY "group")
     SELECT of_group.*${ofMost((name) => `most."${name}"::int AS "${name}"`)}
     FROM of_group JOIN (${sceneIds.length > 1 ? together(ofMost) : alone}) most USING ("group")`,
    [sceneIds, ...parametersOf(spans)],
  );
}

/** Visits whose outcome was decided in each group. Groups without visits are missing. */
export async function sumDecided(
  db: Db,
  sceneIds: readonly string[],
  { metrics = IN_HISTORY, spans }: SummedFor,
): Promise<(Omit<VisitSums, 'arrivals'> & { readonly group: number })[]> {
  const { grouped, outer } = decidedColumns(neededSums(metrics));
  if (grouped === '') return [];
  return queryRows(
    db,
    `WITH visit AS (
       SELECT ($3::int[])[width_bucket(at, $2::timestamptz[])] AS "group", outcome, wait, service, "isInTime"
       FROM (${decidedVisits({ from: '$4', to: '$5' })}) decided),
     of_group AS (SELECT "group", ${grouped} FROM visit GROUP BY "group")
     SELECT ${outer} FROM of_group`,
    [sceneIds, ...parametersOf(spans)],
  );
}

/** Arrivals of each group: visits whose entry was confirmed in it. Groups without arrivals are missing. */
export async function countArrivals(
  db: Db,
  sceneIds: readonly string[],
  { metrics = IN_HISTORY, spans }: SummedFor,
): Promise<{ readonly group: number; readonly arrivals: number }[]> {
  if (!neededSums(metrics).has('arrivals')) return [];
  return queryRows(
    db,
    `SELECT ($3::int[])[width_bucket(at, $2::timestamptz[])] AS "group", sum(arrivals)::int AS arrivals
     FROM (${countedArrivals({ from: '$4', to: '$5' })}) counted
     GROUP BY 1 HAVING sum(arrivals) > 0`,
    [sceneIds, ...parametersOf(spans)],
  );
}
