import type { Camera, Installation } from '../support/installation.ts';

const DAYS = 9;

/**
 * Writes made-up minutes and visits of the days before now: open from 8 to 20 o'clock, busy at noon and in the evening,
 * Saturdays busier, Sundays closed. The same second of the day has the same numbers in each run.
 */
export async function addPast(installation: Installation, cameras: readonly Camera[]): Promise<void> {
  process.stderr.write('Writing the days before today …\n');
  for (const [at, { deviceId, sceneId }] of cameras.entries()) {
    await installation.query(MINUTES, [sceneId, at + 1, DAYS]);
    await installation.query(VISITS, [sceneId, deviceId, at + 1, DAYS]);
  }
}

/** How busy a shop is at a local time: 0-1; null while it is closed. */
const BUSY = `
  SELECT CASE WHEN extract(isodow FROM local) = 7 OR hour < 8 OR hour >= 20 THEN NULL
    ELSE (0.25 + 0.75 * exp(-((hour - 12.5) ^ 2) / 3) + 0.9 * exp(-((hour - 17.5) ^ 2) / 2.5))
      * CASE WHEN extract(isodow FROM local) = 6 THEN 0.75 ELSE 0.5 + 0.03 * extract(isodow FROM local) END END AS busy
  FROM (SELECT at AT TIME ZONE 'Europe/Berlin' AS local) zone
  CROSS JOIN LATERAL (SELECT extract(hour FROM local) + extract(minute FROM local) / 60.0 AS hour) clock`;

/** A number of 0-1 that depends on its arguments alone. */
const unit = (...parts: string[]) => `(abs(hashtext(concat_ws(' ', ${parts.join(', ')}))) % 10000) / 10000.0`;

const MINUTES = `
  INSERT INTO "OccupancyMinute" ("sceneId", minute, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue",
    "maxInService")
  SELECT $1::uuid, at, covered, (covered * queue)::bigint, (covered * service)::bigint, (covered * service)::int,
    ceil(queue)::int, 1
  FROM generate_series(date_trunc('minute', now()) - $3::int * interval '1 day', date_trunc('minute', now()) - interval '2 minutes',
    interval '1 minute') at
  CROSS JOIN LATERAL (${BUSY}) b
  CROSS JOIN LATERAL (SELECT CASE WHEN date_trunc('hour', at) = date_trunc('hour', now()) - interval '27 hours' THEN 20000
      ELSE 60000 END AS covered,
    busy * (3 + $2::int) * (0.6 + 0.8 * ${unit('at', '$2::int')}) AS queue, least(1, 0.35 + busy * 0.6) AS service) m
  WHERE busy IS NOT NULL
  ON CONFLICT DO NOTHING`;

const VISITS = `
  WITH run AS (
    INSERT INTO "AnalysisTask" (id, "userId", "deviceId", "sceneId", status, "runStatus", epoch, reason, "startedAt", "runningAt",
      "completedAt", "processingTimeMs", "createdAt", "updatedAt")
    SELECT gen_random_uuid(), "userId", id, $1::uuid, 'COMPLETED', 'stopped', 1, 'user_request', now() - $4::int * interval '1 day',
      now() - $4::int * interval '1 day', now(), 0, now() - $4::int * interval '1 day', now()
    FROM "Device" WHERE id = $2::uuid RETURNING id)
  INSERT INTO "Visit" (id, "taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
    "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt", "createdAt")
  SELECT gen_random_uuid(), run.id, $1::uuid, row_number() OVER (ORDER BY at), row_number() OVER (ORDER BY at), 'closed',
    (CASE WHEN left_early THEN 'abandoned' ELSE 'completed' END)::"VisitOutcome", at, at + wait, CASE WHEN NOT left_early THEN at + wait END,
    CASE WHEN NOT left_early THEN at + wait + service END, at + interval '3 s',
    at + wait + CASE WHEN left_early THEN interval '2 s' ELSE service + interval '2 s' END, at
  FROM run
  CROSS JOIN generate_series(date_trunc('minute', now()) - $4::int * interval '1 day', now() - interval '20 minutes',
    interval '75 seconds') at
  CROSS JOIN LATERAL (${BUSY}) b
  CROSS JOIN LATERAL (SELECT (20 + busy * 260 * ${unit("'wait'", 'at', '$3::int')}) * interval '1 s' AS wait,
    (25 + 70 * ${unit("'service'", 'at', '$3::int')}) * interval '1 s' AS service,
    ${unit("'early'", 'at', '$3::int')} < busy * 0.14 AS left_early) v
  WHERE busy IS NOT NULL AND ${unit("'comes'", 'at', '$3::int')} < busy`;
