import type { Db } from '../platform/db.ts';
import { tellOffline } from './node-notices.store.ts';

export interface NodeIdentity {
  /** Kept by the worker over restarts. */
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  /** New with every start of the worker. */
  readonly incarnation: string;
  readonly model: string;
  readonly executionProvider: string;
  readonly maxConcurrentDevices: number;
}

/** A restarted worker takes its row over, and shuts out an older process that still thinks it is this node. */
export async function registerNode(db: Db, node: NodeIdentity): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "ComputeNode" (id, name, host, version, incarnation, model, "executionProvider",
                               "maxConcurrentDevices", "updatedAt")
    VALUES (${node.id}::uuid, ${node.name}, ${node.host}, ${node.version}, ${node.incarnation}::uuid, ${node.model},
            ${node.executionProvider}, ${node.maxConcurrentDevices}, clock_timestamp())
    ON CONFLICT (id) DO UPDATE
    SET name = excluded.name, host = excluded.host, version = excluded.version, incarnation = excluded.incarnation,
        model = excluded.model, "executionProvider" = excluded."executionProvider",
        "maxConcurrentDevices" = excluded."maxConcurrentDevices", health = 'healthy', "healthReason" = NULL,
        "overloadedSince" = NULL, "isDraining" = false, "activeDeviceCount" = 0, "startedAt" = clock_timestamp(),
        "lastHeartbeatAt" = clock_timestamp(), "updatedAt" = clock_timestamp()`;
}

export interface Heartbeat {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly activeDeviceCount: number;
  /** Devices it takes at once, as measured last or configured. */
  readonly maxConcurrentDevices: number;
  /** Whose runs it holds. */
  readonly userIds: readonly string[];
  readonly health: 'healthy' | 'degraded';
  readonly healthReason: string | null;
  /** It does not keep up with its cameras: it takes no more of them. */
  readonly isOverloaded: boolean;
  readonly clockSkewMs: number;
  /** Mean ms from claim to first processed frame; null until measured. */
  readonly averageInitMs: number | null;
}

export interface Heard {
  /** The database's time in ms since 1970. */
  readonly nowMs: number;
  /** Somebody was told that it is offline. */
  readonly wasMissed: boolean;
  /** Somebody does not know yet that it is overloaded, or that it is not any more. */
  readonly isOverloadUntold: boolean;
}

/** @returns null when another process is this node now */
export async function heartbeat(db: Db, beat: Heartbeat): Promise<Heard | null> {
  const { averageInitMs, userIds } = beat;
  const [row] = await db.$queryRaw<Heard[]>`
    WITH n AS (
      UPDATE "ComputeNode"
      SET "lastHeartbeatAt" = clock_timestamp(), "activeDeviceCount" = ${beat.activeDeviceCount},
          "maxConcurrentDevices" = ${beat.maxConcurrentDevices},
          health = ${beat.health}::"NodeHealth", "healthReason" = ${beat.healthReason},
          "overloadedSince" = CASE WHEN ${beat.isOverloaded} THEN coalesce("overloadedSince", clock_timestamp()) END,
          "clockSkewMs" = ${Math.round(beat.clockSkewMs)},
          "averageInitMs" = coalesce(${averageInitMs === null ? null : Math.round(averageInitMs)}::int, "averageInitMs")
      WHERE id = ${beat.nodeId}::uuid AND incarnation = ${beat.incarnation}::uuid
      RETURNING id, "overloadedSince"),
    holds AS (
      INSERT INTO "NodeNotice" ("computeNodeId", "userId", "heldAt")
      SELECT n.id, u.id, clock_timestamp() FROM n, "User" u WHERE u.id = ANY(${[...userIds]}::uuid[])
      ON CONFLICT ("computeNodeId", "userId") DO UPDATE SET "heldAt" = excluded."heldAt"),
    forgotten AS (
      DELETE FROM "NodeNotice" o USING n
      WHERE o."computeNodeId" = n.id AND o."offlineAt" IS NULL AND o."overloadedAt" IS NULL
          AND NOT o."userId" = ANY(${[...userIds]}::uuid[])
        AND o."heldAt" < clock_timestamp() - interval '60 seconds')
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs",
           EXISTS (SELECT 1 FROM "NodeNotice" o WHERE o."computeNodeId" = n.id AND o."offlineAt" IS NOT NULL)
             AS "wasMissed",
           EXISTS (SELECT 1 FROM "NodeNotice" o WHERE o."computeNodeId" = n.id
                   AND (n."overloadedSince" IS NULL) <> (o."overloadedAt" IS NULL)) AS "isOverloadUntold"
    FROM n`;
  return row ?? null;
}

/** The last word of a worker that ends in order: nobody waits for its heartbeat. */
export async function leaveNode(db: Db, nodeId: string, incarnation: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const left = await tx.$executeRaw`
      UPDATE "ComputeNode"
      SET health = 'offline', "healthReason" = NULL, "isDraining" = true, "activeDeviceCount" = 0,
          "updatedAt" = clock_timestamp()
      WHERE id = ${nodeId}::uuid AND incarnation = ${incarnation}::uuid`;
    if (left > 0) await tellOffline(tx, nodeId);
  });
}
