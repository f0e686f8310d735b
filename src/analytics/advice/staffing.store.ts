import { EFFECTIVE_TARGET } from '../../cameras/scenes/effective-target.store.ts';
import { openIn, type SiteHours } from '../../cameras/sites/open-hours.ts';
import type { Target } from '../../catalogue/waits/target.ts';
import { countedArrivals, MEASURED } from '../../metrics/folded/counted-visits.store.ts';
import { type Db, queryRow, queryRows } from '../../platform/database/db.ts';
import { openParameter, whileOpen } from '../history/open-hours.ts';

/** A scene whose tills may be advised: a run sees it, and it has several. */
export interface StaffedScene {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly timezone: string;
  /** That holds for it; null without one. */
  readonly target: Target | null;
  readonly tillIds: readonly string[];
  /** As the run stored them last; empty where they are not known. */
  readonly tills: readonly { readonly tillId: string; readonly state: string }[];
}

/** Numbers that are older are not those of now. */
const FRESH = '60 seconds';

/** The scenes with at least two tills that are measured now. @param sceneId only this one */
export function findStaffedScenes(db: Db, now: Date, sceneId: string | null = null): Promise<StaffedScene[]> {
  return queryRows(
    db,
    `SELECT s.id, s.name, s."userId", s."deviceId", coalesce(d.timezone, d.schedule->>'timezone', 'UTC') AS timezone,
       ${EFFECTIVE_TARGET} AS target,
       ARRAY(SELECT till->>'id' FROM jsonb_array_elements(s.config->'zones'->'tills') till) AS "tillIds",
       coalesce(s."latestMetrics"->'tills', '[]'::jsonb) AS tills
     FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId"
     WHERE s."deletedAt" IS NULL AND d.kind = 'camera' AND d.fault IS NULL AND s."analysisStatus" = 'running'
       AND s."metricsUpdatedAt" > $1::timestamptz - $2::interval
       AND jsonb_typeof(s.config->'zones'->'tills') = 'array' AND jsonb_array_length(s.config->'zones'->'tills') >= 2
       AND ($3::uuid IS NULL OR s.id = $3::uuid)`,
    [now.toISOString(), FRESH, sceneId],
  );
}

interface Range {
  readonly sceneId: string;
  readonly from: Date;
  readonly to: Date;
}

/** A quarter of an hour with frames. */
export interface ArrivalsRow {
  /** Local, YYYY-MM-DD. */
  readonly day: string;
  /** From local midnight. */
  readonly quarter: number;
  readonly arrivals: number;
}

/** A quarter counts if it was seen for ten of its minutes. */
const LEAST_COVERED_MS = 600_000;

/** People who joined by open quarter of an hour of each local day. A quarter that the clock repeats is told once. @param hours of its site */
export function findArrivals(
  db: Db,
  { sceneId, from, to, timezone, hours }: Range & { timezone: string; hours: readonly SiteHours[] },
): Promise<ArrivalsRow[]> {
  const open = openIn(hours, { fromMs: from.getTime(), toMs: to.getTime() });
  return queryRows(
    db,
    `SELECT (q.quarter AT TIME ZONE $4)::date::text AS day,
       floor(extract(epoch FROM (q.quarter AT TIME ZONE $4)::time) / 900)::int AS quarter,
       avg(coalesce(came.arrivals, 0) * 900000.0 / q."coveredMs")::float8 AS arrivals
     FROM "OccupancyQuarter" q LEFT JOIN (
       SELECT date_bin('15 minutes', at, 'epoch') AS quarter, sum(arrivals) AS arrivals
       FROM (${countedArrivals({ from: '$2', to: '$3' })}) one GROUP BY 1) came USING (quarter)
     WHERE q."sceneId" = ANY($1::uuid[]) AND q.quarter >= $2::timestamptz AND q.quarter < $3::timestamptz
       AND q."coveredMs" >= ${LEAST_COVERED_MS} AND ${whileOpen('q.quarter', '$5')}
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [[sceneId], from.toISOString(), to.toISOString(), timezone, openParameter(open)],
  );
}

/** A visit that was decided; seconds, null where nothing was measured. */
export interface VisitRow {
  readonly outcome: 'completed' | 'abandoned' | 'lost';
  /** When the person joined, seconds. */
  readonly joinedAt: number;
  readonly wait: number | null;
  readonly service: number | null;
}

/** The last visits of a scene, the oldest first. @param to not included */
export async function findVisits(
  db: Db,
  { sceneId, from, to, most }: Range & { most: number },
): Promise<VisitRow[]> {
  const rows = await queryRows<VisitRow>(
    db,
    `SELECT outcome, date_part('epoch', "queueEnteredAt") AS "joinedAt", ${MEASURED} FROM "Visit"
     WHERE "sceneId" = $1::uuid AND "outcomeDecidedAt" >= $2::timestamptz AND "outcomeDecidedAt" < $3::timestamptz
       AND outcome IS NOT NULL AND "queueEnteredAt" IS NOT NULL
     ORDER BY "outcomeDecidedAt" DESC LIMIT $4`,
    [sceneId, from.toISOString(), to.toISOString(), most],
  );
  return rows.reverse();
}

/** Since when each person waits, and since when each service runs. */
export function findPresent(
  db: Db,
  sceneId: string,
): Promise<{ readonly queuedAt: Date | null; readonly servedAt: Date | null }[]> {
  return queryRows(
    db,
    `SELECT CASE WHEN "queueLeftAt" IS NULL AND "serviceStartedAt" IS NULL THEN "queueEnteredAt" END AS "queuedAt",
       CASE WHEN "serviceEndedAt" IS NULL THEN "serviceStartedAt" END AS "servedAt"
     FROM "Visit" WHERE "sceneId" = $1::uuid AND "outcomeDecidedAt" IS NULL ORDER BY "queueEnteredAt"`,
    [sceneId],
  );
}

/** Mean tills in the quarters of an hour that touch a range; null where they were not seen. */
export function meanTills(
  db: Db,
  { sceneId, from, to }: Range,
): Promise<{ readonly openTills: number | null; readonly servingTills: number | null }> {
  return queryRow(
    db,
    `SELECT sum(open) / nullif(sum(known), 0)::float8 AS "openTills",
       sum(serving) / nullif(sum(known), 0)::float8 AS "servingTills"
     FROM (
       SELECT quarter, sum("servingSeconds" + "freeSeconds") AS open, sum("servingSeconds") AS serving,
         max("servingSeconds" + "freeSeconds" + "closedSeconds") AS known
       FROM "TillQuarter"
       WHERE "sceneId" = $1::uuid AND quarter > $2::timestamptz - interval '15 minutes' AND quarter < $3::timestamptz
       GROUP BY quarter) part`,
    [sceneId, from.toISOString(), to.toISOString()],
  );
}
