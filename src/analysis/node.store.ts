import type { Db } from '../platform/db.ts';

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
        "isDraining" = false, "activeDeviceCount" = 0, "startedAt" = clock_timestamp(),
        "lastHeartbeatAt" = clock_timestamp(), "updatedAt" = clock_timestamp()`;
}

export interface Heartbeat {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly activeDeviceCount: number;
  readonly health: 'healthy' | 'degraded';
  readonly healthReason: string | null;
  readonly clockSkewMs: number;
  /** Mean ms from claim to first processed frame; null until measured. */
  readonly averageInitMs: number | null;
}

/** @returns the database's time in ms since 1970; null when another process is this node now */
export async function heartbeat(db: Db, beat: Heartbeat): Promise<number | null> {
  const [row] = await db.$queryRaw<{ nowMs: number }[]>`
    UPDATE "ComputeNode"
    SET "lastHeartbeatAt" = clock_timestamp(), "activeDeviceCount" = ${beat.activeDeviceCount},
        health = ${beat.health}::"NodeHealth", "healthReason" = ${beat.healthReason},
        "clockSkewMs" = ${Math.round(beat.clockSkewMs)},
        "averageInitMs" = coalesce(${beat.averageInitMs === null ? null : Math.round(beat.averageInitMs)}::int, "averageInitMs")
    WHERE id = ${beat.nodeId}::uuid AND incarnation = ${beat.incarnation}::uuid
    RETURNING extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;
  return row?.nowMs ?? null;
}

/** The last word of a worker that ends in order: nobody waits for its heartbeat. */
export async function leaveNode(db: Db, nodeId: string, incarnation: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "ComputeNode"
    SET health = 'offline', "healthReason" = NULL, "isDraining" = true, "activeDeviceCount" = 0,
        "updatedAt" = clock_timestamp()
    WHERE id = ${nodeId}::uuid AND incarnation = ${incarnation}::uuid`;
}
