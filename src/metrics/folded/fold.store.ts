import type { DecidedVisit } from '../../catalogue/metrics/counted.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { endOf, startOf } from '../../platform/database/partitions/partitions.store.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { notErased } from '../erase.store.ts';
import { isArrival, MEASURED } from './counted-visits.store.ts';

/** Small enough that a statement takes less than a second. */
const VISITS_AT_ONCE = 1_000;

/** A scene with rows that are to be removed. */
export interface OldHistory {
  readonly sceneId: string;
  readonly hasVisits: boolean;
  readonly hasMinutes: boolean;
}

/** Times before which rows are to be removed: starts of a UTC day, for minutes of a month. */
export interface OldTimes {
  readonly visits: Date;
  readonly minutes: Date;
}

/**
 * The scenes of cameras that have visits or minutes of earlier times; also deleted scenes. What is counted of a recording may be long
 * ago from the beginning: it goes with the recording.
 */
export const findOldHistory = (db: Db, before: OldTimes): Promise<OldHistory[]> => db.$queryRaw`
  SELECT * FROM (
    SELECT t."sceneId",
      EXISTS (SELECT 1 FROM "Visit" v WHERE v."sceneId" = t."sceneId" AND v."outcomeDecidedAt" < ${before.visits}) AS "hasVisits",
      EXISTS (SELECT 1 FROM "OccupancyMinute" m WHERE m."sceneId" = t."sceneId" AND m.minute < ${before.minutes}) AS "hasMinutes"
    FROM "SceneTotals" t
    WHERE NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = t."sceneId")) scene
  WHERE "hasVisits" OR "hasMinutes" ORDER BY "sceneId"`;

/** Milliseconds of a duration in seconds, as VisitQuarter has them. */
const ms = (column: string) =>
  Prisma.raw(
    `CASE WHEN ${column} IS NULL THEN -1 ELSE least(greatest(round(${column}::numeric * 1000), 0), 2147483647)::int END`,
  );

/**
 * Removes visits that were decided before a time, oldest first, and adds them to their quarters of an hour, in one transaction.
 * Open visits stay.
 * @returns whether there may be more
 */
export function foldVisits(db: Db, sceneId: string, before: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // One program at a time folds a scene. The next statement sees an erasure that began before this lock was had.
    await tx.$queryRaw`SELECT 1 FROM "SceneTotals" WHERE "sceneId" = ${sceneId}::uuid FOR UPDATE`;
    const folded = await foldBatch(tx, sceneId, before);
    if (folded === 0) return false;
    await tx.$executeRaw`
      UPDATE "SceneTotals" SET "visitsSince" = greatest("visitsSince", ${before}) WHERE "sceneId" = ${sceneId}::uuid`;
    return folded === VISITS_AT_ONCE;
  });
}

