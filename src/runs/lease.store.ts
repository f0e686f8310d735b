import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { type DevicePlan, Prisma } from '../platform/prisma-client/client.ts';
import { returnRest } from './meter.store.ts';
import { UNTOLD } from './node-notices.store.ts';
import { emitRunEvents } from './run-events.ts';
import { columnsOf, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import type { RunStats } from './run-stats.ts';
import { MOVES, SHOWN } from './states.ts';

/**
 * The SQL of leases. All times are the database's clock. `epoch` goes up by one whenever a run changes hands, so
 * whoever writes with an older one finds no row.
 */

export interface Lease {
  readonly id: string;
  readonly epoch: number;
}

/** A run as the node that has just claimed it needs it. */
export interface ClaimedRun extends Lease {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly sceneName: string;
  /** IANA zone of its device's schedule; null without one. */
  readonly timezone: string | null;
  /** A node has processed a frame of it before. */
  readonly hadFrames: boolean;
  readonly config: unknown;
  readonly streamUrlEncrypted: string;
  readonly streamNetworks: readonly string[];
  readonly streamRevision: number;
  readonly analysisFps: number;
  readonly plan: DevicePlan;
  /** What the node before it knew, as JSON; null at the first start. */
  readonly checkpoint: string | null;
  readonly lastFrameAt: Date | null;
  readonly stats: RunStats | null;
}

export interface ClaimOptions {
  readonly nodeId: string;
  /** Devices this node already streams: further scenes of them cost no capacity. */
  readonly heldDeviceIds: readonly string[];
  readonly maxDevices: number;
  readonly leaseSeconds: number;
}

/**
 * Takes queued runs, the most urgent first, then the oldest, until the node is full. All queued scenes of a
 * device come together, and never to two nodes: they share one stream.
 */
export async function claimRuns(db: Db, options: ClaimOptions): Promise<ClaimedRun[]> {
  const held = new Set(options.heldDeviceIds);
  const passed: string[] = [];
  const claimed: ClaimedRun[] = [];
  for (;;) {
    const looked: { deviceId?: string } = {};
    const taken = await claimDevice(db, options, { held: [...held], passed, looked }).catch(
      (error: unknown) => {
        // Somebody holds rows of this device: the others are taken all the same.
        if (!looked.deviceId || !isDatabaseBusy(error)) throw error;
        return { deviceId: looked.deviceId, runs: [] };
      },
    );
    if (!taken) return claimed;
    if (taken.runs.length === 0) passed.push(taken.deviceId);
    else held.add(taken.deviceId);
    claimed.push(...taken.runs);
  }
}

function claimDevice(
  db: Db,
  { nodeId, maxDevices, leaseSeconds }: ClaimOptions,
  { held, passed, looked }: { held: string[]; passed: string[]; looked: { deviceId?: string } },
): Promise<{ deviceId: string; runs: ClaimedRun[] } | null> {
  const hasRoom = held.length < maxDevices;
  return db.$transaction(async (tx) => {
    // The device's row is the lock: two nodes that look at once do not split its scenes between them.
    const [next] = await tx.$queryRaw<{ deviceId: string }[]>`
      SELECT d.id AS "deviceId"
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId"
      WHERE t.status = 'QUEUED' AND t."stopRequestedAt" IS NULL
        AND (t."reservedNodeId" IS NULL OR t."reservedNodeId" = ${nodeId}::uuid
             OR t."reservedUntil" IS NULL OR t."reservedUntil" <= clock_timestamp())
        AND (${hasRoom} OR d.id = ANY(${held}::uuid[])) AND NOT d.id = ANY(${passed}::uuid[])
        AND NOT EXISTS (
          SELECT 1 FROM "AnalysisTask" o
          WHERE o."deviceId" = d.id AND o.status = 'PROCESSING' AND o."computeNodeId" <> ${nodeId}::uuid)
      ORDER BY t.priority, t."createdAt", t.id
      LIMIT 1
      FOR NO KEY UPDATE OF d SKIP LOCKED`;
    if (!next) return null;
    looked.deviceId = next.deviceId;
    // A statement of its own sees what another node committed before we had the lock.
    const leases = await tx.$queryRaw<(ShownRun & { id: string })[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsOf(MOVES.queued.claim)}, "computeNodeId" = ${nodeId}::uuid, epoch = t.epoch + 1,
          "startedAt" = coalesce(t."startedAt", clock_timestamp()), "updatedAt" = clock_timestamp()
      WHERE t."deviceId" = ${next.deviceId}::uuid AND t.status = 'QUEUED' AND t."stopRequestedAt" IS NULL
        AND NOT EXISTS (
          SELECT 1 FROM "AnalysisTask" o
          WHERE o."deviceId" = t."deviceId" AND o.status = 'PROCESSING' AND o."computeNodeId" <> ${nodeId}::uuid)
      RETURNING ${SHOWN_RUN}`;
    await showRuns(tx, leases);
    await writeLeases(
      tx,
      leases.map(({ id }) => id),
      leaseSeconds,
    );
    const runs = await readRuns(
      tx,
      leases.map(({ id }) => id),
    );
    return { deviceId: next.deviceId, runs };
  });
}

async function writeLeases(tx: Tx, ids: readonly string[], leaseSeconds: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "RunLease" ("taskId", epoch, "expiresAt")
    SELECT id, epoch, clock_timestamp() + make_interval(secs => ${leaseSeconds})
    FROM "AnalysisTask" WHERE id = ANY(${[...ids]}::uuid[])
    ON CONFLICT ("taskId") DO UPDATE SET epoch = excluded.epoch, "expiresAt" = excluded."expiresAt"`;
}

/** Runs as a node needs them to take them up. */
export function readRuns(db: Tx, ids: readonly string[]): Promise<ClaimedRun[]> {
  return db.$queryRaw<ClaimedRun[]>`
    SELECT t.id, t.epoch, t."userId", t."deviceId", t."sceneId", t."runningAt" IS NOT NULL AS "hadFrames", s.config,
           s.name AS "sceneName", d.schedule->>'timezone' AS timezone,
           d."streamUrlEncrypted", d."streamRevision", d."analysisFps"::int AS "analysisFps", d.plan::text AS plan,
           u."streamNetworks", t.checkpoint::text AS checkpoint, t."lastFrameAt", t.stats
    FROM "AnalysisTask" t JOIN "Scene" s ON s.id = t."sceneId" JOIN "Device" d ON d.id = t."deviceId"
      JOIN "User" u ON u.id = t."userId"
    WHERE t.id = ANY(${ids}::uuid[]) ORDER BY t.id`;
}

/** What a renewal brings back: what the run's node has to do. */
export interface RenewedRun extends Lease {
  readonly deviceId: string;
  /** False: the run is still the node's, but somebody was at its lease just then. */
  readonly isRenewed: boolean;
  readonly stopRequested: boolean;
  readonly drain: boolean;
  readonly streamUrlEncrypted: string;
  readonly streamNetworks: readonly string[];
  readonly streamRevision: number;
  readonly analysisFps: number;
  readonly plan: DevicePlan;
}

/**
 * Prolongs the leases a node still has; a lease that lapsed but that nobody took is had again. It waits for nobody: of the
 * runs themselves it only reads, and a lease that somebody else holds at this moment is left for the next time.
 * @returns the runs that are still the node's; the others are lost
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
      JOIN unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ epoch }) => epoch)}::int[])
        AS held(id, epoch) ON held.id = t.id AND held.epoch = t.epoch
      WHERE t.status = 'PROCESSING' AND t."computeNodeId" = ${nodeId}::uuid),
    free AS (
      SELECT l."taskId" FROM "RunLease" l JOIN mine ON mine.id = l."taskId" AND mine.epoch = l.epoch
      ORDER BY 1 FOR NO KEY UPDATE OF l SKIP LOCKED),
    renewed AS (
      UPDATE "RunLease" l SET "expiresAt" = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM free WHERE l."taskId" = free."taskId"
      RETURNING l."taskId")
    SELECT t.id, t.epoch, t."deviceId", renewed."taskId" IS NOT NULL AS "isRenewed",
           t."stopRequestedAt" IS NOT NULL AS "stopRequested", t.drain, d."streamUrlEncrypted", d."streamRevision",
           d."analysisFps"::int AS "analysisFps", d.plan::text AS plan, u."streamNetworks"
    FROM mine t JOIN "Device" d ON d.id = t."deviceId" JOIN "User" u ON u.id = t."userId"
    LEFT JOIN renewed ON renewed."taskId" = t.id`;
}

/**
 * Hands runs back at once: they are queued again for any node.
 * @returns how many were still the node's
 */
export function releaseLeases(db: Db, nodeId: string, leases: readonly Lease[]): Promise<number> {
  return requeue(
    db,
    Prisma.sql`t."computeNodeId" = ${nodeId}::uuid AND (t.id, t.epoch) IN (
      SELECT * FROM unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ epoch }) => epoch)}::int[]))`,
  );
}

/** Runs that a former process of this node held: it is gone, so nobody else has to wait for their leases. */
export function releaseAllOfNode(db: Db, nodeId: string): Promise<number> {
  return requeue(db, Prisma.sql`t."computeNodeId" = ${nodeId}::uuid`);
}

/** Whether there is a run or node that nobody looks after any more; in doubt yes. */
export async function isAnythingLeft(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isLeft: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
                   WHERE l."expiresAt" < clock_timestamp() OR t.status <> 'PROCESSING')
        OR EXISTS (SELECT 1 FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "stopDeadlineAt" < clock_timestamp())
        OR EXISTS (SELECT 1 FROM "ComputeNode"
                   WHERE health <> 'offline' AND "lastHeartbeatAt" < clock_timestamp() - interval '30 seconds')
        OR EXISTS (${UNTOLD}) AS "isLeft"`;
  return row!.isLeft;
}

/** Runs whose node did not renew in time: queued again, whosoever they were. */
export async function expireLeases(db: Db): Promise<number> {
  const expired = await requeue(db, Prisma.sql`l."expiresAt" < clock_timestamp()`);
  // Whoever writes the end of a run leaves its lease alone.
  await db.$executeRaw`
    DELETE FROM "RunLease" WHERE "taskId" IN (
      SELECT l."taskId" FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
      WHERE t.status <> 'PROCESSING' ORDER BY 1 FOR UPDATE OF l SKIP LOCKED)`;
  return expired;
}

/** Runs whose leases have lapsed although somebody has looked: another session holds their rows. */
export async function listLapsed(db: Db, atMost: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM "RunLease" l JOIN "AnalysisTask" t ON t.id = l."taskId"
    WHERE t.status = 'PROCESSING' AND l."expiresAt" < clock_timestamp() ORDER BY l."expiresAt" LIMIT ${atMost}`;
  return rows.map(({ id }) => id);
}

/** Runs whose stop neither their node nor the API that asked for it has carried out in time. */
export function closeOverdueStops(db: Db): Promise<number> {
  return requeue(db, Prisma.sql`t."stopDeadlineAt" < clock_timestamp()`);
}

/**
 * Queued again under a new epoch, so that the former holder writes nothing more; stopped where that was asked for. In one
 * transaction per user: whose rows are held by another session is left for the next time.
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
  const [stopped, again] = [SHOWN[MOVES.stopping.requeue], SHOWN[MOVES.running.requeue]];
  return db.$transaction(async (tx) => {
    const moved = await tx.$queryRaw<(ShownRun & { id: string })[]>`
      WITH gone AS (
        SELECT t.id, t."stopRequestedAt" IS NOT NULL AS stop
        FROM "AnalysisTask" t JOIN "RunLease" l ON l."taskId" = t.id
        WHERE t.status = 'PROCESSING' AND t."userId" = ${userId}::uuid AND ${which}
        ORDER BY t.id FOR NO KEY UPDATE OF t, l SKIP LOCKED),
      over AS (DELETE FROM "RunLease" l USING gone WHERE l."taskId" = gone.id)
      UPDATE "AnalysisTask" t
      SET status = (CASE WHEN gone.stop THEN ${stopped.task} ELSE ${again.task} END)::"TaskStatus",
          "runStatus" = (CASE WHEN gone.stop THEN ${stopped.run} ELSE ${again.run} END)::"RunStatus",
          epoch = t.epoch + 1, "reservedNodeId" = NULL, "reservedUntil" = NULL,
          "completedAt" = CASE WHEN gone.stop THEN clock_timestamp() END,
          "processingTimeMs" = CASE WHEN gone.stop
            THEN (extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::int END,
          "updatedAt" = clock_timestamp()
      FROM gone WHERE t.id = gone.id
      RETURNING ${SHOWN_RUN}`;
    await showRuns(tx, moved);
    const ended = moved.filter(({ status }) => status === stopped.task).map(({ id }) => id);
    await returnRest(tx, ended);
    await emitRunEvents(tx, 'analysis_stopped', ended);
    return moved.length;
  });
}
