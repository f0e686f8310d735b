import { writeRuleStates } from '../alerts/firing.store.ts';
import type { RuleStateRow } from '../alerts/rule-watch.ts';
import { DEVICE_SIGHT, type DeviceSight, emitDeviceEdges } from '../devices/device-events.ts';
import {
  type LatestMetrics,
  type SceneRecords,
  writeLatestMetrics,
  writeRecords,
} from '../metrics/recorder.store.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import type { StopReason } from '../platform/prisma-client/client.ts';
import type { Lease } from './lease.store.ts';
import { type MeteredRun, payForRuns, returnRest } from './meter.store.ts';
import { emitRunEvents } from './run-events.ts';
import { columnsOf, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import type { RunStats } from './run-stats.ts';
import { MOVES, SHOWN } from './states.ts';

export interface RunEnd {
  readonly command: 'stop' | 'fail';
  /** One sentence for people; null for a stop. */
  readonly errorMessage: string | null;
  /** Why it is stopped, where nobody asked for it. */
  readonly reason?: StopReason;
}

/** Everything one run has to write in one tick. */
export interface RunWrite extends Lease, SceneRecords {
  /** What another node could go on from, after these records, as JSON; null where that has not changed. */
  readonly checkpoint: string | null;
  readonly stats: RunStats;
  readonly lastFrameMs: number | null;
  /** Time with frames since the last write: what is to be paid. */
  readonly watchedMs: number;
  /** This node has processed a frame of it. */
  readonly hasFrames: boolean;
  readonly latest: LatestMetrics | null;
  /** Firing states of its rules that have changed. */
  readonly rules: readonly RuleStateRow[];
  readonly end: RunEnd | null;
}

export interface WrittenRuns {
  /** Ids of the runs whose writes were taken; the others are lost to this node. */
  readonly held: ReadonlySet<string>;
  /** Those of them whose user or device has no analysis seconds left. */
  readonly unpaid: ReadonlySet<string>;
}

/**
 * Writes what runs have made since the last tick and pays for it, in one transaction: whatever a run's lease does not
 * cover any more is left out, all of it.
 */
export async function writeRuns(db: Db, nodeId: string, writes: readonly RunWrite[]): Promise<WrittenRuns> {
  if (writes.length === 0) return { held: new Set(), unpaid: new Set() };
  return db.$transaction(
    async (tx) => {
      const runs = await holdRuns(tx, nodeId, writes);
      const held = new Set(runs.map(({ id }) => id));
      const mine = writes.filter(({ id }) => held.has(id));
      if (mine.length === 0) return { held, unpaid: new Set<string>() };
      await writeRecords(tx, mine);
      await writeLatestMetrics(
        tx,
        mine.flatMap(({ latest }) => latest ?? []),
      );
      await showRuns(
        tx,
        runs.filter(({ isNowRunning }) => isNowRunning),
      );
      const started = runs.filter(({ isFirst }) => isFirst).map(({ id }) => id);
      await emitRunEvents(tx, 'analysis_started', started);
      await writeRuleStates(
        tx,
        mine.flatMap(({ rules }) => rules),
      );
      const unpaid = await payForRuns(tx, runs);
      await endRuns(tx, mine);
      await tellNumbers(tx, runs);
      return { held, unpaid };
    },
    { timeout: 10_000 },
  );
}

/**
 * The fence for one run: its lease is this node's until the transaction ends.
 * @returns its scene; null when it is not
 */
export async function holdRun(
  tx: Tx,
  nodeId: string,
  { id, epoch }: Lease,
): Promise<{ name: string } | null> {
  const [held] = await tx.$queryRaw<{ name: string }[]>`
    SELECT s.name FROM "AnalysisTask" t JOIN "Scene" s ON s.id = t."sceneId"
    JOIN "RunLease" l ON l."taskId" = t.id AND l.epoch = t.epoch
    WHERE t.id = ${id}::uuid AND t.epoch = ${epoch} AND t."computeNodeId" = ${nodeId}::uuid
      AND t.status = 'PROCESSING' AND l."expiresAt" > clock_timestamp()
    FOR NO KEY UPDATE OF t`;
  return held ?? null;
}

/** Lets what belongs to a run be written one after the other, also when the run has ended. */
export async function lockRun(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "AnalysisTask" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

type HeldRun = MeteredRun &
  ShownRun & {
    /** These are the first frames since this node took it. */
    readonly isNowRunning: boolean;
    /** These are its first frames at all. */
    readonly isFirst: boolean;
  };

/** The fence: locks the runs that are still this node's, and writes what a successor needs. */
async function holdRuns(tx: Tx, nodeId: string, writes: readonly RunWrite[]): Promise<HeldRun[]> {
  const rows = writes.map(({ id, epoch, checkpoint, stats, lastFrameMs, hasFrames, watchedMs, end }) => ({
    id,
    epoch,
    checkpoint,
    stats,
    lastFrameAt: lastFrameMs === null ? null : new Date(lastFrameMs).toISOString(),
    hasFrames,
    watchedMs,
    hasEnded: end !== null,
  }));
  const firstFrame = SHOWN[MOVES.starting.firstFrame];
  return tx.$queryRaw<HeldRun[]>`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(
        id uuid, epoch int, checkpoint text, stats jsonb, "lastFrameAt" timestamptz, "hasFrames" boolean,
        "watchedMs" float8, "hasEnded" boolean)),
    held AS (
      SELECT t.id, t."runStatus", t."runningAt", t."lastFrameAt" FROM "AnalysisTask" t
      JOIN n ON n.id = t.id AND n.epoch = t.epoch JOIN "RunLease" l ON l."taskId" = t.id AND l.epoch = t.epoch
      WHERE t.status = 'PROCESSING' AND t."computeNodeId" = ${nodeId}::uuid
        AND l."expiresAt" > clock_timestamp()
      ORDER BY t.id FOR NO KEY UPDATE OF t)
    UPDATE "AnalysisTask" t
    SET checkpoint = coalesce(n.checkpoint::jsonb, t.checkpoint),
        "checkpointAt" = CASE WHEN n.checkpoint IS NULL THEN t."checkpointAt" ELSE clock_timestamp() END, stats = n.stats,
        "lastFrameAt" = coalesce(n."lastFrameAt", t."lastFrameAt"),
        -- Time without frames is not paid: what was paid reaches on behind it.
        "paidUntil" = t."paidUntil" + greatest(
          n."lastFrameAt" - t."lastFrameAt" - make_interval(secs => n."watchedMs" / 1000), interval '0'),
        "runStatus" = CASE WHEN n."hasFrames" THEN ${firstFrame.run}::"RunStatus" ELSE t."runStatus" END,
        "runningAt" = CASE WHEN n."hasFrames" THEN coalesce(t."runningAt", clock_timestamp()) ELSE t."runningAt" END,
        "updatedAt" = clock_timestamp()
    FROM n JOIN held USING (id)
    WHERE t.id = n.id
    RETURNING ${SHOWN_RUN}, t."userId", t."deviceId", t."analysisType"::text AS "analysisType",
              held."lastFrameAt" AS "previousFrameAt", t."lastFrameAt", t."paidUntil", t."paidSlices", n."watchedMs",
              n."hasEnded", n."hasFrames" AND held."runStatus" <> ${firstFrame.run}::"RunStatus" AS "isNowRunning",
              n."hasFrames" AND held."runningAt" IS NULL AS "isFirst"`;
}

/** A notice holds 8,000 bytes. */
const USERS_IN_A_NOTICE = 200;

/** Whoever follows the live numbers looks at them after the commit. */
async function tellNumbers(tx: Tx, runs: readonly HeldRun[]): Promise<void> {
  const userIds = [...new Set(runs.map(({ userId }) => userId))];
  for (let at = 0; at < userIds.length; at += USERS_IN_A_NOTICE) {
    await notify(tx, CHANNELS.metrics, userIds.slice(at, at + USERS_IN_A_NOTICE).join(','));
  }
}

async function endRuns(tx: Tx, writes: readonly Pick<RunWrite, 'id' | 'end'>[]): Promise<void> {
  for (const { id, end } of writes) {
    if (!end) continue;
    const { command } = end;
    const ended = await tx.$queryRaw<ShownRun[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsOf(MOVES.running[command])},
          "completedAt" = clock_timestamp(), "errorMessage" = ${end.errorMessage},
          reason = coalesce(t.reason, ${end.reason ?? null}::"StopReason"),
          "processingTimeMs" = (extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::int,
          "updatedAt" = clock_timestamp()
      WHERE t.id = ${id}::uuid
      RETURNING ${SHOWN_RUN}`;
    await showRuns(tx, ended);
    await returnRest(tx, [id]);
    await emitRunEvents(tx, command === 'fail' ? 'analysis_error' : 'analysis_stopped', [id]);
  }
}

export interface DeviceSeen {
  readonly deviceId: string;
  /** Frame time of the newest frame; null when there was none yet. */
  readonly lastFrameMs: number | null;
  readonly onlineStatus: 'online' | 'offline';
  /** For how long no frame came. */
  readonly silentMs: number;
}

/**
 * Frames say best whether a camera is there. A fault and a notified outage are over only with a frame that is newer
 * than they are.
 */
export async function writeDevicesSeen(db: Db, seen: readonly DeviceSeen[]): Promise<void> {
  if (seen.length === 0) return;
  const rows = seen.map(({ deviceId, lastFrameMs, onlineStatus, silentMs }) => ({
    id: deviceId,
    at: lastFrameMs === null ? null : new Date(lastFrameMs).toISOString(),
    status: onlineStatus,
    silentMs,
  }));
  await db.$transaction(async (tx) => {
    const sights = await tx.$queryRaw<DeviceSight[]>`
      WITH n AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS n(id uuid, at timestamptz, status "OnlineStatus", "silentMs" float8)),
      old AS (
        SELECT d.id, d."onlineStatus", d."onlineChangedAt", d."toldOfflineSince" FROM "Device" d JOIN n USING (id)
        ORDER BY d.id FOR NO KEY UPDATE OF d)
      UPDATE "Device" d
      SET "lastFrameAt" = coalesce(n.at, d."lastFrameAt"), "onlineStatus" = n.status,
          "lastError" = CASE WHEN n.at <= d."lastErrorAt" OR n.at IS NULL THEN d."lastError" END,
          "lastErrorAt" = CASE WHEN n.at <= d."lastErrorAt" OR n.at IS NULL THEN d."lastErrorAt" END,
          "outageNotifiedAt" = CASE WHEN n.at <= d."outageNotifiedAt" OR n.at IS NULL THEN d."outageNotifiedAt" END,
          "toldOfflineSince" = CASE WHEN n.status = 'offline' THEN coalesce(
            old."toldOfflineSince", clock_timestamp() - make_interval(secs => n."silentMs" / 1000)) END,
          "onlineChangedAt" = CASE WHEN old."onlineStatus" <> n.status THEN clock_timestamp()
                                   ELSE old."onlineChangedAt" END
      FROM n JOIN old USING (id)
      WHERE d.id = n.id
      RETURNING ${DEVICE_SIGHT}`;
    await emitDeviceEdges(tx, sights);
  });
}

/** Ends a run that never got as far as a lane, e.g. because its stream's address is refused. */
export async function failRun(
  db: Db,
  nodeId: string,
  failed: Lease & { errorMessage: string },
): Promise<void> {
  const { id, epoch, errorMessage } = failed;
  await db.$transaction(async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "AnalysisTask"
      WHERE id = ${id}::uuid AND epoch = ${epoch} AND "computeNodeId" = ${nodeId}::uuid AND status = 'PROCESSING'
      FOR NO KEY UPDATE`;
    if (held.length > 0) await endRuns(tx, [{ id, end: { command: 'fail', errorMessage } }]);
  });
}
