import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { type NodeHealth, Prisma } from '../../platform/prisma-client/client.ts';
import { type NodeCauses, readCauses } from '../../platform/processes/node-reason.ts';

/** A node without a heartbeat for this time is offline. */
export const NODE_OFFLINE_SECONDS = 30;

/** A condition on "ComputeNode". */
export const HAS_HEARTBEAT = Prisma.sql`
  "lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${NODE_OFFLINE_SECONDS})`;

/** A condition on "ComputeNode": the node takes runs, now or once it has room. */
export const TAKES_RUNS = Prisma.sql`health <> 'offline' AND NOT "isDraining" AND ${HAS_HEARTBEAT}`;

/** A condition on "ComputeNode": a node that has not come back for a day is in no list. Its runs still name it. */
const IS_LISTED = Prisma.sql`"lastHeartbeatAt" > clock_timestamp() - interval '1 day'`;

/** For this time only the reserved node may claim a new run. */
const RESERVED_SECONDS = 5;

export async function isAnyNodeOnline(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ isOnline: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM "ComputeNode" WHERE ${TAKES_RUNS}) AS "isOnline"`;
  return row.isOnline;
}

/** @returns null when there is no such node */
export async function isNodeOnline(db: Db, id: string): Promise<boolean | null> {
  const [row] = await db.$queryRaw<{ isOnline: boolean }[]>`
    SELECT (${TAKES_RUNS}) AS "isOnline" FROM "ComputeNode" WHERE id = ${id}::uuid`;
  return row?.isOnline ?? null;
}

export interface ReservedNode {
  readonly id: string;
  readonly averageInitMs: number | null;
  /** Database clock. */
  readonly reservedUntil: Date;
}

/**
 * @returns the node that streams the device already, else the least loaded healthy node with room; null when all are
 * full. The load is the number of cameras of which a node holds runs or has runs reserved: a recording gives its place back.
 */
export async function leastLoadedNode(tx: Tx, deviceId: string): Promise<ReservedNode | null> {
  const [node] = await tx.$queryRaw<ReservedNode[]>`
    SELECT n.id, n."averageInitMs", clock_timestamp() + make_interval(secs => ${RESERVED_SECONDS}) AS "reservedUntil"
    FROM "ComputeNode" n CROSS JOIN LATERAL (
      SELECT count(DISTINCT t."deviceId") AS devices,
             coalesce(bool_or(t."deviceId" = ${deviceId}::uuid), false) AS streams
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId" AND d.kind = 'camera'
      WHERE (t.status = 'PROCESSING' AND t."computeNodeId" = n.id)
         OR (t.status = 'QUEUED' AND t."reservedNodeId" = n.id)) load
    WHERE n.health = 'healthy' AND ${TAKES_RUNS} AND (load.streams OR load.devices < n."maxConcurrentDevices")
    ORDER BY load.streams DESC, load.devices::float8 / n."maxConcurrentDevices", n.id
    LIMIT 1`;
  return node ?? null;
}

/** The mean time from claim to first frame of the nodes that are online; null before any measurement. */
export async function averageInitMs(tx: Tx): Promise<number | null> {
  const [row] = await tx.$queryRaw<[{ average: number | null }]>`
    SELECT round(avg("averageInitMs"))::int AS average FROM "ComputeNode" WHERE ${HAS_HEARTBEAT}`;
  return row.average;
}

export interface NodeState {
  readonly id: string;
  readonly health: NodeHealth;
  /** Why the node is degraded, one sentence; else null. */
  readonly healthReason: string | null;
  readonly activeDeviceCount: number;
  readonly maxConcurrentDevices: number;
  /** It is about to leave and claims nothing more. */
  readonly isDraining: boolean;
}

/** Columns of "ComputeNode". A node without a heartbeat is offline and streams nothing, whatever its row says. */
const NODE_STATE = Prisma.sql`
  id, "maxConcurrentDevices", "isDraining", CASE WHEN ${HAS_HEARTBEAT} THEN health::text ELSE 'offline' END AS health,
  CASE WHEN ${HAS_HEARTBEAT} THEN "healthReason" END AS "healthReason",
  CASE WHEN ${HAS_HEARTBEAT} THEN "activeDeviceCount" ELSE 0 END AS "activeDeviceCount"`;

/** Those that are listed. */
export function findNodes(db: Db): Promise<NodeState[]> {
  return db.$queryRaw<NodeState[]>`SELECT ${NODE_STATE} FROM "ComputeNode" WHERE ${IS_LISTED}`;
}

export interface ListedNode extends NodeState {
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly model: string | null;
  readonly executionProvider: string | null;
  readonly adapter: string | null;
  readonly providerReason: string | null;
  /** The reasons as codes, as far as this version knows them. */
  readonly causes: NodeCauses;
  readonly batchSize: number;
  readonly videoDecoder: string | null;
  readonly videoDecoderReason: string | null;
  readonly clockSkewMs: number;
  readonly startedAt: Date;
  readonly lastHeartbeatAt: Date;
}

const LISTED_NODE = Prisma.sql`
  ${NODE_STATE}, name, host, version, model, "executionProvider", adapter, "providerReason", "batchSize",
  "videoDecoder", "videoDecoderReason", "clockSkewMs", "startedAt", "lastHeartbeatAt",
  CASE WHEN causes->>'incarnation' = incarnation::text THEN causes END AS causes`;

const listedOf = (row: Omit<ListedNode, 'causes'> & { readonly causes: unknown }): ListedNode => ({
  ...row,
  causes: readCauses(row.causes),
});

/** Those that are listed, in the order of their names. */
export async function listNodes(db: Db, page: PageQuery): Promise<Page<ListedNode>> {
  const { skip, take } = rowsOf(page);
  const rows = db.$queryRaw<Parameters<typeof listedOf>[0][]>`
    SELECT ${LISTED_NODE} FROM "ComputeNode" WHERE ${IS_LISTED} ORDER BY name, id LIMIT ${take} OFFSET ${skip}`;
  return pageOf(
    rows.then((nodes) => nodes.map(listedOf)),
    countListed(db),
  );
}

async function countListed(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM "ComputeNode" WHERE ${IS_LISTED}`;
  return row.count;
}

/** @returns null when there is no such node */
export async function findNode(db: Db, id: string): Promise<ListedNode | null> {
  const [node] = await db.$queryRaw<Parameters<typeof listedOf>[0][]>`
    SELECT ${LISTED_NODE} FROM "ComputeNode" WHERE id = ${id}::uuid`;
  return node ? listedOf(node) : null;
}