async function foldBatch(tx: Tx, sceneId: string, before: Date): Promise<number> {
  const [row] = await tx.$queryRaw<{ folded: number }[]>`
    WITH gone AS (
      DELETE FROM "Visit" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "Visit"
        WHERE "sceneId" = ${sceneId}::uuid AND "outcomeDecidedAt" < ${before} AND ${notErased(sceneId)}
        ORDER BY "outcomeDecidedAt" LIMIT ${VISITS_AT_ONCE} FOR UPDATE))
      RETURNING outcome, "tillId", "isInTime", "arrivalDecidedAt", "outcomeDecidedAt", ${Prisma.raw(MEASURED)},
        ${Prisma.raw(isArrival(`ARRAY["sceneId"]`))} AS "isArrival"),
    part AS (
      SELECT "arrivalDecidedAt" AS at, 1 AS arrivals, NULL AS outcome, NULL AS "tillId", NULL::boolean AS "isInTime", 0 AS "waitMs", 0 AS "serviceMs"
      FROM gone WHERE outcome IS NOT NULL AND "isArrival"
      UNION ALL
      SELECT "outcomeDecidedAt", 0, outcome, "tillId", "isInTime", ${ms('wait')}, ${ms('service')} FROM gone WHERE outcome IS NOT NULL),
    kept AS (
      INSERT INTO "VisitQuarter" AS q ("sceneId", quarter, arrivals, outcomes, "waitMs", "serviceMs", "tillIds", "inTime")
      SELECT ${sceneId}::uuid, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') AS quarter, sum(arrivals),
        coalesce(array_agg(outcome) FILTER (WHERE outcome IS NOT NULL), '{}'),
        coalesce(array_agg("waitMs") FILTER (WHERE outcome IS NOT NULL), '{}'),
        coalesce(array_agg("serviceMs") FILTER (WHERE outcome IS NOT NULL), '{}'),
        CASE WHEN bool_or("tillId" IS NOT NULL) THEN array_agg(coalesce("tillId", '')) FILTER (WHERE outcome IS NOT NULL) END,
        CASE WHEN bool_or("isInTime" IS NOT NULL)
          THEN array_agg(coalesce("isInTime"::int::smallint, -1::smallint)) FILTER (WHERE outcome IS NOT NULL) END
      FROM part GROUP BY quarter
      ON CONFLICT ("sceneId", quarter) DO UPDATE
      SET arrivals = q.arrivals + excluded.arrivals, outcomes = q.outcomes || excluded.outcomes,
          "waitMs" = q."waitMs" || excluded."waitMs", "serviceMs" = q."serviceMs" || excluded."serviceMs",
          "tillIds" = CASE WHEN coalesce(q."tillIds", excluded."tillIds") IS NOT NULL THEN
            coalesce(q."tillIds", array_fill(''::text, ARRAY[cardinality(q.outcomes)]))
            || coalesce(excluded."tillIds", array_fill(''::text, ARRAY[cardinality(excluded.outcomes)])) END,
          "inTime" = CASE WHEN coalesce(q."inTime", excluded."inTime") IS NOT NULL THEN
            coalesce(q."inTime", array_fill(-1::smallint, ARRAY[cardinality(q.outcomes)]))
            || coalesce(excluded."inTime", array_fill(-1::smallint, ARRAY[cardinality(excluded.outcomes)])) END)
    SELECT count(*)::int AS folded FROM gone`;
  return row?.folded ?? 0;
}

/** Waits until no program folds visits of a scene. While an erasure runs, none begins to. */
export const awaitFold = (db: Db, sceneId: string): Promise<unknown> =>
  db.$queryRaw`SELECT 1 FROM "SceneTotals" WHERE "sceneId" = ${sceneId}::uuid FOR UPDATE`;

/** A quarter of an hour as it is stored. */
export type VisitQuarterRow = Awaited<ReturnType<Db['visitQuarter']['findFirstOrThrow']>>;

/** The visits that were decided in a quarter of an hour and are removed. */
export const decidedOf = ({ outcomes, waitMs, serviceMs, inTime }: VisitQuarterRow): DecidedVisit[] =>
  outcomes.map((outcome, at) => ({
    outcome,
    wait: secondsOf(waitMs[at]!),
    service: secondsOf(serviceMs[at]!),
    // The list is null where no visit had a target.
    isInTime: ([false, true] as const)[inTime?.[at] ?? -1] ?? null,
  }));

const secondsOf = (ms: number): number | null => (ms < 0 ? null : ms / 1000);

/**
 * Removes the minutes of the oldest UTC day of a scene that lies before a time. Their quarters of an hour stay.
 * @returns whether there was one
 */
export function removeOldestDay(db: Db, sceneId: string, before: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const first = await tx.occupancyMinute.findFirst({
      where: { sceneId, minute: { lt: before } },
      orderBy: { minute: 'asc' },
      select: { minute: true },
    });
    if (!first) return false;
    const end = new Date(Math.min(endOf('day', startOf('day', first.minute)).getTime(), before.getTime()));
    // A trigger would remove the quarters too.
    await tx.$queryRaw`SELECT set_config('retention.keeps_quarters', 'on', true)`;
    await tx.occupancyMinute.deleteMany({ where: { sceneId, minute: { lt: end } } });
    await tx.$executeRaw`
      UPDATE "SceneTotals" SET "minutesSince" = greatest("minutesSince", ${end}) WHERE "sceneId" = ${sceneId}::uuid`;
    return true;
  });
}
