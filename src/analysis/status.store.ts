import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/db.ts';
import type { NodeHealth, RunStatus } from '../platform/prisma-client/client.ts';

/** The newest run of a scene. */
export interface LatestRun {
  readonly sceneId: string;
  readonly runStatus: RunStatus;
  readonly computeNodeId: string | null;
  readonly startedAt: Date | null;
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
    SELECT s.id AS "sceneId", t."runStatus"::text AS "runStatus",
           coalesce(t."computeNodeId", t."reservedNodeId") AS "computeNodeId", t."startedAt", t.stats,
           coalesce(t."processingTimeMs"::float8,
                    floor(extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::float8, 0) AS "uptimeMs"
    FROM "Scene" s CROSS JOIN LATERAL (
      SELECT * FROM "AnalysisTask" t WHERE t."sceneId" = s.id AND t."deletedAt" IS NULL
      ORDER BY t."createdAt" DESC LIMIT 1) t
    WHERE s."deviceId" = ${deviceId}::uuid AND s."userId" = ${userId}::uuid AND s."deletedAt" IS NULL
    ORDER BY t."createdAt" DESC`;
}

export interface NodeState {
  readonly id: string;
  readonly health: NodeHealth;
  readonly activeDeviceCount: number;
  readonly maxConcurrentDevices: number;
}

/** Every node; one that was silent for 30 s is offline whatever it said last. */
export function findNodes(db: Db): Promise<NodeState[]> {
  return db.$queryRaw<NodeState[]>`
    SELECT id, "activeDeviceCount", "maxConcurrentDevices",
           CASE WHEN "lastHeartbeatAt" > clock_timestamp() - interval '30 seconds' THEN health::text
                ELSE 'offline' END AS health
    FROM "ComputeNode"`;
}

export interface ListedNode extends NodeState {
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly lastHeartbeatAt: Date;
}

/** The nodes for people, by name, with the health of `findNodes`. */
export async function listNodes(db: Db, page: PageQuery): Promise<Page<ListedNode>> {
  const { skip, take } = rowsOf(page);
  const [items, total] = await Promise.all([
    db.$queryRaw<ListedNode[]>`
      SELECT id, name, host, version, "activeDeviceCount", "maxConcurrentDevices", "lastHeartbeatAt",
             CASE WHEN "lastHeartbeatAt" > clock_timestamp() - interval '30 seconds' THEN health::text
                  ELSE 'offline' END AS health
      FROM "ComputeNode" ORDER BY name, id LIMIT ${take} OFFSET ${skip}`,
    db.computeNode.count(),
  ]);
  return { items, total };
}
