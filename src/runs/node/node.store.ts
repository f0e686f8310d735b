import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { Db } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { causesJson, type NodeReason } from '../../platform/processes/node-reason.ts';
import { settleAll } from '../record/one-write-each.ts';

/** What runs the detector of a node. */
export interface NodeProvider {
  readonly executionProvider: string;
  /** The graphics card; null for the CPU and where the system does not tell. */
  readonly adapter: string | null;
  /** Why it is no GPU though one was to be tried; null otherwise. */
  readonly providerReason: NodeReason | null;
  /** The most frames of several cameras in one run; 1 by default. */
  readonly batchSize?: number;
}

/** What decodes the video of cameras on a node. */
export interface NodeDecoder {
  /** Hardware by ffmpeg's name, or `software`. */
  readonly videoDecoder: string;
  /** Why it is not the hardware that was wanted, or not for every camera; null otherwise. */
  readonly videoDecoderReason: NodeReason | null;
}

export interface NodeIdentity {
  /** The same over restarts of the worker. */
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  /** New at each start of the worker. */
  readonly incarnation: string;
  readonly model: string;
  readonly executionProvider: string;
  readonly maxConcurrentDevices: number;
}

/** The worker that has a name. */
export interface NameOwner {
  readonly id: string;
  readonly host: string;
  readonly lastHeartbeatAt: Date;
  /** It has ended, or its leases have: another worker may take its place. */
  readonly isGone: boolean;
}

/**
 * A condition on "ComputeNode": its worker has ended, or has had no heartbeat for the time of a lease, so that its runs are
 * free as well.
 * @param ended incarnations that are known to have ended
 */
const isGone = (leaseSeconds: number, ended: readonly string[]) => Prisma.sql`
  ("ComputeNode".health = 'offline' OR "ComputeNode".incarnation = ANY(${[...ended]}::uuid[])
   OR "ComputeNode"."lastHeartbeatAt" < clock_timestamp() - make_interval(secs => ${leaseSeconds}))`;

export interface PlaceTerms {
  readonly leaseSeconds: number;
  /** The former worker of this place, if it is known to have ended. */
  readonly formerIncarnation: string | null;
}

const endedOf = ({ formerIncarnation }: PlaceTerms) => (formerIncarnation ? [formerIncarnation] : []);

/** @returns null where no node has the name */
export async function findNameOwner(db: Db, name: string, terms: PlaceTerms): Promise<NameOwner | null> {
  const [owner] = await db.$queryRaw<NameOwner[]>`
    SELECT id, host, "lastHeartbeatAt", ${isGone(terms.leaseSeconds, endedOf(terms))} AS "isGone"
    FROM "ComputeNode" WHERE name = ${name}`;
  return owner ?? null;
}

export const isNodeKnown = async (db: Db, id: string): Promise<boolean> =>
  (await db.computeNode.count({ where: { id } })) > 0;

/**
 * A restarted worker takes over the row of its node. The heartbeats of an older process then find no row.
 * @returns false when a living worker has the name
 */
export async function registerNode(
  db: Db,
  node: NodeIdentity & NodeProvider & NodeDecoder,
  terms: PlaceTerms = { leaseSeconds: 0, formerIncarnation: null },
): Promise<boolean> {
  const written = await db.$executeRaw`
    INSERT INTO "ComputeNode" (id, name, host, version, incarnation, model, "executionProvider",
                               adapter, "providerReason", "videoDecoder", "videoDecoderReason", "batchSize",
                               "maxConcurrentDevices", causes, "updatedAt")
    VALUES (${node.id}::uuid, ${node.name}, ${node.host}, ${node.version}, ${node.incarnation}::uuid, ${node.model},
            ${node.executionProvider}, ${node.adapter}, ${node.providerReason?.sentence ?? null}, ${node.videoDecoder},
            ${node.videoDecoderReason?.sentence ?? null}, ${node.batchSize ?? 1}, ${node.maxConcurrentDevices},
            ${causesOf(node, null)}::jsonb, clock_timestamp())
    ON CONFLICT (name) DO UPDATE
    SET host = excluded.host, version = excluded.version, incarnation = excluded.incarnation,
        model = excluded.model, "executionProvider" = excluded."executionProvider",
        adapter = excluded.adapter, "providerReason" = excluded."providerReason",
        "videoDecoder" = excluded."videoDecoder", "videoDecoderReason" = excluded."videoDecoderReason",
        "batchSize" = excluded."batchSize", "maxConcurrentDevices" = excluded."maxConcurrentDevices", health = 'healthy', "healthReason" = NULL,
        causes = excluded.causes, "overloadedSince" = NULL, "isDraining" = false, "activeDeviceCount" = 0, "startedAt" = clock_timestamp(),
        "lastHeartbeatAt" = clock_timestamp(), "updatedAt" = clock_timestamp()
    WHERE "ComputeNode".id = excluded.id AND ${isGone(terms.leaseSeconds, [node.incarnation, ...endedOf(terms)])}`;
  return written > 0;
}

