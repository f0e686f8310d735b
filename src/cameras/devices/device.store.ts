import { requireRoom } from '../../access/user-cap.ts';
import { removeRulesOf } from '../../alerts/rule.store.ts';
import { containing } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import { eraseFeet } from '../../metrics/floor/feet/feet.store.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import {
  type AnalysisAccuracy,
  type AnalysisRegion,
  type Device,
  Prisma,
} from '../../platform/prisma-client/client.ts';
import { removeChecksOf } from '../scenes/checks/check.store.ts';
import { ACTIVE_ANALYSIS } from '../scenes/schema.ts';

/** Rows that the user may see. The hidden devices of recordings belong to no list and no call of devices. */
const visible = (userId: string) => ({ userId, kind: 'camera' as const, deletedAt: null });
const own = (userId: string, id: string) => ({ id, ...visible(userId) });

export function findDevice(db: Tx, userId: string, id: string): Promise<Device | null> {
  return db.device.findFirst({ where: own(userId, id) });
}

/** @returns the configuration of a scene of this device; null when there is no such scene */
export async function findZonesOf(
  db: Db,
  { userId, deviceId, sceneId }: { userId: string; deviceId: string; sceneId: string },
): Promise<unknown> {
  const where = { id: sceneId, userId, deviceId, deletedAt: null };
  const scene = await db.scene.findFirst({ where, select: { config: true } });
  return scene?.config ?? null;
}

export async function listDevices(
  db: Db,
  userId: string,
  query: PageQuery & { q?: string | undefined; onlineStatus?: Device['onlineStatus'] | undefined },
): Promise<Page<Device>> {
  const contains = query.q ? containing(query.q) : undefined;
  const where = {
    ...visible(userId),
    ...(query.onlineStatus && { onlineStatus: query.onlineStatus }),
    ...(contains && { OR: [{ name: contains }, { description: contains }] }),
  };
  return pageOf(
    db.device.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.device.count({ where }),
  );
}

/** Columns that a user may set; `schedule: null` removes the schedule. */
export interface DeviceColumns {
  readonly name?: string;
  readonly description?: string | null;
  readonly streamUrlEncrypted?: string;
  readonly analysisStreamUrlEncrypted?: string | null;
  readonly plan?: Device['plan'];
  readonly analysisFps?: number;
  readonly analysisRegion?: AnalysisRegion;
  readonly analysisAccuracy?: AnalysisAccuracy;
  readonly rotation?: number;
  readonly width?: number;
  readonly height?: number;
  readonly schedule?: object | null;
  readonly timezone?: string | null;
  readonly privacyMask?: Prisma.InputJsonArray;
  readonly maskAnalysis?: boolean;
  readonly attributeGroups?: string[];
}

const withSchedule = ({ schedule, ...columns }: DeviceColumns, now: Date) => ({
  ...columns,
  // A new schedule holds at once.
  ...(schedule !== undefined && {
    schedule: schedule ?? Prisma.DbNull,
    nextScheduleAt: schedule && now,
  }),
});

/** @param most devices that a user may have @throws ApiError LIMIT_REACHED */
export function insertDevice(
  db: Db,
  { userId, most, now }: { userId: string; most: number; now: Date },
  columns: DeviceColumns & { name: string; streamUrlEncrypted: string },
  lastStep?: LastStep<Device>,
): Promise<Device> {
  const { name, streamUrlEncrypted } = columns;
  return db.$transaction(async (tx) => {
    const count = () => tx.device.count({ where: visible(userId) });
    await requireRoom(tx, { userId, what: 'devices', most, count });
    const row = await tx.device.create({
      data: { ...withSchedule(columns, now), name, streamUrlEncrypted, userId },
    });
    await lastStep?.(tx, row);
    return row;
  });
}

/** @returns null when there is no such device */
export async function lockDevice(tx: Tx, userId: string, id: string): Promise<Device | null> {
  await tx.$queryRaw`SELECT 1 FROM "Device" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findDevice(tx, userId, id);
}

/** A new address also clears what was known about the old one. @returns null when there is no such device */
export async function updateDevice(
  db: Tx,
  { userId, id, now }: { userId: string; id: string; now: Date },
  columns: DeviceColumns,
): Promise<Device | null> {
  const forgotten = {
    streamRevision: { increment: 1 },
    onlineStatus: 'unknown' as const,
    lastError: null,
    lastErrorAt: null,
    outageNotifiedAt: null,
    fault: Prisma.DbNull,
    width: null,
    height: null,
    codec: null,
    sourceFps: null,
    mainDecodingPercent: null,
    nextProbeAt: now,
  };
  const [updated] = await db.device.updateManyAndReturn({
    where: own(userId, id),
    data: {
      ...withSchedule(columns, now),
      ...(columns.analysisStreamUrlEncrypted !== undefined && {
        streamRevision: { increment: 1 },
        secondDecodingPercent: null,
      }),
      ...(columns.streamUrlEncrypted && forgotten),
    },
  });
  return updated ?? null;
}

/**
 * Removes a device with its scenes and their rules, and takes it out of its sites.
 * @returns `active` when one of its scenes is starting, running or stopping
 */
export function removeDevice(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<'removed' | 'absent' | 'active'> {
  return db.$transaction(async (tx) => {
    // A request that adds or starts a scene waits for this lock and then finds the device removed.
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Device"
      WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid AND kind = 'camera' AND "deletedAt" IS NULL
      FOR UPDATE`;
    if (found.length === 0) return 'absent';
    const scenes = { deviceId: id, deletedAt: null };
    const active = await tx.scene.count({
      where: { ...scenes, analysisStatus: { in: [...ACTIVE_ANALYSIS] } },
    });
    if (active > 0) return 'active';
    // Locks are taken in the order device, scenes, rules. In another order two deletions could deadlock.
    const removed = await tx.scene.updateManyAndReturn({
      where: scenes,
      data: { deletedAt: at },
      select: { id: true },
    });
    const sceneIds = removed.map((scene) => scene.id);
    await removeRulesOf(tx, sceneIds, at);
    await eraseFeet(tx, sceneIds);
    await removeChecksOf(tx, sceneIds);
    await tx.device.update({ where: { id }, data: { deletedAt: at } });
    await tx.siteDevice.deleteMany({ where: { deviceId: id } });
    return 'removed';
  });
}
