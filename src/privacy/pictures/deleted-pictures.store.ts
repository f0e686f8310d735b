import type { Db } from '../../platform/database/db.ts';

export interface DeletedScene {
  readonly id: string;
  readonly deletedAt: Date;
}

/** Deleted scenes whose images are not erased yet; with a device all of its scenes are deleted. */
export async function deletedScenes(db: Db, atMost: number): Promise<DeletedScene[]> {
  const rows = await db.scene.findMany({
    where: { deletedAt: { not: null }, picturesErasedAt: null },
    select: { id: true, deletedAt: true },
    orderBy: { deletedAt: 'asc' },
    take: atMost,
  });
  return rows.flatMap(({ id, deletedAt }) => (deletedAt ? [{ id, deletedAt }] : []));
}

/** Keys of images of a scene, found by its rules, because that index has deleted alert events too. */
export async function imagesOfScene(db: Db, sceneId: string, atMost: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ objectKey: string }[]>`
    SELECT i."objectKey" FROM "StoredImage" i
    WHERE i."alertEventId" IN (
      SELECT e.id FROM "AlertEvent" e
      WHERE e."ruleId" IN (SELECT r.id FROM "AlertRule" r WHERE r."sceneId" = ${sceneId}::uuid)
        OR (e."sceneId" = ${sceneId}::uuid
            AND e."ruleId" IN (SELECT s."ruleId" FROM "SiteRuleState" s WHERE s."sceneId" = ${sceneId}::uuid)))
    LIMIT ${atMost}`;
  return rows.map(({ objectKey }) => objectKey);
}

/** Keys of images of alert events that were deleted since a time. */
export async function imagesOfDeletedAlerts(db: Db, since: Date, atMost: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ objectKey: string }[]>`
    SELECT i."objectKey" FROM "AlertEvent" e JOIN "StoredImage" i ON i."alertEventId" = e.id
    WHERE e."deletedAt" >= ${since} LIMIT ${atMost}`;
  return rows.map(({ objectKey }) => objectKey);
}

/** Raw SQL leaves `updatedAt` of the scene alone. */
export async function markErased(db: Db, sceneId: string, now: Date): Promise<void> {
  await db.$executeRaw`UPDATE "Scene" SET "picturesErasedAt" = ${now} WHERE id = ${sceneId}::uuid`;
}