const causesOf = (
  {
    incarnation,
    providerReason,
    videoDecoderReason,
  }: Pick<NodeIdentity, 'incarnation'> & NodeProvider & NodeDecoder,
  health: NodeReason | null,
) => causesJson(incarnation, { health, provider: providerReason, videoDecoder: videoDecoderReason });

export interface NodeLoad {
  readonly activeDeviceCount: number;
  /** Devices that the node takes at most, as measured or configured. */
  readonly maxConcurrentDevices: number;
  /** Difference of the clocks of this machine and of the database at the last heartbeat. */
  readonly lastSkewMs: number;
  /** Why the node is too slow for its cameras; null while it is not. */
  readonly overload: NodeReason | null;
}

export interface Heartbeat
  extends NodeLoad,
    NodeProvider,
    NodeDecoder,
    Pick<NodeIdentity, 'id' | 'incarnation'> {
  /** Why the node is degraded; null while it is healthy. */
  readonly healthReason: NodeReason | null;
  /** Mean ms from the claim of a run to its first processed frame; null until measured. */
  readonly averageInitMs: number | null;
}

/**
 * Updates only the row of the node, so that it waits for no write of user rows.
 * @returns the time of the database in ms since 1970; null when another process has taken the place of this node
 */
export async function heartbeat(db: Db, beat: Heartbeat): Promise<number | null> {
  const { averageInitMs, healthReason } = beat;
  const health = healthReason === null ? 'healthy' : 'degraded';
  const [row] = await db.$queryRaw<{ nowMs: number }[]>`
      UPDATE "ComputeNode"
      SET "lastHeartbeatAt" = clock_timestamp(), "activeDeviceCount" = ${beat.activeDeviceCount},
          "maxConcurrentDevices" = ${beat.maxConcurrentDevices},
          health = ${health}::"NodeHealth", "healthReason" = ${healthReason?.sentence ?? null},
          "executionProvider" = ${beat.executionProvider}, adapter = ${beat.adapter}, "providerReason" = ${beat.providerReason?.sentence ?? null},
          "batchSize" = ${beat.batchSize ?? 1},
          "videoDecoder" = ${beat.videoDecoder}, "videoDecoderReason" = ${beat.videoDecoderReason?.sentence ?? null},
          causes = ${causesOf(beat, healthReason)}::jsonb,
          "overloadedSince" = CASE WHEN ${beat.overload !== null} THEN coalesce("overloadedSince", clock_timestamp()) END,
          "clockSkewMs" = ${Math.round(beat.lastSkewMs)},
          "averageInitMs" = coalesce(${averageInitMs === null ? null : Math.round(averageInitMs)}::int, "averageInitMs")
      WHERE id = ${beat.id}::uuid AND incarnation = ${beat.incarnation}::uuid
      RETURNING extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`;
  return row?.nowMs ?? null;
}

/** Stores whose runs a node executes. A user with a locked row does not delay the others. */
export async function noteHolders(db: Db, nodeId: string, userIds: readonly string[]): Promise<void> {
  try {
    await writeHolders(db, nodeId, userIds);
  } catch (error) {
    if (!isDatabaseBusy(error) || userIds.length < 2) throw error;
    await settleAll(userIds.map((userId) => writeHolders(db, nodeId, [userId])));
  }
  await db.$executeRaw`
    DELETE FROM "NodeNotice" o
    WHERE o."computeNodeId" = ${nodeId}::uuid AND o."offlineAt" IS NULL AND o."overloadedAt" IS NULL
      AND NOT o."userId" = ANY(${[...userIds]}::uuid[])
      AND o."heldAt" < clock_timestamp() - interval '60 seconds'`;
}

function writeHolders(db: Db, nodeId: string, userIds: readonly string[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO "NodeNotice" ("computeNodeId", "userId", "heldAt")
    SELECT ${nodeId}::uuid, u.id, clock_timestamp() FROM "User" u WHERE u.id = ANY(${[...userIds]}::uuid[])
    ON CONFLICT ("computeNodeId", "userId") DO UPDATE SET "heldAt" = excluded."heldAt"`;
}

/** A worker that ends in order marks its node as offline at once. Nobody is notified: whoever ended it knows. */
export async function leaveNode(db: Db, nodeId: string, incarnation: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "ComputeNode"
    SET health = 'offline', "healthReason" = NULL, "isDraining" = true, "activeDeviceCount" = 0,
        "leftAt" = clock_timestamp(), "updatedAt" = clock_timestamp()
    WHERE id = ${nodeId}::uuid AND incarnation = ${incarnation}::uuid`;
}

/**
 * Whether a node takes further cameras. What it analyses goes on. A restart of its worker takes cameras again.
 * @param lastStep happens only with a change
 */
export function setDraining(
  db: Db,
  nodeId: string,
  isDraining: boolean,
  lastStep: LastStep<{ readonly name: string }>,
): Promise<void> {
  return db.$transaction(async (tx) => {
    const [changed] = await tx.computeNode.updateManyAndReturn({
      where: { id: nodeId, isDraining: !isDraining },
      data: { isDraining },
      select: { name: true },
    });
    if (changed) await lastStep(tx, changed);
  });
}
