import {
  type ChangedBy,
  columnsOf,
  isActiveScene,
  masksIn,
  mergePatches,
  recordMasks,
} from '../../../cameras/scenes/configure-scene.ts';
import { lockSceneAndDevice, updateScene } from '../../../cameras/scenes/scene.store.ts';
import { type PatchScene, patchSceneBody } from '../../../cameras/scenes/schema.ts';
import { asJson } from '../../../platform/database/as-json.ts';
import type { Db } from '../../../platform/database/db.ts';
import { claim } from '../../../platform/jobs/claim.store.ts';
import { Prisma, type Scene, type SceneRestart } from '../../../platform/prisma-client/client.ts';
import { queueRunIn } from '../../store/queue-run.store.ts';
import { lookAtSchedule } from '../../store/schedule.store.ts';
import { findActiveRuns } from '../../store/stop-runs.store.ts';

/** Longer than a stop takes. Then the program that stored or took the restart counts as dead, and a job finishes it. */
const TAKEN_SECONDS = 15;

/**
 * Stores that a scene is to be changed and started again, if its analysis is active or a restart is stored already.
 * Otherwise the scene is changed at once.
 * @param heldSeconds when another program finishes the restart
 * @returns the changed scene, or what was found. @throws ApiError IMMUTABLE_FIELD
 */
export function storeRestart(
  db: Db,
  { userId, id }: { userId: string; id: string },
  change: PatchScene,
  by: ChangedBy,
  heldSeconds = TAKEN_SECONDS,
): Promise<Scene | 'absent' | 'stored'> {
  return db.$transaction(async (tx) => {
    // Against starts, changes and deletion.
    const scene = await lockSceneAndDevice(tx, { userId, id });
    if (scene === null) return 'absent';
    const columns = columnsOf(scene, change);
    // Of a change that follows later too: then nobody is there any more who has made it.
    if (columns.config) await recordMasks(tx, { before: scene, after: masksIn(columns.config) }, by);
    const { deviceId } = scene;
    const stored = await tx.sceneRestart.findUnique({ where: { sceneId: id } });
    const [run] = await findActiveRuns(tx, { userId, deviceId, sceneId: id });
    if (stored) {
      const merged = mergePatches(patchSceneBody.parse(stored.change), change);
      const data = { change: asJson(merged), starts: true };
      await tx.sceneRestart.update({ where: { sceneId: id }, data });
      return 'stored';
    }
    if (!run)
      return Object.keys(columns).length === 0
        ? scene
        : ((await updateScene(tx, { userId, id }, columns)) ?? scene);
    await tx.$executeRaw`
      INSERT INTO "SceneRestart" ("sceneId", "userId", "deviceId", "taskId", change, priority, "startedBy", "dueAt")
      VALUES (${id}::uuid, ${userId}::uuid, ${deviceId}::uuid, ${run.id}::uuid, ${JSON.stringify(change)}::jsonb,
              ${run.priority}, ${run.startedBy}::"StartedBy",
              clock_timestamp() + make_interval(secs => ${heldSeconds}))`;
    return 'stored';
  });
}

/** The scene after its restart. */
export function findRestarted(db: Db, own: { userId: string; id: string }): Promise<Scene | null> {
  return db.scene.findFirst({ where: { ...own, deletedAt: null } });
}

export function findRestart(db: Db, sceneId: string): Promise<SceneRestart | null> {
  return db.sceneRestart.findUnique({ where: { sceneId } });
}

/**
 * Changes the scene, queues its run and removes the restart, in one transaction. Repeating it does nothing.
 * @returns false while the analysis of the scene is still active
 */
export function applyRestart(db: Db, { sceneId, deviceId }: SceneRestart): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // The device before the scene: a deletion of the device takes its locks in the same order.
    const devices = await tx.$queryRaw<{ isDisabled: boolean }[]>`
      SELECT "isDisabled" FROM "Device" WHERE id = ${deviceId}::uuid FOR NO KEY UPDATE`;
    await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${sceneId}::uuid FOR NO KEY UPDATE`;
    // A stop that comes now waits for this lock and then finds the new run.
    await tx.$queryRaw`SELECT 1 FROM "SceneRestart" WHERE "sceneId" = ${sceneId}::uuid FOR UPDATE`;
    const restart = await tx.sceneRestart.findUnique({ where: { sceneId } });
    if (restart === null) return true;
    const { userId, priority, startedBy } = restart;
    const scene = await tx.scene.findFirst({ where: { id: sceneId, userId, deletedAt: null } });
    if (scene && isActiveScene(scene)) return false;
    await tx.sceneRestart.delete({ where: { sceneId } });
    if (scene === null) return true;
    const columns = columnsOf(scene, patchSceneBody.parse(restart.change));
    if (Object.keys(columns).length > 0) await updateScene(tx, { userId, id: sceneId }, columns);
    if (!restart.starts || devices[0]?.isDisabled !== false) return true;
    await queueRunIn(tx, { userId, deviceId, sceneId, priority, startedBy });
    // The schedule may have ended meanwhile.
    await lookAtSchedule(tx, deviceId);
    return true;
  });
}

/** Somebody stops the analysis of a device or scene: stored restarts still change their scenes, but start nothing. */
export async function cancelStarts(
  db: Db,
  { userId, deviceId, sceneId }: { userId: string; deviceId: string; sceneId?: string | undefined },
): Promise<void> {
  const where = { userId, deviceId, ...(sceneId && { sceneId }) };
  await db.sceneRestart.updateMany({ where, data: { starts: false } });
}

/** Keeps scenes stopped for some more seconds. */
export async function postponeRestart(db: Db, sceneIds: readonly string[], seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "SceneRestart" SET "dueAt" = clock_timestamp() + make_interval(secs => ${seconds})
    WHERE "sceneId" = ANY(${[...sceneIds]}::uuid[])`;
}

/** Takes restarts that nobody finished, for one program alone. If it dies, another takes them later. */
export const takeRestarts = (db: Db, limit: number): Promise<{ sceneId: string }[]> =>
  claim(db, {
    table: 'SceneRestart',
    key: 'sceneId',
    due: Prisma.sql`w."dueAt" <= clock_timestamp()`,
    order: Prisma.sql`w."dueAt"`,
    limit,
    set: Prisma.sql`"dueAt" = clock_timestamp() + make_interval(secs => ${TAKEN_SECONDS})`,
    returning: Prisma.sql`w."sceneId"`,
  });
