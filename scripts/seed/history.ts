import { ID_SALT, literal } from './functions.ts';
import { type SeedPlan, SPAN_DAYS, scenesOf } from './plan.ts';

const DRAW = { queue: 50, service: 51, frames: 52, scene: 53, wait: 54, served: 55, outcome: 56, unseen: 57 };

const MINUTE_MS = 60_000;

/** Minutes before the end in which there are occupancy minutes and visits. */
const spanMinutes = (plan: SeedPlan): number =>
  plan.minutes ? Math.ceil(plan.minutes / scenesOf(plan)) : SPAN_DAYS * 1440;

const until = (plan: SeedPlan): string => `${literal(plan.until.toISOString())}::timestamptz`;

/**
 * Fills the minutes `$2` to `$1`, counted back from the end, of every scene: in the order of time, as runs write. One minute
 * in twenty has few frames. More people wait in the middle of the day (UTC).
 */
export const fillMinutes = (plan: SeedPlan): string => `
  INSERT INTO "OccupancyMinute" ("sceneId", minute, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue",
    "maxInService")
  SELECT scene_id, at, covered, (covered * queue)::bigint, (covered * service)::bigint, (covered * least(service, 1))::int,
    ceil(queue * 1.5)::int, ceil(service)::int
  FROM generate_series($1::bigint, $2::bigint) step
  CROSS JOIN LATERAL (
    SELECT ${until(plan)} - (step + 1) * interval '1 minute' AS at) t
  CROSS JOIN seed_scene s
  CROSS JOIN LATERAL (SELECT s.n * 10000000 + step AS i) k
  CROSS JOIN LATERAL (
    SELECT CASE WHEN pg_temp.unit(i, ${DRAW.frames}) < 0.05 THEN 20000 ELSE 60000 END AS covered,
      pg_temp.unit(i, ${DRAW.queue}) * 12 * sin(pi() * extract(hour FROM at AT TIME ZONE 'UTC')::float8 / 24) AS queue,
      pg_temp.unit(i, ${DRAW.service}) * 3 AS service) m
  ORDER BY step DESC, s.n`;

/** Fills a run of each scene, numbered `$1` to `$2`, for its visits. */
export const fillVisitRuns = (plan: SeedPlan): string => `
  INSERT INTO "AnalysisTask" (id, "userId", "deviceId", "sceneId", status, "runStatus", "computeNodeId", epoch, reason,
    "startedAt", "runningAt", "completedAt", "processingTimeMs", "createdAt", "updatedAt")
  SELECT pg_temp.id(at, n, ${ID_SALT.visitRun}), user_id, device_id, scene_id, 'COMPLETED', 'stopped', node_id, 1,
    'user_request', at, at, ${until(plan)}, 0, at, ${until(plan)}
  FROM seed_scene CROSS JOIN (SELECT ${runStart(plan)} AS at) t
  WHERE n BETWEEN $1::bigint AND $2::bigint ORDER BY n`;

function runStart(plan: SeedPlan): string {
  return `${until(plan)} - ${spanMinutes(plan)} * interval '1 minute'`;
}

/** Fills decided visits of the numbers `$1` to `$2`: of 20 people 17 are served, two give up, one is lost from sight. */
export const fillVisits = (plan: SeedPlan): string => `
  INSERT INTO "Visit" (id, "taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
    "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt", "createdAt", "tillId")
  SELECT pg_temp.id(entered, i, ${ID_SALT.visit}), pg_temp.id(${runStart(plan)}, s.n, ${ID_SALT.visitRun}), s.scene_id, i, i,
    'closed', outcome::"VisitOutcome", entered, left_at, started, ended, entered + interval '3 s',
    coalesce(ended, left_at) + interval '2 s', entered,
    CASE outcome WHEN 'completed' THEN 't' || (1 + i % 8) END
  FROM generate_series($1::bigint, $2::bigint) i
  JOIN seed_scene s ON s.n = 1 + pg_temp.below(i, ${DRAW.scene}, ${scenesOf(plan)})
  CROSS JOIN LATERAL (
    SELECT date_trunc('milliseconds', ${until(plan)} - interval '2 hours'
        - (${plan.visits ?? 0} - i) * ${((spanMinutes(plan) - 120) * MINUTE_MS) / Math.max(1, plan.visits ?? 0)}
          * interval '1 ms') AS entered,
      -ln(1 - pg_temp.unit(i, ${DRAW.wait})) * 120 AS wait, 5 + pg_temp.unit(i, ${DRAW.served}) * 90 AS served,
      CASE WHEN pg_temp.unit(i, ${DRAW.outcome}) < 0.85 THEN 'completed'
        WHEN pg_temp.unit(i, ${DRAW.outcome}) < 0.95 THEN 'abandoned' ELSE 'lost' END AS outcome) d
  CROSS JOIN LATERAL (
    SELECT date_trunc('milliseconds', entered + least(wait, 3000) * interval '1 s') AS left_at) l
  CROSS JOIN LATERAL (
    SELECT CASE outcome WHEN 'completed' THEN left_at END AS started,
      CASE outcome WHEN 'completed' THEN date_trunc('milliseconds', left_at + served * interval '1 s') END AS ended) e
  ORDER BY i`;

/** Derives the quarters of eight tills of each scene: each serves, is free and closed for a minute, again and again. */
export const DERIVE_TILLS = `
  INSERT INTO "TillQuarter" ("sceneId", quarter, "tillId", name, "servingSeconds", "freeSeconds", "closedSeconds",
    "lostSeconds", spans)
  SELECT "sceneId", quarter, 't' || n, 'Till ' || n, 300, 300, 300, 0, decode(repeat('043c083c0c3c', 5), 'hex')
  FROM "OccupancyQuarter" CROSS JOIN generate_series(1, 8) n ORDER BY 2, 1, 3
  ON CONFLICT DO NOTHING`;

/** Derives the sums of quarters, which a trigger writes where triggers are not skipped. */
export const DERIVE_QUARTERS = `
  INSERT INTO "OccupancyQuarter" ("sceneId", quarter, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue",
    "maxInService", "minuteAverages", "minuteMaxima")
  SELECT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z'), sum("coveredMs"), sum("inQueueMs"),
    sum("inServiceMs"), sum("busyMs"), max("maxInQueue"), max("maxInService"),
    array_agg(("inQueueMs" / "coveredMs")::smallint ORDER BY minute), array_agg("maxInQueue"::smallint ORDER BY minute)
  FROM "OccupancyMinute" GROUP BY 2, 1 ORDER BY 2, 1
  ON CONFLICT DO NOTHING`;
