import { hoursOf, type SiteHours } from '../../cameras/sites/open-hours.ts';
import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import { IN_REPORTS } from '../../catalogue/metrics/all.ts';
import { neededSums, type TimeSums, type VisitSums } from '../../catalogue/metrics/sums.ts';
import { countedArrivals, decidedColumns, decidedVisits } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRows } from '../../platform/database/db.ts';
import type { QueueZones } from '../../vision/types.ts';
import { edgesOf, spanOf } from '../history/buckets.ts';
import { neededTimeSums, timeColumns, timeRows } from '../history/time-columns.store.ts';

export interface ReportedScene {
  readonly id: string;
  readonly name: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly zones: QueueZones;
}

/** A site with its scenes, and what its owner reads. */
export interface ReportedSite {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  /** One, or none where nobody has said when it is open. */
  readonly hours: readonly SiteHours[];
  /** The scenes of the devices that it has now, in the order of their names. */
  readonly scenes: readonly ReportedScene[];
  /** Language that the user prefers (BCP 47). */
  readonly locale: string | null;
}

/** @returns null when the user has no such site */
export async function findReportedSite(db: Db, userId: string, siteId: string): Promise<ReportedSite | null> {
  const rows = await queryRows<{
    readonly siteName: string;
    readonly timezone: string;
    readonly openingHours: unknown;
    readonly locale: string | null;
    readonly id: string | null;
    readonly name: string;
    readonly deviceId: string;
    readonly deviceName: string;
    readonly zones: QueueZones;
  }>(
    db,
    `SELECT site.name AS "siteName", site.timezone, site."openingHours", u.locale, scene.*
     FROM "Site" site JOIN "User" u ON u.id = site."userId"
     LEFT JOIN LATERAL (
       SELECT s.id, s.name, d.id AS "deviceId", d.name AS "deviceName", s.config -> 'zones' AS zones
       FROM "SiteDevice" sd
       JOIN "Device" d ON d.id = sd."deviceId" AND d."deletedAt" IS NULL
       JOIN "Scene" s ON s."deviceId" = d.id AND s."deletedAt" IS NULL
       WHERE sd."siteId" = site.id) scene ON true
     WHERE site.id = $1::uuid AND site."userId" = $2::uuid
     ORDER BY scene.name, scene.id`,
    [siteId, userId],
  );
  const [first] = rows;
  if (!first) return null;
  return {
    id: siteId,
    name: first.siteName,
    timezone: first.timezone,
    hours: hoursOf([first]),
    locale: first.locale,
    scenes: rows.flatMap(({ id, name, deviceId, deviceName, zones }) =>
      id === null ? [] : [{ id, name, deviceId, deviceName, zones }],
    ),
  };
}

/** A span of time with the number of its hour, day and period; NONE where it belongs to none. */
export interface ReportSpan extends OpenSpan {
  readonly hour: number;
  readonly day: number;
  readonly period: number;
}

/** Not null: the elements of an array with nulls are found one after the other. */
export const NONE = -1;

/** What a row is about: an hour or a day of all scenes, a period of one scene, or else a period of all scenes. */
export interface Level {
  readonly hour: number | null;
  readonly day: number | null;
  readonly period: number | null;
  readonly sceneId: string | null;
}

/** Literals of PostgreSQL arrays: the driver would examine each element. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;

/** @param spans adjoining, in the order of time */
function parametersOf(sceneIds: readonly string[], spans: readonly ReportSpan[]) {
  const timeOf = (ms: number) => new Date(ms).toISOString();
  const edges = edgesOf(spans);
  const { fromMs, toMs } = spanOf(edges);
  return [
    ...[sceneIds, arrayOf(edges.map(timeOf)), arrayOf(spans.map(({ hour }) => hour))],
    ...[arrayOf(spans.map(({ day }) => day)), arrayOf(spans.map(({ period }) => period))],
    ...[timeOf(fromMs), timeOf(toMs)],
  ];
}

/**
 * Rows with the hour, day and period of their time `at`, from the parameters. The span of a row is found once: without OFFSET the
 * search would be repeated for each of the three, and for each condition.
 * @param rows SQL of rows of the range `$6` to `$7`
 */
