import type { EventData } from '../../delivery/events/catalogue.ts';
import { emit } from '../../delivery/events/emit.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import { ANY_RUN_TO_RECOVER } from '../store/lease.store.ts';
import { HAS_HEARTBEAT } from '../store/nodes.store.ts';
import { ANY_WAITING } from '../store/waiting/waiting.store.ts';

/**
 * Events about nodes. They go to the users whose runs the node held in the last minute of its heartbeats. `NodeNotice`
 * has a row for each of them, with `offlineAt` if the user was notified that the node is offline, and `overloadedAt` if
 * that it is overloaded.
 */

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

type NodeEvent = 'node_offline' | 'node_online' | 'node_error' | 'node_warning';

/** @param more the fields of a warning */
async function emitNodeEvent<Type extends NodeEvent>(
  tx: Tx,
  type: Type,
  { userId, at, id, lastHeartbeatAt, ...node }: Noticed,
  more: Omit<EventData<Type>, keyof EventData<'node_offline'>>,
): Promise<void> {
  const data = { computeNodeId: id, ...node, lastHeartbeatAt: lastHeartbeatAt.toISOString(), ...more };
  const dedupeKey = `${type}:${id}:${userId}:${at.toISOString()}`;
  await emit(tx, { userId, type, data: data as EventData<Type>, occurredAt: at, dedupeKey });
}

/** A condition on "ComputeNode": without a heartbeat, and not marked as offline yet. */
const IS_UNMARKED_OFFLINE = Prisma.sql`health <> 'offline' AND NOT ${HAS_HEARTBEAT}`;

/**
 * Whether `recover` has anything to do. `isLeft`: lapsed leases, overdue stops, offline nodes, or users to notify of them;
 * `isWaiting`: runs that may wait for capacity.
 */
export async function findWork(db: Db): Promise<{ isLeft: boolean; isWaiting: boolean }> {
  const [row] = await db.$queryRaw<[{ isLeft: boolean; isWaiting: boolean }]>`
    SELECT ${ANY_WAITING} AS "isWaiting",
           ${ANY_RUN_TO_RECOVER} OR EXISTS (SELECT 1 FROM "ComputeNode" WHERE ${IS_UNMARKED_OFFLINE})
             OR EXISTS (${UNNOTIFIED}) AS "isLeft"`;
  return row;
}

/** Marks nodes without a heartbeat as offline and notifies their users. @returns how many */
export async function markOfflineNodes(db: Db): Promise<number> {
  const marked = await db.$executeRaw`
    WITH gone AS (
      SELECT id FROM "ComputeNode"
      WHERE ${IS_UNMARKED_OFFLINE}
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE "ComputeNode" n
    SET health = 'offline', "healthReason" = NULL, "activeDeviceCount" = 0, "updatedAt" = clock_timestamp()
    FROM gone WHERE n.id = gone.id`;
  await notifyOffline(db);
  return marked;
}

/** A condition on "ComputeNode" n: its worker ended in order and was not started again. */
const HAS_LEFT = Prisma.sql`coalesce(n."leftAt" >= n."lastHeartbeatAt", false)`;

/** Users who were not notified yet that a node of theirs is offline. */
const UNNOTIFIED = Prisma.sql`
  SELECT o."computeNodeId", o."userId" FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
  WHERE n.health = 'offline' AND NOT ${HAS_LEFT} AND o."offlineAt" IS NULL AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval`;

interface Recipient {
  readonly computeNodeId: string;
  readonly userId: string;
}

const NOTICED = Prisma.sql`
  o."userId", n.id, n.name, n.health::text AS health, n."activeDeviceCount", n."maxConcurrentDevices",
  n."lastHeartbeatAt"`;

/** Notifies the users of offline nodes who were not notified yet, each in a transaction of its own. */
export async function notifyOffline(db: Db): Promise<void> {
  const unnotified = await db.$queryRaw<Recipient[]>`${UNNOTIFIED} ORDER BY 1, 2`;
  const set = Prisma.sql`"offlineAt" = clock_timestamp()`;
  const when = Prisma.sql`n.health = 'offline' AND NOT ${HAS_LEFT} AND o."offlineAt" IS NULL`;
  await changeNotices(db, unnotified, { set, when }, (tx, notice) =>
    emitNodeEvent(tx, 'node_offline', notice, {}),
  );
}

