import { LONGEST_WINDOW_MS, type Metrics } from '../catalogue/metrics/all.ts';
import { TIME_SUM_NAMES } from '../catalogue/metrics/sums.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { TillNow } from '../vision/tills/till-watch.ts';
import type { Visit } from '../vision/types.ts';
import type { OccupancyMinute, OccupancySum } from './occupancy.ts';
import type { StoredMetrics } from './queue-metrics.ts';
import type { RollingRow, SnapshotRow } from './recorder.ts';
import { currentBytes, windowBytes } from './stored-numbers.ts';
import { noTotals, type QueueTotals } from './totals.ts';
import { tillsOf, visitOfRow } from './visit-of-row.ts';
import { writeSaid } from './waits/line.store.ts';
import type { Said } from './waits/line-waits.ts';

/** The records of a scene that a run has to store. Snapshots and rolling records never change once stored. */
export interface SceneRecords {
  readonly taskId: string;
  readonly sceneId: string;
  readonly deviceId: string;
  readonly computeNodeId: string;
  /** The current state; a visit replaces its earlier row. */
  readonly visits: readonly Visit[];
  /** Finished minutes and the current one so far; a minute replaces its earlier row. */
  readonly minutes: readonly OccupancyMinute[];
  /** Totals that count these visits; null where nothing changed. */
  readonly totals: QueueTotals | null;
  readonly snapshots: readonly SnapshotRow[];
  readonly rolling: readonly RollingRow[];
  /** What was told to people who joined. */
  readonly said: readonly Said[];
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const isoOrNull = (timeMs: number | null): string | null => (timeMs === null ? null : iso(timeMs));

/** Uses one statement per table for all scenes. The caller must hold the leases of the runs in this transaction. */
export async function writeRecords(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  await writeVisits(tx, scenes);
  await writeSaid(tx, scenes);
  await writeMinutes(tx, scenes);
  await writeTotals(tx, scenes);
  await writeSnapshots(tx, scenes);
  await writeRolling(tx, scenes);
}

async function writeVisits(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  const rows = scenes.flatMap(({ taskId, sceneId, visits }) =>
    visits.map((visit) => ({
      taskId,
      sceneId,
      number: visit.id,
      trackId: visit.trackId,
      state: visit.state,
      outcome: visit.outcome,
      queueEnteredAt: isoOrNull(visit.queueEnteredAtMs),
      queueLeftAt: isoOrNull(visit.queueLeftAtMs),
      serviceStartedAt: isoOrNull(visit.serviceStartedAtMs),
      serviceEndedAt: isoOrNull(visit.serviceEndedAtMs),
      arrivalDecidedAt: iso(visit.arrivalDecidedAtMs),
      outcomeDecidedAt: isoOrNull(visit.outcomeDecidedAtMs),
      ...tillsOf(visit),
      isInTime: visit.isInTime ?? null,
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
                         "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt", "tillId", services,
                         "isInTime")
    SELECT "taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
           "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt", "tillId", services, "isInTime"
    FROM jsonb_populate_recordset(NULL::"Visit", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("taskId", number) DO UPDATE
    SET "trackId" = excluded."trackId", state = excluded.state, outcome = excluded.outcome,
        "queueEnteredAt" = excluded."queueEnteredAt", "queueLeftAt" = excluded."queueLeftAt",
        "serviceStartedAt" = excluded."serviceStartedAt", "serviceEndedAt" = excluded."serviceEndedAt",
        "outcomeDecidedAt" = excluded."outcomeDecidedAt", "tillId" = excluded."tillId", services = excluded.services,
        "isInTime" = excluded."isInTime"`;
}

/** The columns of OccupancyMinute beside its key. */
const MINUTE_COLUMNS = ['coveredMs', ...TIME_SUM_NAMES] as const;
const REPLACED = Prisma.raw(MINUTE_COLUMNS.map((name) => `"${name}" = excluded."${name}"`).join(', '));

const mapColumns = (numberOf: (name: keyof OccupancySum) => number): OccupancySum =>
  Object.fromEntries(MINUTE_COLUMNS.map((name) => [name, numberOf(name)])) as OccupancySum;

async function writeMinutes(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, minutes }) =>
    minutes.map((minute) => ({
      sceneId,
      minute: iso(minute.minuteMs),
      ...mapColumns((name) => Math.round(minute[name])),
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "OccupancyMinute"
    SELECT * FROM jsonb_populate_recordset(NULL::"OccupancyMinute", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("sceneId", minute) DO UPDATE SET ${REPLACED}`;
}

async function writeTotals(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  for (const { sceneId, totals } of scenes) {
    // `loadRecords` creates the row when a node first takes a run of the scene.
    if (totals) await tx.sceneTotals.update({ where: { sceneId }, data: totals });
  }
}

async function writeSnapshots(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, deviceId, computeNodeId, snapshots }) =>
    snapshots.map((row) => ({
      ...{ sceneId, deviceId, computeNodeId },
      ...windowOf(row),
      durationSeconds: row.durationSeconds,
      numbers: hex(currentBytes(row.currentMetrics)),
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "computeNodeId", "windowStart", "windowEnd", "durationSeconds", numbers)
    SELECT "sceneId", "deviceId", "computeNodeId", "windowStart", "windowEnd", "durationSeconds", numbers
    FROM jsonb_populate_recordset(NULL::"MetricSnapshot", ${JSON.stringify(rows)}::jsonb) ON CONFLICT DO NOTHING`;
}

async function writeRolling(tx: Tx, scenes: readonly SceneRecords[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, deviceId, computeNodeId, rolling }) =>
    rolling.map((row) => ({
      ...{ sceneId, deviceId, computeNodeId, windowType: row.windowType },
      ...windowOf(row),
      numbers: hex(windowBytes(row.metrics)),
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "RollingRecord" ("sceneId", "deviceId", "computeNodeId", "windowType", "windowStart", "windowEnd", numbers)
    SELECT "sceneId", "deviceId", "computeNodeId", "windowType", "windowStart", "windowEnd", numbers
    FROM jsonb_populate_recordset(NULL::"RollingRecord", ${JSON.stringify(rows)}::jsonb) ON CONFLICT DO NOTHING`;
}

const windowOf = ({ windowStartMs, windowEndMs }: Pick<SnapshotRow, 'windowStartMs' | 'windowEndMs'>) => ({
  windowStart: iso(windowStartMs),
  windowEnd: iso(windowEndMs),
});

/** The text from which PostgreSQL reads bytes. */
const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

export interface LatestMetrics {
  readonly sceneId: string;
  readonly metrics: Metrics;
  /** The state of each till; empty in a scene without tills. */
  readonly tills: readonly TillNow[];
  readonly timeMs: number;
}

/** Stores the live metrics of scenes. Raw SQL leaves `updatedAt` of the scene alone. */
export async function writeLatestMetrics(tx: Tx, latest: readonly LatestMetrics[]): Promise<void> {
  if (latest.length === 0) return;
  const rows = latest.map(({ sceneId, metrics, tills, timeMs }) => ({
    ...{ id: sceneId, metrics: { ...metrics, tills }, at: iso(timeMs) },
  }));
  await tx.$executeRaw`
    UPDATE "Scene" s SET "latestMetrics" = n.metrics, "metricsUpdatedAt" = n.at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id uuid, metrics jsonb, at timestamptz)
    WHERE s.id = n.id`;
}

/**
 * Loads the records of a scene for a run that starts or continues. Visits that earlier runs left open become lost at
 * the last frame of their run.
 * @param nowMs frame time
 */
export async function loadRecords(
  db: Db,
  { sceneId, taskId, nowMs }: { sceneId: string; taskId: string; nowMs: number },
): Promise<{ stored: StoredMetrics; sinceMs: number }> {
  const since = new Date(nowMs - LONGEST_WINDOW_MS);
  return db.$transaction(async (tx) => {
    const totals = await tx.sceneTotals.upsert({
      where: { sceneId },
      create: { sceneId, since: new Date(nowMs) },
      update: {},
    });
    const lost = await loseOpenVisits(tx, sceneId, taskId);
    if (lost > 0) {
      totals.lostCount += lost;
      await tx.sceneTotals.update({ where: { sceneId }, data: { lostCount: totals.lostCount } });
    }
    const visits = await tx.visit.findMany({
      where: {
        sceneId,
        state: { not: 'discarded' },
        OR: [
          { outcomeDecidedAt: null },
          { outcomeDecidedAt: { gte: since } },
          { arrivalDecidedAt: { gte: since } },
        ],
      },
    });
    const minutes = await tx.occupancyMinute.findMany({ where: { sceneId, minute: { gte: since } } });
    const stored = { visits: visits.map(visitOfRow), minutes: minutes.map(minuteOfRow), nowMs };
    return { stored: { ...stored, totals: totalsOfRow(totals) }, sinceMs: totals.since.getTime() };
  });
}

function loseOpenVisits(tx: Tx, sceneId: string, exceptTaskId: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE "Visit" v
    SET state = 'closed', outcome = 'lost',
        "outcomeDecidedAt" = greatest(v."arrivalDecidedAt", coalesce(t."lastFrameAt", v."arrivalDecidedAt"))
    FROM "AnalysisTask" t
    WHERE v."sceneId" = ${sceneId}::uuid AND v."outcomeDecidedAt" IS NULL AND t.id = v."taskId"
      AND v."taskId" <> ${exceptTaskId}::uuid`;
}

type MinuteRow = Awaited<ReturnType<Db['occupancyMinute']['findFirstOrThrow']>>;
type TotalsRow = Awaited<ReturnType<Db['sceneTotals']['findFirstOrThrow']>>;

const minuteOfRow = (row: MinuteRow): OccupancyMinute => ({
  minuteMs: row.minute.getTime(),
  ...mapColumns((name) => Number(row[name])),
});

function totalsOfRow(row: TotalsRow): QueueTotals {
  const names = Object.keys(noTotals()) as (keyof QueueTotals)[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as QueueTotals;
}
