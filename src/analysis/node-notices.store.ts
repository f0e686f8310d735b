import type { Db, Tx } from '../platform/db.ts';
import { emit } from '../webhooks/emit.ts';

/**
 * Whom a node's state concerns: those whose run it held in the last minute of its heartbeats. `NodeNotice` has a row
 * for each of them, with `offlineAt` where they were told that it is offline, `overloadedAt` that it is overloaded.
 */

const NODE_SILENT_SECONDS = 30;
const HELD_LATELY = '60 seconds';

interface Noticed {
  readonly userId: string;
  readonly id: string;
  readonly name: string;
  readonly health: 'healthy' | 'degraded' | 'offline';
  readonly activeDeviceCount: number;
  readonly maxConcurrentDevices: number;
  readonly lastHeartbeatAt: Date;
  readonly at: Date;
}

async function tell(
  tx: Tx,
  type: 'node_offline' | 'node_online' | 'node_error',
  notices: readonly Noticed[],
): Promise<void> {
  for (const { userId, at, ...node } of notices) {
    await emit(tx, {
      userId,
      type,
      data: describe(node),
      occurredAt: at,
      dedupeKey: `${type}:${node.id}:${userId}:${at.toISOString()}`,
    });
  }
}

const describe = ({ id, lastHeartbeatAt, ...node }: Omit<Noticed, 'userId' | 'at'>) => ({
  computeNodeId: id,
  name: node.name,
  health: node.health,
  activeDeviceCount: node.activeDeviceCount,
  maxConcurrentDevices: node.maxConcurrentDevices,
  lastHeartbeatAt: lastHeartbeatAt.toISOString(),
});

/** Nodes that were not heard of for 30 s are offline, and their users are told. @returns how many */
export function markSilentNodes(db: Db): Promise<number> {
  return db.$transaction(async (tx) => {
    const silent = await tx.$queryRaw<{ id: string }[]>`
      WITH silent AS (
        SELECT id FROM "ComputeNode"
        WHERE health <> 'offline'
          AND "lastHeartbeatAt" < clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS})
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE "ComputeNode" n
      SET health = 'offline', "healthReason" = NULL, "activeDeviceCount" = 0, "updatedAt" = clock_timestamp()
      FROM silent WHERE n.id = silent.id
      RETURNING n.id`;
    for (const { id } of silent) await tellOffline(tx, id);
    return silent.length;
  });
}

/** Call it in the transaction that makes the node offline. */
export async function tellOffline(tx: Tx, nodeId: string): Promise<void> {
  const notices = await tx.$queryRaw<Noticed[]>`
    UPDATE "NodeNotice" o SET "offlineAt" = clock_timestamp()
    FROM "ComputeNode" n
    WHERE n.id = ${nodeId}::uuid AND o."computeNodeId" = n.id AND o."offlineAt" IS NULL
      AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval
    RETURNING o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
              n."lastHeartbeatAt", o."offlineAt" AS at`;
  await tell(tx, 'node_offline', notices);
}

/** Tells those who were told that it is offline. */
export async function tellOnline(db: Db, nodeId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const notices = await tx.$queryRaw<Noticed[]>`
      UPDATE "NodeNotice" o SET "offlineAt" = NULL
      FROM "ComputeNode" n
      WHERE n.id = ${nodeId}::uuid AND n.health <> 'offline' AND o."computeNodeId" = n.id
        AND o."offlineAt" IS NOT NULL
      RETURNING o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
                n."lastHeartbeatAt", clock_timestamp() AS at`;
    await tell(tx, 'node_online', notices);
  });
}

/**
 * Tells whose run the node holds that it does not keep up with its cameras, and those who were told that it does again.
 * @param overload why, one sentence; null when it is over
 */
export async function tellOverload(db: Db, nodeId: string, overload: string | null): Promise<void> {
  const isNow = overload !== null;
  await db.$transaction(async (tx) => {
    const notices = await tx.$queryRaw<Noticed[]>`
      UPDATE "NodeNotice" o SET "overloadedAt" = CASE WHEN ${isNow} THEN clock_timestamp() END
      FROM "ComputeNode" n
      WHERE n.id = ${nodeId}::uuid AND o."computeNodeId" = n.id AND (n."overloadedSince" IS NOT NULL) = ${isNow}
        AND (o."overloadedAt" IS NULL) = ${isNow}
      RETURNING o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
                n."lastHeartbeatAt", clock_timestamp() AS at`;
    for (const { at, userId, ...node } of notices) {
      await emit(tx, {
        userId,
        type: 'node_warning',
        data: {
          ...describe(node),
          reason: 'overloaded',
          state: isNow ? 'began' : 'ended',
          message: overload ?? 'It keeps up with its cameras again.',
        },
        occurredAt: at,
        dedupeKey: `node_warning:${node.id}:${userId}:${at.toISOString()}`,
      });
    }
  });
}

/** The node cannot load its model, or its lanes end again and again. */
export async function tellNodeError(db: Db, nodeId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const notices = await tx.$queryRaw<Noticed[]>`
      SELECT o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
             n."lastHeartbeatAt", clock_timestamp() AS at
      FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
      WHERE n.id = ${nodeId}::uuid AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval`;
    await tell(tx, 'node_error', notices);
  });
}
