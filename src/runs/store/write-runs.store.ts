import { writeRuleStates } from '../../alerts/firing.store.ts';
import type { RuleStateRow } from '../../alerts/rule-watch.ts';
import { type SceneFeet, writeFeet } from '../../metrics/floor/feet/feet.store.ts';
import type { LeftProposal } from '../../metrics/floor/feet/left-proposal.ts';
import { type SceneFloor, writeFloor } from '../../metrics/floor/floor.store.ts';
import {
  type LatestMetrics,
  type SceneRecords,
  writeLatestMetrics,
  writeRecords,
} from '../../metrics/recorder.store.ts';
import { type SceneTills, writeTills } from '../../metrics/tills/till.store.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { Prisma, type StopReason } from '../../platform/prisma-client/client.ts';
import { END_TIMES, settleEnded } from './end-runs.store.ts';
import type { Lease } from './lease.store.ts';
import { type MeteredRun, payForRuns } from './meter.store.ts';
import { emitRunEvents } from './run-events.ts';
import { columnsOf, isHeldBy, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import type { RunStats } from './run-stats.ts';
import { MOVES, SHOWN } from './states.ts';

export interface RunEnd {
  readonly command: 'stop' | 'fail';
  /** One sentence for people; null for a stop. */
  readonly errorMessage: string | null;
  /** Why the service stops the run when nobody requested it. */
  readonly reason?: StopReason;
}

/** Everything that one run stores in one tick. */
export interface RunWrite extends Lease, SceneRecords, SceneFloor, SceneFeet, SceneTills {
  /** The checkpoint after these records, as JSON; null when it has not changed. */
  readonly checkpoint: string | null;
  readonly stats: RunStats;
  readonly lastFrameMs: number | null;
  /** Of a recording: presentation time of the last frame of these records; null for a camera. */
  readonly positionMs: number | null;
  /** Of a recording: the last batch of these records. */
  readonly batch: number;
  /** Time with frames since the last write, which is to be paid. */
  readonly watchedMs: number;
  /** This node has processed a frame of the run. */
  readonly hasFrames: boolean;
  readonly latest: LatestMetrics | null;
  /** Changed firing states of its rules. */
  readonly rules: readonly RuleStateRow[];
  readonly end: RunEnd | null;
}

export interface WrittenRuns {
  /** Ids of the runs that were written. The node has lost the others. */
  readonly held: ReadonlySet<string>;
  /** Those of them whose user or device has no analysis seconds left. */
  readonly unpaid: ReadonlySet<string>;
  /** Proposed zones that somebody has left, by scene; of scenes whose feet were written. */
  readonly left: ReadonlyMap<string, LeftProposal | null>;
}

/**
 * Stores what runs have produced since the last tick and pays for it, in one transaction. Nothing is written of a run
 * whose lease the node does not hold any more.
 */
export async function writeRuns(db: Db, nodeId: string, writes: readonly RunWrite[]): Promise<WrittenRuns> {
  if (writes.length === 0) return { held: new Set(), unpaid: new Set(), left: new Map() };
  return db.$transaction(async (tx) => {
    const runs = await holdRuns(tx, nodeId, writes);
    const held = new Set(runs.map(({ id }) => id));
    const mine = writes.filter(({ id }) => held.has(id));
    if (mine.length === 0) return { held, unpaid: new Set<string>(), left: new Map<string, null>() };
    await writeRecords(tx, mine);
    await writeFloor(tx, mine);
    await writeTills(tx, mine);
    const left = await writeFeet(tx, mine);
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
    for (const { id, end } of mine) if (end) await endRun(tx, id, end);
    await notifyMetrics(
      tx,
      runs.filter(({ isRecording }) => !isRecording),
    );
    return { held, unpaid, left };
  });
}

/** A condition on "AnalysisTask" t and "RunLease" l: the fence of every write. */
const hasLease = (nodeId: string): Prisma.Sql =>
  Prisma.sql`${isHeldBy(nodeId)} AND l."expiresAt" > clock_timestamp()`;

/**
 * The fence for one run: locks it if the node holds its lease.
 * @returns the names of its scene and device; null when the node does not hold it
 */
export async function holdRun(
  tx: Tx,
  nodeId: string,
  { id, epoch }: Lease,
): Promise<{ name: string; deviceName: string } | null> {
  const [held] = await tx.$queryRaw<{ name: string; deviceName: string }[]>`
    SELECT s.name, d.name AS "deviceName" FROM "AnalysisTask" t
    JOIN "Scene" s ON s.id = t."sceneId" JOIN "Device" d ON d.id = t."deviceId"
    JOIN "RunLease" l ON l."taskId" = t.id AND l.epoch = t.epoch
    WHERE t.id = ${id}::uuid AND t.epoch = ${epoch} AND ${hasLease(nodeId)}
    FOR NO KEY UPDATE OF t`;
  return held ?? null;
}

/** Locks a run, also one that has ended, so that what belongs to it is written one after the other. */
export async function lockRun(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "AnalysisTask" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

type HeldRun = MeteredRun &
  ShownRun & {
    /** These are the first frames since this node claimed the run. */
    readonly isNowRunning: boolean;
    /** These are the first frames of the run. */
    readonly isFirst: boolean;
  };

/** The fence for many runs: locks those that the node holds, and writes what a successor needs. */
async function holdRuns(tx: Tx, nodeId: string, writes: readonly RunWrite[]): Promise<HeldRun[]> {
  const rows = writes.map(({ lastFrameMs, end, ...write }) => ({
    id: write.id,
    epoch: write.epoch,
    checkpoint: write.checkpoint,
    stats: write.stats,
    lastFrameAt: lastFrameMs === null ? null : new Date(lastFrameMs).toISOString(),
    positionMs: write.positionMs,
    hasFrames: write.hasFrames,
    watchedMs: write.watchedMs,
    hasEnded: end !== null,
  }));
  const firstFrame = SHOWN[MOVES.starting.firstFrame];
  return tx.$queryRaw<HeldRun[]>`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(
        id uuid, epoch int, checkpoint text, stats jsonb, "lastFrameAt" timestamptz, "hasFrames" boolean,
        "positionMs" int, "watchedMs" float8, "hasEnded" boolean)),
    held AS (
      SELECT t.id, t."runStatus", t."runningAt", t."lastFrameAt", d.kind = 'recording' AS "isRecording"
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId"
      JOIN n ON n.id = t.id AND n.epoch = t.epoch JOIN "RunLease" l ON l."taskId" = t.id AND l.epoch = t.epoch
      WHERE ${hasLease(nodeId)}
      ORDER BY t.id FOR NO KEY UPDATE OF t)
    UPDATE "AnalysisTask" t
    SET checkpoint = coalesce(n.checkpoint::jsonb, t.checkpoint),
        "checkpointAt" = CASE WHEN n.checkpoint IS NULL THEN t."checkpointAt" ELSE clock_timestamp() END, stats = n.stats,
        "lastFrameAt" = coalesce(n."lastFrameAt", t."lastFrameAt"),
        "positionMs" = coalesce(n."positionMs", t."positionMs"),
        -- Time without frames is not paid: it moves the end of the paid time.
        "paidUntil" = t."paidUntil" + greatest(
          n."lastFrameAt" - t."lastFrameAt" - make_interval(secs => n."watchedMs" / 1000), interval '0'),
        "runStatus" = CASE WHEN n."hasFrames" THEN ${firstFrame.run}::"RunStatus" ELSE t."runStatus" END,
        "runningAt" = CASE WHEN n."hasFrames" THEN coalesce(t."runningAt", clock_timestamp()) ELSE t."runningAt" END,
        "updatedAt" = clock_timestamp()
    FROM n JOIN held USING (id)
    WHERE t.id = n.id
    RETURNING ${SHOWN_RUN}, t."userId", t."deviceId", t."analysisType"::text AS "analysisType",
              held."lastFrameAt" AS "previousFrameAt", t."lastFrameAt", t."paidUntil", t."paidSlices", n."watchedMs",
              n."hasEnded", held."isRecording", clock_timestamp() AS "writtenAt", n."hasFrames" AND held."runStatus" <> ${firstFrame.run}::"RunStatus" AS "isNowRunning",
              n."hasFrames" AND held."runningAt" IS NULL AS "isFirst"`;
}

/** A notification holds 8,000 bytes. */
const USERS_PER_NOTIFICATION = 200;

/** Makes the API read the new metrics for event streams of these users, after the commit. */
async function notifyMetrics(tx: Tx, runs: readonly HeldRun[]): Promise<void> {
  const userIds = [...new Set(runs.map(({ userId }) => userId))];
  for (let at = 0; at < userIds.length; at += USERS_PER_NOTIFICATION) {
    await notify(tx, CHANNELS.metrics, userIds.slice(at, at + USERS_PER_NOTIFICATION).join(','));
  }
}

async function endRun(tx: Tx, id: string, { command, errorMessage, reason }: RunEnd): Promise<void> {
  const ended = await tx.$queryRaw<ShownRun[]>`
    UPDATE "AnalysisTask" t
    SET ${columnsOf(MOVES.running[command])}, ${END_TIMES}, "errorMessage" = ${errorMessage},
        reason = coalesce(t.reason, ${reason ?? null}::"StopReason"), "updatedAt" = clock_timestamp()
    WHERE t.id = ${id}::uuid
    RETURNING ${SHOWN_RUN}`;
  await settleEnded(tx, ended, command === 'fail' ? 'analysis_error' : 'analysis_stopped');
}

/** Fails a claimed run that never got to a lane, for example because its camera address is refused. */
export async function failRun(
  db: Db,
  nodeId: string,
  { id, epoch, errorMessage }: Lease & { errorMessage: string },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "AnalysisTask" t WHERE t.id = ${id}::uuid AND t.epoch = ${epoch} AND ${isHeldBy(nodeId)}
      FOR NO KEY UPDATE`;
    if (held.length > 0) await endRun(tx, id, { command: 'fail', errorMessage });
  });
}
