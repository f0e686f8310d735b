import { PRIVACY } from '../../cameras/devices/privacy.store.ts';
import { EFFECTIVE_TARGET } from '../../cameras/scenes/effective-target.store.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { Db } from '../../platform/database/db.ts';
import { type DevicePlan, Prisma } from '../../platform/prisma-client/client.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { Privacy } from '../../vision/privacy.ts';
import type { AnalysisAccuracy, AnalysisRegion } from '../../vision/region.ts';
import { ELAPSED_MS, settleEnded } from './end-runs.store.ts';
import { columnsWhere, isHeldBy, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import { MOVES, stateOf } from './states.ts';

/**
 * The SQL of leases. All times are the database's clock. `epoch` goes up by one whenever a run changes hands, so that a
 * write under an older epoch finds no row.
 */

export interface Lease {
  readonly id: string;
  readonly epoch: number;
}

/** Rows (id, epoch). */
const rowsOf = (leases: readonly Lease[]): Prisma.Sql => Prisma.sql`
  unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ epoch }) => epoch)}::int[])`;

/** How the device of a run is streamed. */
export interface RunDevice {
  readonly deviceId: string;
  readonly streamUrlEncrypted: string;
  readonly analysisStreamUrlEncrypted: string | null;
  /** Of the main stream in pixels; null while they are not known. */
  readonly width: number | null;
  readonly height: number | null;
  readonly streamNetworks: readonly string[];
  readonly streamRevision: number;
  readonly analysisFps: number;
  readonly plan: DevicePlan;
  readonly analysisRegion: AnalysisRegion;
  readonly analysisAccuracy: AnalysisAccuracy;
  readonly rotation: Rotation;
  readonly privacy: Privacy;
  /** How long people may wait; null without a target. */
  readonly targetSeconds: number | null;
}

/** Its columns, of "AnalysisTask" t with its "Scene" s, "Device" d and "User" u. */
export const RUN_DEVICE = Prisma.sql`
  t."deviceId", d."streamUrlEncrypted", d."analysisStreamUrlEncrypted", d.width, d.height, d."streamRevision",
  d."analysisFps"::int AS "analysisFps", d.plan::text AS plan,
  coalesce(d."analysisRegion"::text, CASE d.plan WHEN 'LEVEL_02' THEN 'whole' ELSE 'zones' END) AS "analysisRegion",
  d."analysisAccuracy"::text AS "analysisAccuracy", d.rotation::int AS rotation,
  u."streamNetworks", ${PRIVACY} AS privacy,
  (${Prisma.raw(EFFECTIVE_TARGET)}->>'waitSeconds')::int AS "targetSeconds"`;

/** What a renewal returns: what the run's row says now. */
export interface RenewedRun extends Lease, RunDevice {
  /** False: the node still holds the run, but another session had locked the lease's row. */
  readonly isRenewed: boolean;
  readonly stopRequested: boolean;
  readonly drain: boolean;
}

/**
 * Renews the leases of a node, also lapsed ones whose runs nobody else has claimed. It waits for no lock: it only reads
 * the runs, and skips a lease whose row another session has locked until the next renewal.
 * @returns the runs that the node still holds; it has lost the others
 */
export async function renewLeases(
  db: Db,
  nodeId: string,
  { leases, leaseSeconds }: { leases: readonly Lease[]; leaseSeconds: number },
): Promise<RenewedRun[]> {
  if (leases.length === 0) return [];
  return db.$queryRaw<RenewedRun[]>`
    WITH mine AS (
      SELECT t.* FROM "AnalysisTask" t
      JOIN ${rowsOf(leases)} AS held(id, epoch) ON held.id = t.id AND held.epoch = t.epoch
      WHERE ${isHeldBy(nodeId)}),
    free AS (
      SELECT l."taskId" FROM "RunLease" l JOIN mine ON mine.id = l."taskId" AND mine.epoch = l.epoch
      ORDER BY 1 FOR NO KEY UPDATE OF l SKIP LOCKED),
    renewed AS (
      UPDATE "RunLease" l SET "expiresAt" = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM free WHERE l."taskId" = free."taskId"
      RETURNING l."taskId")
    SELECT t.id, t.epoch, renewed."taskId" IS NOT NULL AS "isRenewed",
           t."stopRequestedAt" IS NOT NULL AS "stopRequested", t.drain, ${RUN_DEVICE}
    FROM mine t JOIN "Scene" s ON s.id = t."sceneId" JOIN "Device" d ON d.id = t."deviceId" JOIN "User" u ON u.id = t."userId"
    LEFT JOIN renewed ON renewed."taskId" = t.id`;
}

/** Queues runs of a node again, for any node. @returns how many the node still held */
export function releaseLeases(db: Db, nodeId: string, leases: readonly Lease[]): Promise<number> {
  return requeue(
    db,
    Prisma.sql`${isHeldBy(nodeId)} AND (t.id, t.epoch) IN (SELECT * FROM ${rowsOf(leases)})`,
  );
}

/** Queues all runs of a node whose former process is gone: nobody waits for their leases to lapse. */
export function releaseAllOfNode(db: Db, nodeId: string): Promise<number> {
  return requeue(db, isHeldBy(nodeId));
}

/** A condition: there is a lapsed lease, a lease of a run that has ended, or a stop that is overdue. */
export const ANY_RUN_TO_RECOVER = Prisma.sql`(
  EXISTS (SELECT 1 FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
          WHERE l."expiresAt" < clock_timestamp() OR t.status <> 'PROCESSING')
  OR EXISTS (SELECT 1 FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "stopDeadlineAt" < clock_timestamp()))`;

/** Queues the runs whose leases have lapsed, of all nodes, and removes leases of ended runs. @returns how many were queued */
export async function expireLeases(db: Db): Promise<number> {
  const expired = await requeue(db, Prisma.sql`l."expiresAt" < clock_timestamp()`);
  // The end of a run does not touch its lease, so that it need not wait for a renewal.
  await db.$executeRaw`
    DELETE FROM "RunLease" WHERE "taskId" IN (
      SELECT l."taskId" FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
      WHERE t.status <> 'PROCESSING' ORDER BY 1 FOR UPDATE OF l SKIP LOCKED)`;
  return expired;
}

/** Ids of runs whose leases have lapsed. After `expireLeases` these are runs whose rows another session has locked. */
export async function listLapsed(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
    WHERE t.status = 'PROCESSING' AND l."expiresAt" < clock_timestamp() ORDER BY l."expiresAt" LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Ends the runs whose stop neither their node nor the API has carried out in time. */
export function closeOverdueStops(db: Db): Promise<number> {
  return requeue(db, Prisma.sql`t."stopDeadlineAt" < clock_timestamp()`);
}

/**
 * Takes runs from their nodes under a new epoch, so that these can write nothing more. A run with a requested stop is
 * completed, the others are queued. One transaction per user; a user whose rows are locked is left for the next call.
 */
async function requeue(db: Db, which: Prisma.Sql): Promise<number> {
  const users = await db.$queryRaw<{ userId: string }[]>`
    SELECT DISTINCT t."userId" FROM "AnalysisTask" t JOIN "RunLease" l ON l."taskId" = t.id
    WHERE t.status = 'PROCESSING' AND ${which}`;
  let moved = 0;
  for (const { userId } of users) {
    try {
      moved += await requeueOf(db, userId, which);
    } catch (error) {
      if (!isDatabaseBusy(error)) throw error;
    }
  }
  return moved;
}

function requeueOf(db: Db, userId: string, which: Prisma.Sql): Promise<number> {
  const isStop = Prisma.sql`gone.stop`;
  return db.$transaction(async (tx) => {
    const moved = await tx.$queryRaw<ShownRun[]>`
      WITH gone AS (
        SELECT t.id, t."stopRequestedAt" IS NOT NULL AS stop
        FROM "AnalysisTask" t JOIN "RunLease" l ON l."taskId" = t.id
        WHERE t.status = 'PROCESSING' AND t."userId" = ${userId}::uuid AND ${which}
        ORDER BY t.id FOR NO KEY UPDATE OF t, l SKIP LOCKED),
      over AS (DELETE FROM "RunLease" l USING gone WHERE l."taskId" = gone.id)
      UPDATE "AnalysisTask" t
      SET ${columnsWhere(isStop, MOVES.stopping.requeue, MOVES.running.requeue)}, epoch = t.epoch + 1,
          "reservedNodeId" = NULL, "reservedUntil" = NULL, "updatedAt" = clock_timestamp(),
          "completedAt" = CASE WHEN ${isStop} THEN clock_timestamp() END,
          "processingTimeMs" = CASE WHEN ${isStop} THEN ${ELAPSED_MS} END
      FROM gone WHERE t.id = gone.id
      RETURNING ${SHOWN_RUN}`;
    const isEnded = (run: ShownRun) => stateOf(run) === MOVES.stopping.requeue;
    await showRuns(
      tx,
      moved.filter((run) => !isEnded(run)),
    );
    await settleEnded(tx, moved.filter(isEnded));
    return moved.length;
  });
}
