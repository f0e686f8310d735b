import { isStreamedByAnother } from '../devices/streamed-devices.store.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import { type Lease, RUN_DEVICE, type RunDevice } from './lease.store.ts';
import { columnsOf, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import type { RunStats } from './run-stats.ts';
import { MOVES } from './states.ts';

/** What a node needs to know of a run that it has just claimed. */
export interface ClaimedRun extends Lease, RunDevice {
  readonly userId: string;
  readonly sceneId: string;
  readonly sceneName: string;
  /** IANA time zone of the device's schedule; null without a schedule. */
  readonly timezone: string | null;
  /** A node has processed a frame of the run before. */
  readonly hadFrames: boolean;
  readonly config: unknown;
  /** The last stored checkpoint, as JSON; null before the first one. */
  readonly checkpoint: string | null;
  readonly lastFrameAt: Date | null;
  readonly stats: RunStats | null;
}

export interface ClaimOptions {
  readonly nodeId: string;
  /** Devices that the node streams already: further scenes of them cost no capacity. */
  readonly heldDeviceIds: readonly string[];
  readonly maxDevices: number;
  readonly leaseSeconds: number;
}

/**
 * Claims queued runs until the node is full: the most urgent first, then the oldest. All queued scenes of a device go to
 * the same node, because they share one camera stream.
 */
export async function claimRuns(db: Db, options: ClaimOptions): Promise<ClaimedRun[]> {
  const held = new Set(options.heldDeviceIds);
  const skipped: string[] = [];
  const claimed: ClaimedRun[] = [];
  for (;;) {
    const tried: { deviceId?: string } = {};
    const taken = await claimDevice(db, options, { held: [...held], skipped, tried }).catch(
      (error: unknown) => {
        // Another session holds rows of this device: the node claims the other devices all the same.
        if (!tried.deviceId || !isDatabaseBusy(error)) throw error;
        return { deviceId: tried.deviceId, runs: [] };
      },
    );
    if (!taken) return claimed;
    if (taken.runs.length === 0) skipped.push(taken.deviceId);
    else held.add(taken.deviceId);
    claimed.push(...taken.runs);
  }
}

function claimDevice(
  db: Db,
  { nodeId, maxDevices, leaseSeconds }: ClaimOptions,
  { held, skipped, tried }: { held: string[]; skipped: string[]; tried: { deviceId?: string } },
): Promise<{ deviceId: string; runs: ClaimedRun[] } | null> {
  const hasRoom = held.length < maxDevices;
  return db.$transaction(async (tx) => {
    // The device's row is the lock: two nodes that claim at the same time do not split its scenes between them.
    const [next] = await tx.$queryRaw<{ deviceId: string }[]>`
      SELECT d.id AS "deviceId"
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId"
      WHERE t.status = 'QUEUED' AND t."stopRequestedAt" IS NULL
        AND (t."reservedNodeId" IS NULL OR t."reservedNodeId" = ${nodeId}::uuid
             OR t."reservedUntil" IS NULL OR t."reservedUntil" <= clock_timestamp())
        AND (${hasRoom} OR d.id = ANY(${held}::uuid[])) AND NOT d.id = ANY(${skipped}::uuid[])
        AND NOT ${isStreamedByAnother(Prisma.sql`d.id`, nodeId)}
      ORDER BY t.priority, t."createdAt", t.id
      LIMIT 1
      FOR NO KEY UPDATE OF d SKIP LOCKED`;
    if (!next) return null;
    const { deviceId } = next;
    tried.deviceId = deviceId;
    // A statement of its own sees what another node committed before this one had the lock.
    const runs = await tx.$queryRaw<ShownRun[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsOf(MOVES.queued.claim)}, "computeNodeId" = ${nodeId}::uuid, epoch = t.epoch + 1,
          "startedAt" = coalesce(t."startedAt", clock_timestamp()), "updatedAt" = clock_timestamp()
      WHERE t."deviceId" = ${deviceId}::uuid AND t.status = 'QUEUED' AND t."stopRequestedAt" IS NULL
        AND NOT ${isStreamedByAnother(Prisma.sql`t."deviceId"`, nodeId)}
      RETURNING ${SHOWN_RUN}`;
    await showRuns(tx, runs);
    const ids = runs.map(({ id }) => id);
    await tx.$executeRaw`
      INSERT INTO "RunLease" ("taskId", epoch, "expiresAt")
      SELECT id, epoch, clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM "AnalysisTask" WHERE id = ANY(${ids}::uuid[])
      ON CONFLICT ("taskId") DO UPDATE SET epoch = excluded.epoch, "expiresAt" = excluded."expiresAt"`;
    return { deviceId, runs: await readRuns(tx, ids) };
  });
}

/** Runs as a node needs them, also to resume runs that it has paused. */
export function readRuns(db: Tx, ids: readonly string[]): Promise<ClaimedRun[]> {
  return db.$queryRaw<ClaimedRun[]>`
    SELECT t.id, t.epoch, t."userId", t."sceneId", t."runningAt" IS NOT NULL AS "hadFrames", s.config,
           s.name AS "sceneName", d.schedule->>'timezone' AS timezone, t.checkpoint::text AS checkpoint,
           t."lastFrameAt", t.stats, ${RUN_DEVICE}
    FROM "AnalysisTask" t JOIN "Scene" s ON s.id = t."sceneId" JOIN "Device" d ON d.id = t."deviceId"
      JOIN "User" u ON u.id = t."userId"
    WHERE t.id = ANY(${ids}::uuid[]) ORDER BY t.id`;
}