const placed = (rows: string): string => `
  SELECT *, ($3::int[])[span] AS hour, ($4::int[])[span] AS day, ($5::int[])[span] AS period
  FROM (SELECT *, width_bucket(at, $2::timestamptz[]) AS span FROM (${rows}) part OFFSET 0) found
  WHERE ($5::int[])[span] <> ${NONE}`;

const RANGE = { from: '$6', to: '$7' };

const DECIDED = decidedColumns(neededSums(IN_REPORTS));

/** Visits by the time of their decision, at every level in one statement. Levels without visits are missing. */
export function sumDecidedByLevel(
  db: Db,
  sceneIds: readonly string[],
  spans: readonly ReportSpan[],
): Promise<(Level & Omit<VisitSums, 'arrivals'>)[]> {
  // Percentiles cannot be merged, so each level has its own.
  return queryRows(
    db,
    `WITH visit AS (${placed(decidedVisits(RANGE))}),
     of_level AS (
       SELECT hour, day, period, "sceneId", ${DECIDED.grouped}
       FROM visit GROUP BY GROUPING SETS ((hour), (day), (period), (period, "sceneId")))
     SELECT ${DECIDED.outer} FROM of_level`,
    parametersOf(sceneIds, spans),
  );
}

/** Arrivals of the hours of all scenes, and of the periods of each scene. Levels without arrivals are missing. */
export function countArrivalsByLevel(
  db: Db,
  sceneIds: readonly string[],
  spans: readonly ReportSpan[],
): Promise<(Pick<Level, 'hour' | 'period' | 'sceneId'> & { readonly arrivals: number })[]> {
  return queryRows(
    db,
    `WITH visit AS (${placed(countedArrivals(RANGE))})
     SELECT hour, period, "sceneId", sum(arrivals)::int AS arrivals
     FROM visit GROUP BY GROUPING SETS ((hour), (period, "sceneId")) HAVING sum(arrivals) > 0`,
    parametersOf(sceneIds, spans),
  );
}

const { sums: TIME_SUMS_OF_REPORTS } = neededTimeSums(IN_REPORTS);
const { raw: RAW, ofScene: OF_SCENE, ofGroup: OF_GROUP } = timeColumns(TIME_SUMS_OF_REPORTS);

/**
 * People over time, and the time with frames: of all scenes together, and of the scene with the least. Levels without frames are
 * missing. The level of a whole period follows from its scenes.
 */
export function sumTimeByLevel(
  db: Db,
  sceneIds: readonly string[],
  spans: readonly ReportSpan[],
): Promise<(Level & Omit<TimeSums, 'elapsedMs'>)[]> {
  const covered = `
    SELECT "sceneId", "coveredMs"${RAW}, start AS at FROM ${timeRows(edgesOf(spans), RANGE.from, RANGE.to)}
    WHERE "coveredMs" > 0`;
  const ofLevel = (level: 'hour' | 'day' | 'period, "sceneId"', names: string, least: string) => `
    SELECT ${names}, sum(covered)::float8 AS "coveredMs", count(*)::int AS scenes, (${least})::float8 AS "leastCoveredMs"${OF_GROUP}
    FROM (SELECT ${level}, sum(covered)::float8 AS covered${OF_SCENE} FROM part GROUP BY ${level.includes('sceneId') ? level : `${level}, "sceneId"`}) scenes
    GROUP BY ${level}`;
  const least = 'CASE count(*) WHEN cardinality($1::uuid[]) THEN min(covered) ELSE 0 END';
  return queryRows(
    db,
    `WITH part AS (
       SELECT hour, day, period, "sceneId", sum("coveredMs") AS covered${OF_SCENE}
       FROM (${placed(covered)}) placed
       GROUP BY 1, 2, 3, 4)
     ${ofLevel('hour', 'hour, NULL::int AS day, NULL::int AS period, NULL::uuid AS "sceneId"', least)}
     UNION ALL ${ofLevel('day', 'NULL::int, day, NULL::int, NULL::uuid', least)}
     UNION ALL ${ofLevel('period, "sceneId"', 'NULL::int, NULL::int, period, "sceneId"', 'min(covered)')}`,
    parametersOf(sceneIds, spans),
  );
}
