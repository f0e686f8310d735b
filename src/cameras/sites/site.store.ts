import { requireRoom } from '../../access/user-cap.ts';
import { endFiringsOutside, removeRulesOfSite } from '../../alerts/rule.store.ts';
import { containing, definedFields } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { Prisma, type Site } from '../../platform/prisma-client/client.ts';
import { targetColumns } from '../target.ts';
import { hoursOf, type SiteHours } from './open-hours.ts';
import type { CreateSite, ListSites, PatchSite } from './schema.ts';

/** The devices of a site that exist, oldest first. */
const WITH_DEVICES = {
  devices: {
    where: { device: { deletedAt: null } },
    select: { deviceId: true },
    orderBy: { deviceId: 'asc' },
  },
} as const;
export type SiteWithDevices = Site & { readonly devices: readonly { readonly deviceId: string }[] };

/** Null is kept as no value; what is not sent stays as it is. */
const hoursColumn = (sent: PatchSite['openingHours']) =>
  sent === undefined ? undefined : { openingHours: sent ?? Prisma.DbNull };

export function findSite(db: Tx, userId: string, id: string): Promise<SiteWithDevices | null> {
  return db.site.findFirst({ where: { id, userId }, include: WITH_DEVICES });
}

export function listSites(db: Db, userId: string, query: ListSites): Promise<Page<SiteWithDevices>> {
  const { q, deviceId } = query;
  const where: Prisma.SiteWhereInput = {
    userId,
    ...(q && { name: containing(q) }),
    ...(deviceId && { devices: { some: { deviceId, device: { deletedAt: null } } } }),
  };
  return pageOf(
    db.site.findMany({ where, include: WITH_DEVICES, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.site.count({ where }),
  );
}

/**
 * @param most sites that a user may have
 * @returns null when one of the devices is not the user's @throws ApiError LIMIT_REACHED
 */
export function insertSite(
  db: Db,
  { userId, most }: { userId: string; most: number },
  { deviceIds, target, openingHours, ...columns }: CreateSite,
  lastStep: LastStep<SiteWithDevices>,
): Promise<SiteWithDevices | null> {
  return db.$transaction(async (tx) => {
    const count = () => tx.site.count({ where: { userId } });
    await requireRoom(tx, { userId, what: 'sites', most, count });
    if (!(await lockDevices(tx, userId, deviceIds))) return null;
    const devices = { create: deviceIds.map((deviceId) => ({ deviceId })) };
    const row = await tx.site.create({
      data: { ...columns, ...targetColumns(target), ...hoursColumn(openingHours), userId, devices },
      include: WITH_DEVICES,
    });
    await lastStep(tx, row);
    return row;
  });
}

/**
 * Changes a site; `deviceIds` replaces its devices.
 * @returns the changed site, or what does not exist
 */
export function updateSite(
  db: Db,
  { userId, id }: { userId: string; id: string },
  { deviceIds, target, openingHours, ...columns }: PatchSite,
): Promise<SiteWithDevices | 'no site' | 'no device'> {
  return db.$transaction(async (tx) => {
    // The lock on the site comes first: of two changes of its devices the later one decides.
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Site" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid FOR NO KEY UPDATE`;
    if (found.length === 0) return 'no site';
    if (deviceIds && !(await lockDevices(tx, userId, deviceIds))) return 'no device';
    await tx.site.updateMany({
      where: { id, userId },
      data: definedFields({ ...columns, ...targetColumns(target), ...hoursColumn(openingHours) }),
    });
    if (deviceIds) {
      await tx.siteDevice.deleteMany({ where: { siteId: id, deviceId: { notIn: deviceIds } } });
      await tx.siteDevice.createMany({
        data: deviceIds.map((deviceId) => ({ siteId: id, deviceId })),
        skipDuplicates: true,
      });
      await endFiringsOutside(tx, id);
    }
    return (await findSite(tx, userId, id)) ?? 'no site';
  });
}

/** Keeps devices from being deleted until the end of the transaction. @returns false when one is not the user's */
async function lockDevices(tx: Tx, userId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "Device"
    WHERE id = ANY(${ids}::uuid[]) AND "userId" = ${userId}::uuid AND kind = 'camera' AND "deletedAt" IS NULL
    ORDER BY id FOR KEY SHARE`;
  return found.length === ids.length;
}

/** Removes a site and its rules. @returns false when there is no such site */
export function removeSite(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // Nobody makes a rule of a site that is going.
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Site" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid FOR UPDATE`;
    if (found.length === 0) return false;
    await removeRulesOfSite(tx, id, at);
    await tx.site.deleteMany({ where: { id } });
    return true;
  });
}

/** When the sites of a device are open; none where nobody has said. */
export async function findHoursOfDevice(db: Db, deviceId: string): Promise<SiteHours[]> {
  const sites = await db.site.findMany({
    where: { devices: { some: { deviceId } } },
    select: { openingHours: true, timezone: true },
  });
  return hoursOf(sites);
}

/** The scenes on the devices of a site, oldest first; null when the user has no such site. */
export async function sceneIdsOfSite(db: Db, userId: string, siteId: string): Promise<string[] | null> {
  const [site] = await db.$queryRaw<{ sceneIds: string[] }[]>`
    SELECT ARRAY(
      SELECT s.id::text FROM "SiteDevice" sd
      JOIN "Device" d ON d.id = sd."deviceId" AND d."deletedAt" IS NULL
      JOIN "Scene" s ON s."deviceId" = d.id AND s."deletedAt" IS NULL
      WHERE sd."siteId" = site.id ORDER BY s.id) AS "sceneIds"
    FROM "Site" site WHERE site.id = ${siteId}::uuid AND site."userId" = ${userId}::uuid`;
  return site?.sceneIds ?? null;
}
