import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import { DURATIONS } from '../../catalogue/metrics/counted.ts';
import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import { DURATION_NAMES, type DurationName } from '../../catalogue/metrics/sums.ts';
import { decidedColumns, decidedVisits } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRow, queryRows } from '../../platform/database/db.ts';
import { openParameter, whileOpen } from './open-hours.ts';
import type { Range } from './range.ts';
import { queueMinutesWithin } from './time-columns.store.ts';

/** A range, and when it is open; null: all of it. */
export interface OpenRange extends Range {
  readonly open: readonly OpenSpan[] | null;
}

/** All durations of a kind. */
export interface DurationTotal {
  readonly kind: DurationName;
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

const OUTCOMES = [...new Set(DURATION_NAMES.map((name) => `'${DURATIONS[name].outcome}'`))].join(', ');
const MEASURES = ['wait', 'service'] as const;
/** The durations of a measure with the kind that the outcome of the visit makes of it, in one SELECT for each measure. */
const DURATION_ROWS = MEASURES.map((measure) => {
  const kinds = DURATION_NAMES.filter((name) => DURATIONS[name].measure === measure);
  const cases = kinds.map((name) => `WHEN '${DURATIONS[name].outcome}' THEN '${name}'`).join(' ');
  const outcomes = kinds.map((name) => `'${DURATIONS[name].outcome}'`).join();
  return `SELECT CASE outcome ${cases} END AS kind, ${measure} AS seconds
       FROM visit WHERE ${measure} IS NOT NULL AND outcome IN (${outcomes})`;
}).join(' UNION ALL ');

/**
 * The waits and services of the visits that were decided in the range. Kinds without durations are missing.
 * @param edges lower edges of the bins from bin 1 on, ascending @param limits ascending, both in seconds
 */
export function sumDurations(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, open, edges, limits }: OpenRange & { edges: readonly number[]; limits: readonly number[] },
): Promise<DurationTotal[]> {
  return queryRows<DurationTotal>(
    db,
    `WITH visit AS (
       SELECT outcome, wait, service FROM (${decidedVisits({ from: '$2', to: '$3' })}) decided
       WHERE outcome IN (${OUTCOMES}) AND ${whileOpen('at', '$6')}),
     duration AS MATERIALIZED (${DURATION_ROWS}),
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
    [
      ...[sceneIds, time(fromMs), time(toMs), edges],
      ...[limits.map((limit) => limit + JUST_ABOVE_SECONDS), openParameter(open)],
    ],
  );
}

/** The visits of a range by what became of their target, and those that were lost. */
export type VisitCounts = Readonly<Record<(typeof COUNTS)[number], number>>;
const COUNTS = ['inTime', 'late', 'gaveUpLate', 'gaveUpEarly', 'lost'] as const;
const COUNT_COLUMNS = decidedColumns(new Set(COUNTS)).grouped;

export function countVisits(
  db: Db,
  sceneIds: readonly string[],
  { fromMs, toMs, open }: OpenRange,
): Promise<VisitCounts> {
  return queryRow(
    db,
    `SELECT ${COUNT_COLUMNS} FROM (${decidedVisits({ from: '$2', to: '$3' })}) decided
     WHERE ${whileOpen('at', '$4')}`,
    [sceneIds, time(fromMs), time(toMs), openParameter(open)],
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

/** The range in three parts: whole quarters of an hour, and what comes before and after them. */
function partsOf({ fromMs, toMs }: Range): readonly string[] {
  const first = Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS;
  const last = Math.floor(toMs / QUARTER_MS) * QUARTER_MS;
  return (first < last ? [fromMs, first, last, toMs] : [fromMs, fromMs, fromMs, toMs]).map(time);
}

/** Of the range `$2` to `$5`, whose whole quarters are from `$3` to `$4`. The minutes of one scene lie on many pages, its quarters on few. */
const inParts = (ofQuarters: string, ofMinutes: string): string => {
  const minutes = (from: string, to: string) => `
    SELECT ${ofMinutes} FROM ${queueMinutesWithin(from, to)} WHERE "coveredMs" > 0 AND ${whileOpen('minute', '$6')}`;
  return `
    SELECT ${ofQuarters} FROM "OccupancyQuarter"
    WHERE "sceneId" = ANY($1::uuid[]) AND quarter >= $3::timestamptz AND quarter < $4::timestamptz AND "coveredMs" > 0
      AND ${whileOpen('quarter', '$6')}
    UNION ALL ${minutes('$2', '$3')} UNION ALL ${minutes('$4', '$5')}`;
};

/** Of one scene. Whole people of an average decide, because the lengths are whole. */
const MINUTES_OF_SCENE = inParts(
  'unnest("minuteAverages") AS average, unnest("minuteMaxima") AS maximum',
  '"inQueueMs" / "coveredMs", "maxInQueue"',
);
/** People of several scenes are summed minute by minute. The comparison of `$3` and `$4` is always true; it only gives them a type. */
const MINUTES_OF_SITE = `
  SELECT sum("inQueueMs"::float8 / "coveredMs") AS average, sum("maxInQueue") AS maximum FROM ${queueMinutesWithin('$2', '$5')}
  WHERE "coveredMs" > 0 AND $3::timestamptz <= $4::timestamptz AND ${whileOpen('minute', '$6')}
  GROUP BY minute`;

/** @param lengths of the queue: whole people, ascending */
export async function countQueueMinutes(
  db: Db,
  sceneIds: readonly string[],
  { lengths, open, ...whole }: OpenRange & { lengths: readonly number[] },
): Promise<QueueMinutes> {
  const range = [sceneIds, ...partsOf(whole), openParameter(open)];
  const [levels, ofScenes] = await Promise.all([
    queryRows<QueueMinutes['levels'][number]>(
      db,
      `SELECT width_bucket(average::float8, $7::float8[]) AS average, width_bucket(maximum::float8, $7::float8[]) AS maximum,
         count(*)::int AS minutes
       FROM (${sceneIds.length === 1 ? MINUTES_OF_SCENE : MINUTES_OF_SITE}) m GROUP BY 1, 2`,
      [...range, lengths],
    ),
    queryRows<{ readonly covered: number }>(
      db,
      `SELECT sum("coveredMs")::float8 AS covered FROM (${inParts('"sceneId", "coveredMs"', '"sceneId", "coveredMs"')}) m
       GROUP BY "sceneId"`,
      range,
    ),
  ]);
  // A scene without rows has no coverage.
  const covered =
    ofScenes.length < sceneIds.length || sceneIds.length === 0 ? [0] : ofScenes.map((scene) => scene.covered);
  return { levels, leastCoveredMs: Math.min(...covered) };
}
