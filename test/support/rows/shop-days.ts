import type { Db } from '../../../src/platform/database/db.ts';
import { insertRows } from './insert-rows.ts';

export interface ShopDays {
  readonly sceneId: string;
  /** Local date of the first day. */
  readonly firstDay: string;
  readonly days: number;
  readonly timezone: string;
  /** Nothing is stored from then on. */
  readonly until?: Date;
  /** Local hours in which the shop is open. */
  readonly opens?: number;
  readonly closes?: number;
}

/**
 * Stores the minutes and visits of a shop that is open by day: most people come at noon and at five, more of them at the end
 * of the week. One hour in each day, at ten, has frames for half of the time.
 */
export async function addShopDays(db: Db, shop: ShopDays): Promise<void> {
  const { sceneId, firstDay, days, timezone, until = new Date('2999-01-01'), opens = 8, closes = 20 } = shop;
  const values = [sceneId, firstDay, days, timezone, until.toISOString(), opens, closes];
  await db.$executeRawUnsafe(
    `INSERT INTO "OccupancyMinute" ("sceneId", minute, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue", "maxInService")
     SELECT $1::uuid, at, covered, (covered * queue)::bigint, (covered * 0.8)::bigint, (covered * 0.8)::int,
       ceil(queue * 1.4)::int, 2
     FROM ${OPEN_MINUTES}
     CROSS JOIN LATERAL (SELECT CASE WHEN hour = 10 THEN 30000 ELSE 60000 END AS covered, ${QUEUE} AS queue) m`,
    ...values,
  );
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const { userId, deviceId } = scene;
  const task = await db.analysisTask.create({
    data: { userId, deviceId, sceneId, status: 'COMPLETED', runStatus: 'stopped' },
  });
  await db.$executeRawUnsafe(
    `INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
       "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt")
     SELECT $8::uuid, $1::uuid, row_number() OVER (ORDER BY at), 1, 'closed', outcome::"VisitOutcome", at, at + wait,
       CASE WHEN outcome = 'completed' THEN at + wait END, CASE WHEN outcome = 'completed' THEN at + wait + interval '70 s' END,
       at, at + wait + interval '70 s'
     FROM ${OPEN_MINUTES}
     CROSS JOIN LATERAL (
       SELECT (20 + ${QUEUE} * 45 + (minute_number * 7919) % 60) * interval '1 s' AS wait,
         CASE minute_number % 19 WHEN 0 THEN 'abandoned' WHEN 7 THEN 'lost' ELSE 'completed' END AS outcome) v
     WHERE minute_number % 3 = 0 AND at + wait + interval '70 s' < $5::timestamptz`,
    ...values,
    task.id,
  );
}

/** Each minute `at` in which the shop is open, with the local hour and weekday. */
const OPEN_MINUTES = `(
  SELECT at, hour, weekday, minute_number FROM generate_series(
    $2::timestamp AT TIME ZONE $4, ($2::timestamp + $3::int * interval '1 day') AT TIME ZONE $4 - interval '1 minute',
    interval '1 minute') at
  CROSS JOIN LATERAL (
    SELECT extract(hour FROM at AT TIME ZONE $4)::int AS hour, extract(isodow FROM at AT TIME ZONE $4)::int AS weekday,
      (extract(epoch FROM at) / 60)::bigint AS minute_number) local
  WHERE at < $5::timestamptz AND hour >= $6::int AND hour < $7::int) open_minutes`;

const QUEUE = `round((1 + weekday * 0.35) * (0.4 + 2.2 * exp(-power(
  (extract(hour FROM at AT TIME ZONE $4)::float8 + extract(minute FROM at AT TIME ZONE $4)::float8 / 60 - 12.5) / 1.2, 2))
  + 2.8 * exp(-power((extract(hour FROM at AT TIME ZONE $4)::float8 - 17) / 1.5, 2)) + (minute_number % 5) * 0.08)::numeric, 3)::float8`;

/** Stores the snapshots of a scene each minute: so many in the queue by the minute of the hour. */
export async function addSnapshots(
  db: Db,
  {
    sceneId,
    from,
    hours,
    inQueue,
  }: { sceneId: string; from: Date; hours: number; inQueue: (minute: number) => number },
): Promise<void> {
  const { deviceId } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  await insertRows(
    db,
    'MetricSnapshot',
    Array.from({ length: hours * 60 }, (_, minute) => {
      const people = inQueue(minute);
      const startMs = from.getTime() + minute * 60_000;
      return {
        ...{ deviceId, sceneId, durationSeconds: 60 },
        windowStart: new Date(startMs),
        windowEnd: new Date(startMs + 60_000),
        currentMetrics: {
          inQueue: people,
          inService: 1,
          totalPresent: people + 1,
          avgWaitSeconds: people * 20,
        },
      };
    }),
  );
}