/** Notifies the users who were notified that the node is offline that it is back. */
export async function notifyOnline(db: Db, nodeId: string): Promise<void> {
  const notified = await db.$queryRaw<Recipient[]>`
    SELECT "computeNodeId", "userId" FROM "NodeNotice"
    WHERE "computeNodeId" = ${nodeId}::uuid AND "offlineAt" IS NOT NULL ORDER BY 2`;
  const set = Prisma.sql`"offlineAt" = NULL`;
  const when = Prisma.sql`n.health <> 'offline' AND o."offlineAt" IS NOT NULL`;
  await changeNotices(db, notified, { set, when }, (tx, notice) =>
    emitNodeEvent(tx, 'node_online', notice, {}),
  );
}

/**
 * Notifies the users whose runs the node holds that it is overloaded, or those who were notified that it no longer is.
 * @param overload the reason; null while the node is not overloaded
 */
export async function notifyOverload(db: Db, nodeId: string, overload: NodeReason | null): Promise<void> {
  const isNow = overload !== null;
  const unnotified = await db.$queryRaw<Recipient[]>`
    SELECT o."computeNodeId", o."userId" FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
    WHERE n.id = ${nodeId}::uuid AND (n."overloadedSince" IS NOT NULL) = ${isNow} AND (o."overloadedAt" IS NULL) = ${isNow}
    ORDER BY 2`;
  const set = Prisma.sql`"overloadedAt" = CASE WHEN ${isNow} THEN clock_timestamp() END`;
  const when = Prisma.sql`(o."overloadedAt" IS NULL) = ${isNow}`;
  await changeNotices(db, unnotified, { set, when }, (tx, notice) =>
    emitNodeEvent(tx, 'node_warning', notice, {
      reason: 'overloaded',
      state: isNow ? 'began' : 'ended',
      message: overload?.sentence ?? 'It keeps up with its cameras again.',
    }),
  );
}

/**
 * Changes the notices of users, each in a transaction of its own, and emits an event for each change.
 * @param change `when`: the condition under which the user is not notified of it yet
 */
function changeNotices(
  db: Db,
  recipients: readonly Recipient[],
  { set, when }: { set: Prisma.Sql; when: Prisma.Sql },
  emitEvent: (tx: Tx, notice: Noticed) => Promise<void>,
): Promise<void> {
  return forEach(recipients, ({ computeNodeId, userId }) =>
    db.$transaction(async (tx) => {
      const [notice] = await tx.$queryRaw<Noticed[]>`
        UPDATE "NodeNotice" o SET ${set} FROM "ComputeNode" n
        WHERE o."computeNodeId" = ${computeNodeId}::uuid AND o."userId" = ${userId}::uuid
          AND n.id = o."computeNodeId" AND ${when}
        RETURNING ${NOTICED}, clock_timestamp() AS at`;
      if (notice) await emitEvent(tx, notice);
    }),
  );
}

/** Notifies users that the node cannot load its model, or that its lanes end again and again. */
export async function notifyNodeError(db: Db, nodeId: string): Promise<void> {
  const notices = await db.$queryRaw<Noticed[]>`
    SELECT ${NOTICED}, clock_timestamp() AS at
    FROM "NodeNotice" o JOIN "ComputeNode" n ON n.id = o."computeNodeId"
    WHERE n.id = ${nodeId}::uuid AND o."heldAt" > n."lastHeartbeatAt" - ${HELD_LATELY}::interval`;
  await forEach(notices, (notice) => db.$transaction((tx) => emitNodeEvent(tx, 'node_error', notice, {})));
}

/** One user after the other. A user whose rows are locked is notified by the next call; the others are not delayed. */
async function forEach<To>(all: readonly To[], notify: (to: To) => Promise<void>): Promise<void> {
  for (const to of all) {
    await notify(to).catch((error: unknown) => {
      if (!isDatabaseBusy(error)) throw error;
    });
  }
}
