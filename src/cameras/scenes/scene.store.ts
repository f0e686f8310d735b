import { requireRoom } from '../../access/user-cap.ts';
import { removeRulesOf } from '../../alerts/rule.store.ts';
import type { Target } from '../../catalogue/waits/target.ts';
import { definedFields } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../http/paging.ts';
import { eraseFeet } from '../../metrics/floor/feet/feet.store.ts';
import { type Db, queryRows, type Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { Prisma, Scene } from '../../platform/prisma-client/client.ts';
import type { TargetColumns } from '../target.ts';
import { removeChecksOf } from './checks/check.store.ts';
import { EFFECTIVE_TARGET } from './effective-target.store.ts';
import { ACTIVE_ANALYSIS, type ListScenes } from './schema.ts';

/** The scenes of cameras: those of recordings are in no list, and calls of scenes do not change them. */
const visible = (userId: string) => ({ userId, recording: null, deletedAt: null });
const own = (userId: string, id: string) => ({ id, ...visible(userId) });
const atRest = { analysisStatus: { notIn: [...ACTIVE_ANALYSIS] } };

/** A scene with the target that holds for it, and with the recording that it belongs to; null for the scene of a camera. */
export type SceneOfAny = Scene & {
  readonly recordingId: string | null;
  readonly effectiveTarget: Target | null;
};

/** The most frequent query of the API: clients poll a scene for its latest metrics. It finds the scene of a recording too. */
export async function findScene(db: Db, userId: string, id: string): Promise<SceneOfAny | null> {
  const [row] = await queryRows<SceneOfAny>(
    db,
    `SELECT s.*, (SELECT r.id FROM "Recording" r WHERE r."sceneId" = s.id) AS "recordingId",
       ${EFFECTIVE_TARGET} AS "effectiveTarget"
     FROM "Scene" s WHERE s.id = $1 AND s."userId" = $2 AND s."deletedAt" IS NULL`,
    [id, userId],
  );
  return row ?? null;
}

/** A scene that calls of scenes may change: of a camera. */
export const findCameraScene = (db: Db, userId: string, id: string): Promise<Scene | null> =>
  db.scene.findFirst({ where: own(userId, id) });

/** The columns that lists show: without configuration and metrics, which are large. */
const LISTED = {
  id: true,
  name: true,
  description: true,
  analysisType: true,
  status: true,
  analysisStatus: true,
} as const;
export type ListedScene = Pick<Scene, keyof typeof LISTED>;

export async function listScenes(
  db: Db,
  userId: string,
  { page, limit, ...filter }: ListScenes,
): Promise<Page<ListedScene>> {
  const where = { ...visible(userId), ...definedFields(filter) };
  return pageOf(
    db.scene.findMany({
      where,
      select: LISTED,
      orderBy: NEWEST_FIRST,
      ...rowsOf({ page, limit }),
    }),
    db.scene.count({ where }),
  );
}

export interface SceneColumns extends Partial<TargetColumns> {
  readonly name?: string;
  readonly description?: string | null;
  readonly status?: Scene['status'];
  readonly config?: Prisma.InputJsonObject;
}

/** @returns null when the device is not the user's, or was deleted at the same time */
export function insertScene(
  db: Db,
  { userId, deviceId, most }: { userId: string; deviceId: string; most: number },
  columns: SceneColumns & { name: string; config: Prisma.InputJsonObject },
  lastStep?: LastStep<Scene>,
): Promise<Scene | null> {
  return db.$transaction(async (tx) => {
    const count = () => tx.scene.count({ where: visible(userId) });
    await requireRoom(tx, { userId, what: 'scenes', most, count });
    const device = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Device"
      WHERE id = ${deviceId}::uuid AND "userId" = ${userId}::uuid AND kind = 'camera' AND "deletedAt" IS NULL
      FOR KEY SHARE`;
    if (device.length === 0) return null;
    const row = await tx.scene.create({ data: { ...columns, userId, deviceId } });
    await lastStep?.(tx, row);
    return row;
  });
}

/**
 * Locks a scene and its device, in the order in which a deletion of the device locks them. A change of masks changes the
 * device too.
 * @returns null when there is no such scene
 */
export async function lockSceneAndDevice(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
): Promise<Scene | null> {
  await tx.$queryRaw`
    SELECT 1 FROM "Device" WHERE id = (SELECT "deviceId" FROM "Scene" WHERE id = ${id}::uuid) FOR NO KEY UPDATE`;
  await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return tx.scene.findFirst({ where: own(userId, id) });
}

/** @param isAnyTime whether the change is possible while the analysis is active
 * @returns null when there is no such scene, or its analysis has become active */
export async function updateScene(
  db: Tx,
  { userId, id }: { userId: string; id: string },
  columns: SceneColumns,
  isAnyTime = false,
): Promise<Scene | null> {
  const [updated] = await db.scene.updateManyAndReturn({
    where: { ...own(userId, id), ...(isAnyTime ? {} : atRest) },
    data: columns,
  });
  return updated ?? null;
}

/** Removes a scene with its alert rules. @returns false when there is no such scene, or its analysis is active */
export function removeScene(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
  lastStep: LastStep<Scene>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [removed] = await tx.scene.updateManyAndReturn({
      where: { ...own(userId, id), ...atRest },
      data: { deletedAt: at },
    });
    if (!removed) return false;
    await removeRulesOf(tx, [id], at);
    await eraseFeet(tx, [id]);
    await removeChecksOf(tx, [id]);
    await lastStep(tx, removed);
    return true;
  });
}
