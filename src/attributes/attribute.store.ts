import { definedFields, within } from '../http/fields.ts';
import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { AttributeRecord, DevicePlan } from '../platform/prisma-client/client.ts';
import type { ListAttributes } from './schema.ts';

/** A record as lists show it: without its persons, which are large. */
export type ListedRecord = Omit<AttributeRecord, 'persons'>;
const NEWEST_FIRST = [{ capturedAt: 'desc' as const }, { id: 'desc' as const }];

export interface PlaceFilter {
  readonly deviceId?: string | undefined;
  readonly sceneId?: string | undefined;
}

/** @returns null when it is not the user’s */
export async function findDevicePlan(db: Db, userId: string, id: string): Promise<DevicePlan | null> {
  const device = await db.device.findFirst({
    where: { id, userId, deletedAt: null },
    select: { plan: true },
  });
  return device?.plan ?? null;
}

/** The plan of a scene’s device. @returns null when the scene is not the user’s */
export async function findScenePlan(db: Db, userId: string, id: string): Promise<DevicePlan | null> {
  const where = { id, userId, deletedAt: null };
  const scene = await db.scene.findFirst({ where, select: { device: { select: { plan: true } } } });
  return scene?.device.plan ?? null;
}

/** The user’s cameras whose plan includes attributes. */
export async function findAttributeDevices(db: Db, userId: string): Promise<string[]> {
  const where = { userId, kind: 'camera' as const, deletedAt: null, plan: 'LEVEL_02' as const };
  return (await db.device.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/**
 * Records, newest first.
 * @param place.deviceIds to which the list is restricted; undefined where device and scene of the query are the user's
 */
export async function listRecords(
  db: Db,
  { userId, deviceIds }: { userId: string; deviceIds?: readonly string[] | undefined },
  query: ListAttributes,
): Promise<Page<ListedRecord>> {
  const { deviceId, sceneId } = query;
  const filter = definedFields({ deviceId, sceneId, capturedAt: within(query) });
  const ofDevices = deviceIds && { AND: { deviceId: { in: [...deviceIds] } } };
  // The index of the scene alone counts its records: with the user PostgreSQL would go through those of all scenes.
  const where = sceneId && !ofDevices ? filter : { userId, ...ofDevices, ...filter };
  const readRows = async () => {
    const page = { orderBy: NEWEST_FIRST, ...rowsOf(query) };
    const select = { id: true, capturedAt: true } as const;
    const found = await db.attributeRecord.findMany({ where, select, ...page });
    const [newest, oldest] = [found[0], found.at(-1)];
    if (!newest || !oldest) return [];
    const id = { in: found.map((row) => row.id) };
    // So PostgreSQL reads the partitions of these days only.
    const capturedAt = { lte: newest.capturedAt, gte: oldest.capturedAt };
    const omit = { persons: true } as const;
    return db.attributeRecord.findMany({ where: { id, userId, capturedAt }, omit, orderBy: NEWEST_FIRST });
  };
  return pageOf(readRows(), db.attributeRecord.count({ where }));
}

export function findRecord(
  db: Db,
  userId: string,
  id: string,
): Promise<(AttributeRecord & { device: { plan: DevicePlan } }) | null> {
  return db.attributeRecord.findFirst({
    where: { id, userId },
    include: { device: { select: { plan: true } } },
  });
}

/** The scene and time of an insight’s alert, and its plan. */
export function findInsightPlace(
  db: Db,
  userId: string,
  id: string,
): Promise<{ sceneId: string; triggeredAt: Date; device: { plan: DevicePlan } } | null> {
  return db.insight.findFirst({
    where: { id, userId, deletedAt: null },
    select: { sceneId: true, triggeredAt: true, device: { select: { plan: true } } },
  });
}

/** Records of a scene within `radiusMs` before and after a time, oldest first. */
export function findRecordsAround(
  db: Db,
  { userId, sceneId }: { userId: string; sceneId: string },
  { at, radiusMs, limit }: { at: Date; radiusMs: number; limit: number },
): Promise<ListedRecord[]> {
  const capturedAt = { gte: new Date(at.getTime() - radiusMs), lte: new Date(at.getTime() + radiusMs) };
  return db.attributeRecord.findMany({
    where: { userId, sceneId, capturedAt },
    omit: { persons: true },
    orderBy: { capturedAt: 'asc' },
    take: limit,
  });
}
