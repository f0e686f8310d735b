import type { Target } from '../../catalogue/waits/target.ts';
import type { Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

/**
 * SQL of the target that holds for "Scene" s: its own, else that of a site of its device, else null. Of several sites the shortest time
 * holds, because who keeps that keeps the others.
 */
export const EFFECTIVE_TARGET = `coalesce(
  CASE WHEN s."targetWaitSeconds" IS NOT NULL
    THEN jsonb_build_object('waitSeconds', s."targetWaitSeconds", 'share', s."targetShare") END,
  (SELECT jsonb_build_object('waitSeconds', site."targetWaitSeconds", 'share', site."targetShare")
   FROM "SiteDevice" sd JOIN "Site" site ON site.id = sd."siteId"
   WHERE sd."deviceId" = s."deviceId" AND site."targetWaitSeconds" IS NOT NULL
   ORDER BY site."targetWaitSeconds", site."targetShare" DESC, site.id LIMIT 1))`;

/** The target that holds for a scene; null without one. */
export async function findEffectiveTarget(db: Tx, sceneId: string): Promise<Target | null> {
  const [row] = await db.$queryRaw<{ target: Target | null }[]>`
    SELECT ${Prisma.raw(EFFECTIVE_TARGET)} AS target FROM "Scene" s WHERE s.id = ${sceneId}::uuid`;
  return row?.target ?? null;
}
