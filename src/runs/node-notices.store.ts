import { emit } from '../events/emit.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';

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
export async function markSilentNodes(db: Db): Promise<number> {
  const silent = await db.$executeRaw`
    WITH silent AS (
      SELECT id FROM "ComputeNode"
      WHERE health <> 'offline'
        AND "lastHeartbeatAt" < clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS})
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE "ComputeNode" n
    SET health = 'offline', "healthReason" = NULL, "activeDeviceCount" = 0, "updatedAt" = clock_timestamp()
    FROM silent WHERE n.id = silent.id`;
  await tellOffline(db);
  return silent;
}

/** For a condition: users who have not been told yet that a node of theirs is offline. */
export const UNTOLD = Prisma.sql`
  SELECT o."computeNodeId", o."userId" FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
  WHERE n.health = 'offline' AND o."offlineAt" IS NULL AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval`;

interface Told {
  readonly computeNodeId: string;
  readonly userId: string;
}

const NOTICED = Prisma.sql`
  o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
  n."lastHeartbeatAt"`;

/** Tells everybody whose node has gone offline, each in a transaction of their own, whoever has found it out. */
export async function tellOffline(db: Db): Promise<void> {
  const untold = await db.$queryRaw<Told[]>`${UNTOLD} ORDER BY 1, 2`;
  await tellEach(untold, (to) =>
    db.$transaction(async (tx) => {
      const notices = await tx.$queryRaw<Noticed[]>`
        UPDATE "NodeNotice" o SET "offlineAt" = clock_timestamp()
        FROM "ComputeNode" n
        WHERE o."computeNodeId" = ${to.computeNodeId}::uuid AND o."userId" = ${to.userId}::uuid
          AND n.id = o."computeNodeId" AND n.health = 'offline' AND o."offlineAt" IS NULL
        RETURNING ${NOTICED}, o."offlineAt" AS at`;
      await tell(tx, 'node_offline', notices);
    }),
  );
}

/** Tells those who were told that it is offline. */
export async function tellOnline(db: Db, nodeId: string): Promise<void> {
  const told = await db.$queryRaw<Told[]>`
    SELECT "computeNodeId", "userId" FROM "NodeNotice"
    WHERE "computeNodeId" = ${nodeId}::uuid AND "offlineAt" IS NOT NULL ORDER BY 2`;
  await tellEach(told, ({ userId }) =>
    db.$transaction(async (tx) => {
      const notices = await tx.$queryRaw<Noticed[]>`
        UPDATE "NodeNotice" o SET "offlineAt" = NULL
        FROM "ComputeNode" n
        WHERE n.id = ${nodeId}::uuid AND n.health <> 'offline' AND o."computeNodeId" = n.id
          AND o."userId" = ${userId}::uuid AND o."offlineAt" IS NOT NULL
        RETURNING ${NOTICED}, clock_timestamp() AS at`;
      await tell(tx, 'node_online', notices);
    }),
  );
}

/**
 * Tells whose run the node holds that it does not keep up with its cameras, and those who were told that it does again.
 * @param overload why, one sentence; null when it is over
 */
export async function tellOverload(db: Db, nodeId: string, overload: string | null): Promise<void> {
  const isNow = overload !== null;
  const untold = await db.$queryRaw<Told[]>`
    SELECT o."computeNodeId", o."userId" FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
    WHERE n.id = ${nodeId}::uuid AND (n."overloadedSince" IS NOT NULL) = ${isNow} AND (o."overloadedAt" IS NULL) = ${isNow}
    ORDER BY 2`;
  await tellEach(untold, (to) =>
    db.$transaction(async (tx) => {
      const [notice] = await tx.$queryRaw<Noticed[]>`
        UPDATE "NodeNotice" o SET "overloadedAt" = CASE WHEN ${isNow} THEN clock_timestamp() END
        FROM "ComputeNode" n
        WHERE n.id = ${nodeId}::uuid AND o."computeNodeId" = n.id AND o."userId" = ${to.userId}::uuid
          AND (o."overloadedAt" IS NULL) = ${isNow}
        RETURNING ${NOTICED}, clock_timestamp() AS at`;
      if (!notice) return;
      const { at, userId, ...node } = notice;
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
    }),
  );
}

/** The node cannot load its model, or its lanes end again and again. */
export async function tellNodeError(db: Db, nodeId: string): Promise<void> {
  const notices = await db.$queryRaw<Noticed[]>`
    SELECT ${NOTICED}, clock_timestamp() AS at
    FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
    WHERE n.id = ${nodeId}::uuid AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval`;
  await tellEach(notices, (notice) => db.$transaction((tx) => tell(tx, 'node_error', [notice])));
}

/** One after the other; whose rows are held is told the next time, and keeps nobody from being told. */
async function tellEach<To>(all: readonly To[], telling: (to: To) => Promise<void>): Promise<void> {
  for (const to of all) {
    await telling(to).catch((error: unknown) => {
      if (!isDatabaseBusy(error)) throw error;
    });
  }
}
