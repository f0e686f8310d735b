import type { Db, Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { SensitiveGroup } from '../../vision/attributes/keys.ts';
import type { Privacy } from '../../vision/privacy.ts';

/** The sensitive attributes that both "Device" d and its "User" u have switched on. */
const ATTRIBUTE_GROUPS = Prisma.sql`
  ARRAY(SELECT unnest(d."attributeGroups") INTERSECT SELECT unnest(u."attributeGroups") ORDER BY 1 DESC)`;

/** What pictures of a device may show, as JSON (`Privacy`), of "Device" d and its "User" u. */
export const PRIVACY = Prisma.sql`
  jsonb_build_object(
    'revision', d."privacyRevision", 'maskAnalysis', d."maskAnalysis", 'blurPeople', u."blurPeople"::text,
    'attributeGroups', to_jsonb(${ATTRIBUTE_GROUPS}),
    'masks', d."privacyMask" || coalesce(
      (SELECT jsonb_agg(mask.polygon ORDER BY masked."createdAt", masked.id, mask.number)
       FROM "Scene" masked,
            jsonb_array_elements(CASE WHEN jsonb_typeof(masked.config -> 'privacyMask') = 'array'
                                      THEN masked.config -> 'privacyMask' ELSE '[]' END)
              WITH ORDINALITY AS mask(polygon, number)
       WHERE masked."deviceId" = d.id AND masked."deletedAt" IS NULL), '[]'))`;

/** @returns null when there is no such device, or it was deleted */
export async function findPrivacy(db: Db, deviceId: string): Promise<Privacy | null> {
  const [row] = await db.$queryRaw<{ privacy: Privacy }[]>`
    SELECT ${PRIVACY} AS privacy FROM "Device" d JOIN "User" u ON u.id = d."userId"
    WHERE d.id = ${deviceId}::uuid AND d."deletedAt" IS NULL`;
  return row?.privacy ?? null;
}

/** The sensitive attributes that are determined of the people of a device; none where it was deleted. */
export async function findAttributeGroups(db: Tx, deviceId: string): Promise<SensitiveGroup[]> {
  const [row] = await db.$queryRaw<{ groups: SensitiveGroup[] }[]>`
    SELECT ${ATTRIBUTE_GROUPS} AS groups FROM "Device" d JOIN "User" u ON u.id = d."userId"
    WHERE d.id = ${deviceId}::uuid AND d."deletedAt" IS NULL`;
  return row?.groups ?? [];
}

/** @returns the number of changes of what pictures of a device may show; null when there is no such device */
export async function findPrivacyRevision(db: Tx, deviceId: string): Promise<number | null> {
  const device = await db.device.findFirst({
    where: { id: deviceId, deletedAt: null },
    select: { privacyRevision: true },
  });
  return device?.privacyRevision ?? null;
}
