import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import { type NodeHealth, Prisma } from '../platform/prisma-client/client.ts';
import { NEWEST_RUN, SHOWN_RUN, type ShownRun } from './run-state.store.ts';

/** The newest run of a scene. */
export interface LatestRun extends ShownRun {
  readonly id: string;
  readonly deviceId: string;
  /** The node that is to take it, while it waits for one. */
  readonly reservedNodeId: string | null;
  /** Milliseconds since the start, or of the whole run once it is over. */
  readonly uptimeMs: number;
  readonly stats: unknown;
}

/** The newest run of each scene of a device, the newest of all first. */
export function findLatestRuns(
  db: Db,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<LatestRun[]> {
  return db.$queryRaw<LatestRun[]>`
    SELECT ${SHOWN_RUN}, t."deviceId", t."reservedNodeId", t.stats,
           coalesce(t."processingTimeMs"::float8,
                    floor(extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::float8, 0) AS "uptimeMs"
    FROM "Scene" s CROSS JOIN LATERAL (${NEWEST_RUN}) t
    WHERE s."deviceId" = ${deviceId}::uuid AND s."userId" = ${userId}::uuid AND s."deletedAt" IS NULL
    ORDER BY t."createdAt" DESC, t.id DESC`;
}

export interface NodeState {
  readonly id: string;
  readonly health: NodeHealth;
  /** Why it is degraded, one sentence; null while it is not. */
  readonly healthReason: string | null;
  readonly activeDeviceCount: number;
  readonly maxConcurrentDevices: number;
}

const IS_HEARD = Prisma.sql`"lastHeartbeatAt" > clock_timestamp() - interval '30 seconds'`;

/** Of "ComputeNode": one that was silent for 30 s is offline and streams nothing, whatever it said last. */
const NODE_STATE = Prisma.sql`
  id, "maxConcurrentDevices", CASE WHEN ${IS_HEARD} THEN health::text ELSE 'offline' END AS health,
  CASE WHEN ${IS_HEARD} THEN "healthReason" END AS "healthReason",
  CASE WHEN ${IS_HEARD} THEN "activeDeviceCount" ELSE 0 END AS "activeDeviceCount"`;

/** Every node. */
export function findNodes(db: Db): Promise<NodeState[]> {
  return db.$queryRaw<NodeState[]>`SELECT ${NODE_STATE} FROM "ComputeNode"`;
}

export interface ListedNode extends NodeState {
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly lastHeartbeatAt: Date;
}

/** The nodes for people, by name. */
export async function listNodes(db: Db, page: PageQuery): Promise<Page<ListedNode>> {
  const { skip, take } = rowsOf(page);
  const [items, total] = await Promise.all([
    db.$queryRaw<ListedNode[]>`
      SELECT ${NODE_STATE}, name, host, version, "lastHeartbeatAt"
      FROM "ComputeNode" ORDER BY name, id LIMIT ${take} OFFSET ${skip}`,
    db.computeNode.count(),
  ]);
  return { items, total };
}
