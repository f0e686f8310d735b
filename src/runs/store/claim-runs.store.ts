import { isStreamedByAnother } from '../../cameras/devices/streamed-devices.store.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { type Lease, RUN_DEVICE, type RunDevice } from './lease.store.ts';
import { columnsOf, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import type { RunStats } from './run-stats.ts';
import { MOVES } from './states.ts';

/** What a node needs to know of a run that it has just claimed. */
export interface ClaimedRun extends Lease, RunDevice {
  readonly userId: string;
  readonly sceneId: string;
  readonly sceneName: string;
  readonly deviceName: string;
  /** IANA time zone of the device's schedule; null without a schedule. */
  readonly timezone: string | null;
  /** A node has processed a frame of the run before. */
  readonly hadFrames: boolean;
  readonly config: unknown;
  /** The last stored checkpoint, as JSON; null before the first one. */
  readonly checkpoint: string | null;
  readonly lastFrameAt: Date | null;
  readonly stats: RunStats | null;
  readonly isRecording: boolean;
  /** Null for a camera, and for a recording that was deleted. */
  readonly recording: ClaimedRecording | null;
  /** Of a recording: presentation time of the last stored frame; null before the first. */
  readonly positionMs: number | null;
}

/** The recording that a run analyses. */
export interface ClaimedRecording {
  readonly id: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** Ms since 1970. */
  readonly recordedAtMs: number;
  /** The video of the file that is analysed, by its number among them. */
  readonly videoTrack: number;
}

export interface ClaimOptions {
  readonly nodeId: string;
  /** Cameras that the node streams already: further scenes of them cost no capacity. */
  readonly heldDeviceIds: readonly string[];
  readonly maxDevices: number;
  readonly leaseSeconds: number;
  /** How many recordings the node has, and has at most; by default it takes none. */
  readonly recordings?: { readonly held: number; readonly most: number };
}

/**
 * Claims queued runs until the node is full: the most urgent first, then the oldest. All queued scenes of a device go to
 * the same node, because they share one camera stream. A recording is claimed after all cameras that the node can take, and
 * only into a place that no camera uses. A node that is draining takes further scenes of its cameras only.
 */
export async function claimRuns(db: Db, options: ClaimOptions): Promise<ClaimedRun[]> {
  const { recordings = { held: 0, most: 0 }, maxDevices } = options;
  const held = new Set(options.heldDeviceIds);
  const skipped: string[] = [];
  const claimed: ClaimedRun[] = [];
  let heldRecordings = recordings.held;
  for (;;) {
    const tried: { deviceId?: string } = {};
    const mayTakeRecording = heldRecordings < recordings.most && held.size + heldRecordings < maxDevices;
    const taken = await claimDevice(db, options, { held: [...held], skipped, tried, mayTakeRecording }).catch(
      (error: unknown) => {
        // Another session holds rows of this device: the node claims the other devices all the same.
        if (!tried.deviceId || !isDatabaseBusy(error)) throw error;
        return { deviceId: tried.deviceId, runs: [] };
      },
    );
    if (!taken) return claimed;
    if (taken.runs.length === 0) skipped.push(taken.deviceId);
    else if (taken.runs.some(({ isRecording }) => isRecording)) heldRecordings++;
    else held.add(taken.deviceId);
    claimed.push(...taken.runs);
  }
}

interface ClaimState {
  /** Cameras, with those that were just claimed. */
  readonly held: string[];
  readonly skipped: string[];
  /** Gets the device that the claim is about to lock. */
  readonly tried: { deviceId?: string };
  readonly mayTakeRecording: boolean;
}

function claimDevice(
  db: Db,
  { nodeId, maxDevices, leaseSeconds }: ClaimOptions,
  { held, skipped, tried, mayTakeRecording }: ClaimState,
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
        AND CASE d.kind WHEN 'recording' THEN ${mayTakeRecording} ELSE ${hasRoom} OR d.id = ANY(${held}::uuid[]) END
        AND NOT d.id = ANY(${skipped}::uuid[])
        AND NOT ${isStreamedByAnother(Prisma.sql`d.id`, nodeId)}
        AND (d.id = ANY(${held}::uuid[])
             OR NOT EXISTS (SELECT 1 FROM "ComputeNode" n WHERE n.id = ${nodeId}::uuid AND n."isDraining"))
      ORDER BY d.kind = 'recording', t.priority, t."createdAt", t.id
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
           s.name AS "sceneName", d.name AS "deviceName", d.schedule->>'timezone' AS timezone, t.checkpoint::text AS checkpoint,
           t."lastFrameAt", t.stats, t."positionMs", d.kind = 'recording' AS "isRecording",
           CASE WHEN r.id IS NOT NULL THEN json_build_object(
             'id', r.id, 'objectKey', r."objectKey", 'sizeBytes', r."sizeBytes",
             'videoTrack', r."videoTrack", 'recordedAtMs', round(extract(epoch FROM r."recordedAt") * 1000)) END AS recording,
           ${RUN_DEVICE}
    FROM "AnalysisTask" t JOIN "Scene" s ON s.id = t."sceneId" JOIN "Device" d ON d.id = t."deviceId"
      JOIN "User" u ON u.id = t."userId"
      LEFT JOIN "Recording" r ON d.kind = 'recording' AND r."deviceId" = d.id AND r."deletedAt" IS NULL
    WHERE t.id = ANY(${ids}::uuid[]) ORDER BY t.id`;
}
