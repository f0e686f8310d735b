import { type Db, queryRow, queryRows } from '../../../platform/database/db.ts';
import type { ClockSpan } from '../../../platform/jobs/local-clock.ts';
import type { Range } from '../range.ts';

/** The newest of those who were served: so many answer whether predictions are right now. */
export const LATEST = 1_000;

/** Sums of the predictions of one hour of the day, or of all. */
export interface AccuracySums {
  /** Null of all. */
  readonly hour: number | null;
  readonly predictions: number;
  readonly served: number;
  readonly gaveUp: number;
  readonly lost: number;
  /** Of those who were served. */
  readonly inside: number;
  readonly absoluteError: number | null;
  readonly error: number | null;
  /** Those who gave up before the end of their band: nobody knows whether they would have been served within it. */
  readonly open: number;
}

/** Predictions whose outcome was decided in the range: of the scene `$1` from `$2` to `$3`. Seconds. */
const SAID = `
  SELECT "queueEnteredAt", outcome, "outcomeDecidedAt", "predictedWaitMs" / 1000.0::float8 AS said,
    "predictedLowMs" / 1000.0::float8 AS low, "predictedHighMs" / 1000.0::float8 AS high,
    CASE WHEN outcome = 'completed' OR "serviceStartedAt" IS NOT NULL
      THEN date_part('epoch', coalesce("serviceStartedAt", "queueLeftAt") - "queueEnteredAt") END AS wait,
    CASE WHEN outcome = 'abandoned' THEN date_part('epoch', "queueLeftAt" - "queueEnteredAt") END AS gave_up
  FROM "Visit"
  WHERE "sceneId" = $1::uuid AND "outcomeDecidedAt" >= $2::timestamptz AND "outcomeDecidedAt" < $3::timestamptz
    AND outcome IS NOT NULL AND "predictedWaitMs" IS NOT NULL`;

const iso = (ms: number): string => new Date(ms).toISOString();

/** @param clock the offsets from UTC of the time zone whose hours are asked for */
export function sumAccuracy(
  db: Db,
  sceneId: string,
  { fromMs, toMs }: Range,
  clock: readonly ClockSpan[],
): Promise<AccuracySums[]> {
  return queryRows<AccuracySums>(
    db,
    `WITH said AS (
       SELECT *, extract(hour FROM ("queueEnteredAt" AT TIME ZONE 'UTC') + ($5::int[])[greatest(1, width_bucket("queueEnteredAt", $4::timestamptz[]))] * interval '1 second')::int AS hour
       FROM (${SAID}) v)
     SELECT hour, count(*)::int AS predictions, count(wait)::int AS served, count(gave_up)::int AS "gaveUp",
       (count(*) - count(wait) - count(gave_up))::int AS lost,
       (count(*) FILTER (WHERE wait BETWEEN low AND high))::int AS inside,
       avg(abs(said - wait)) AS "absoluteError", avg(said - wait) AS error,
       (count(*) FILTER (WHERE gave_up <= high))::int AS open
     FROM said GROUP BY GROUPING SETS ((), (hour)) ORDER BY hour NULLS FIRST`,
    [
      ...[sceneId, iso(fromMs), iso(toMs)],
      clock.map((span) => iso(span.fromMs)),
      clock.map(({ offsetMs }) => Math.round(offsetMs / 1000)),
    ],
  );
}

/** How many of the newest predictions of the range were right, of those who were served. */
export function countLatest(
  db: Db,
  sceneId: string,
  { fromMs, toMs }: Range,
): Promise<{ readonly served: number; readonly insideBand: number }> {
  return queryRow(
    db,
    `SELECT count(*)::int AS served, (count(*) FILTER (WHERE wait BETWEEN low AND high))::int AS "insideBand"
     FROM (SELECT * FROM (${SAID}) v WHERE wait IS NOT NULL ORDER BY "outcomeDecidedAt" DESC LIMIT ${LATEST}) newest`,
    [sceneId, iso(fromMs), iso(toMs)],
  );
}
