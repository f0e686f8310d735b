import { requireRoom } from '../access/user-cap.ts';
import { removeRulesOf } from '../alerts/rule.store.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { type Device, Prisma } from '../platform/prisma-client/client.ts';
import { ACTIVE_ANALYSIS } from '../scenes/schema.ts';
import type { StreamFault } from '../video/stream-error.ts';
import {
  type DeviceSight,
  emitDeviceEdges,
  emitOutage,
  emitWarningEdges,
  type OutDevice,
  type WarnedDevice,
} from './device-events.ts';
import { DEVICE_SIGHT } from './device-sight.store.ts';
import { isStreamed } from './streamed-devices.store.ts';

/** A caller may reach these. */
const own = (userId: string, id: string) => ({ id, userId, deletedAt: null });

export function findDevice(db: Db, userId: string, id: string): Promise<Device | null> {
  return db.device.findFirst({ where: own(userId, id) });
}

/** @returns the configuration of a scene of this device; null when there is no such scene */
export async function findZonesOf(
  db: Db,
  { userId, deviceId, sceneId }: { userId: string; deviceId: string; sceneId: string },
): Promise<unknown> {
  const where = { ...own(userId, sceneId), deviceId };
  const scene = await db.scene.findFirst({ where, select: { config: true } });
  return scene?.config ?? null;
}

export async function listDevices(
  db: Db,
  userId: string,
  query: PageQuery & { q?: string | undefined; onlineStatus?: Device['onlineStatus'] | undefined },
): Promise<Page<Device>> {
  const contains = query.q ? { contains: query.q, mode: 'insensitive' as const } : undefined;
  const where = {
    userId,
    deletedAt: null,
    ...(query.onlineStatus && { onlineStatus: query.onlineStatus }),
    ...(contains && { OR: [{ name: contains }, { description: contains }] }),
  };
  return pageOf(
    db.device.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.device.count({ where }),
  );
}

/** Columns a caller may set; `schedule: null` means none. */
export interface DeviceColumns {
  readonly name?: string;
  readonly description?: string | null;
  readonly streamUrlEncrypted?: string;
  readonly plan?: Device['plan'];
  readonly analysisFps?: number;
  readonly schedule?: object | null;
}

const withSchedule = ({ schedule, ...columns }: DeviceColumns) => ({
  ...columns,
  // A new schedule is followed at once.
  ...(schedule !== undefined && {
    schedule: schedule ?? Prisma.DbNull,
    nextScheduleAt: schedule && new Date(),
  }),
});

/** @throws ApiError LIMIT_REACHED @param most devices a user may have */
export function insertDevice(
  db: Db,
  { userId, most }: { userId: string; most: number },
  columns: DeviceColumns & { name: string; streamUrlEncrypted: string },
  lastStep?: LastStep<Device>,
): Promise<Device> {
  const { name, streamUrlEncrypted } = columns;
  return db.$transaction(async (tx) => {
    const count = () => tx.device.count({ where: { userId, deletedAt: null } });
    await requireRoom(tx, { userId, what: 'devices', most, count });
    const row = await tx.device.create({
      data: { ...withSchedule(columns), name, streamUrlEncrypted, userId },
    });
    await lastStep?.(tx, row);
    return row;
  });
}

/** A new address also forgets what was known of the old one. @returns null when there is no such device */
export async function updateDevice(
  db: Db,
  { userId, id }: { userId: string; id: string },
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
    nextProbeAt: new Date(),
  };
  const [updated] = await db.device.updateManyAndReturn({
    where: own(userId, id),
    data: { ...withSchedule(columns), ...(columns.streamUrlEncrypted && forgotten) },
  });
  return updated ?? null;
}

/**
 * Removes a device with its scenes and their rules.
 * @returns `active` when one of its scenes is starting, running or stopping
 */
export function removeDevice(db: Db, userId: string, id: string): Promise<'removed' | 'absent' | 'active'> {
  return db.$transaction(async (tx) => {
    // Whoever adds a scene or starts one has to wait for this lock, and then finds the device gone.
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Device" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid AND "deletedAt" IS NULL
      FOR UPDATE`;
    if (found.length === 0) return 'absent';
    const scenes = { deviceId: id, deletedAt: null };
    const active = await tx.scene.count({
      where: { ...scenes, analysisStatus: { in: [...ACTIVE_ANALYSIS] } },
    });
    if (active > 0) return 'active';
    const deletedAt = new Date();
    // Device, scenes, rules: in another order two deletions could wait for each other.
    const removed = await tx.scene.updateManyAndReturn({
      where: scenes,
      data: { deletedAt },
      select: { id: true },
    });
    await removeRulesOf(
      tx,
      removed.map((scene) => scene.id),
    );
    await tx.device.update({ where: { id }, data: { deletedAt } });
    return 'removed';
  });
}

/** What a probe learned. */
export interface Presence {
  readonly onlineStatus: 'online' | 'unknown' | 'offline';
  readonly info: { width: number; height: number; codec: string; sourceFps: number | null } | null;
  /** Why it cannot be read; null where that is not known, or it can. */
  readonly fault: StreamFault | null;
  /** For how long it had not answered when this was found out; 0 where not given. */
  readonly failedForMs?: number;
  /** Not where a node streams the device by now: its frames know better. */
  readonly onlyIdle?: boolean;
}

/** A device that is to be looked at. */
export type IdleDevice = Pick<Device, 'id' | 'streamUrlEncrypted' | 'streamRevision' | 'onlineStatus'> & {
  readonly isStreamed: boolean;
  /** Of its user. */
  readonly streamNetworks: readonly string[];
};

/** Takes the device that has waited longest to be looked at, for one worker alone; it is due again after `everySeconds`. */
export async function takeDueProbe(db: Db, everySeconds: number): Promise<IdleDevice | null> {
  const [device] = await db.$queryRaw<IdleDevice[]>`
    UPDATE "Device" d SET "nextProbeAt" = clock_timestamp() + make_interval(secs => ${everySeconds})
    WHERE d.id = (
      SELECT id FROM "Device"
      WHERE "deletedAt" IS NULL AND "nextProbeAt" <= clock_timestamp()
      ORDER BY "nextProbeAt" LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING d.id, d."streamUrlEncrypted", d."streamRevision", d."onlineStatus"::text AS "onlineStatus",
      ${isStreamed(Prisma.sql`d.id`)} AS "isStreamed",
      (SELECT u."streamNetworks" FROM "User" u WHERE u.id = d."userId") AS "streamNetworks"`;
  return device ?? null;
}

/** Not an update in the caller's eyes: `updatedAt` stays. Loses against an address changed meanwhile. */
export async function writePresence(
  db: Db,
  device: Pick<Device, 'id' | 'streamRevision'>,
  { onlineStatus, info, fault, failedForMs = 0, onlyIdle = false }: Presence,
): Promise<void> {
  const error = fault?.sentence ?? null;
  await db.$transaction(async (tx) => {
    const sights = await tx.$queryRaw<(DeviceSight & WarnedDevice)[]>`
      WITH old AS (
        SELECT id, "onlineStatus", "onlineChangedAt", "toldOfflineSince", warnings,
               ${isStreamed(Prisma.sql`"Device".id`)} AS "isStreamed"
        FROM "Device"
        WHERE id = ${device.id}::uuid AND "streamRevision" = ${device.streamRevision}
          AND NOT (${onlyIdle} AND ${isStreamed(Prisma.sql`"Device".id`)})
        FOR NO KEY UPDATE)
      UPDATE "Device" d SET
        "onlineChangedAt" = CASE WHEN old."onlineStatus"::text = ${onlineStatus} THEN old."onlineChangedAt"
                                 ELSE clock_timestamp() END,
        "onlineStatus" = ${onlineStatus}::"OnlineStatus", "lastError" = ${error},
        "lastErrorAt" = CASE WHEN ${error}::text IS NOT NULL THEN clock_timestamp() END,
        -- Of a device that is streamed its node says what is wrong.
        warnings = CASE WHEN old."isStreamed" THEN d.warnings ELSE '[]' END,
        fault = CASE
          WHEN old."isStreamed" THEN d.fault
          WHEN ${error}::text IS NOT NULL THEN jsonb_build_object(
            'reason', ${fault?.reason ?? null}::text, 'message', ${error}::text,
            'since', coalesce(d.fault->'since', to_jsonb(to_char(
              clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))) END,
        -- Whoever has just entered an address is answered what was found: that is no event.
        "toldOfflineSince" = CASE
          WHEN ${onlineStatus} = 'online' THEN NULL
          WHEN ${onlineStatus} = 'offline' AND old."onlineStatus" = 'online' THEN
            coalesce(old."toldOfflineSince", clock_timestamp() - make_interval(secs => ${failedForMs / 1000}))
          ELSE old."toldOfflineSince" END,
        width = coalesce(${info?.width ?? null}::int, width), height = coalesce(${info?.height ?? null}::int, height),
        codec = coalesce(${info?.codec ?? null}, codec),
        "sourceFps" = coalesce(${info?.sourceFps ?? null}::float8, "sourceFps")
      FROM old WHERE d.id = old.id
      RETURNING ${DEVICE_SIGHT}, old.warnings AS "warningsBefore", d.warnings AS "warningsAfter"`;
    await emitDeviceEdges(tx, sights);
    await emitWarningEdges(tx, sights);
  });
}

type StreamedDevice = Pick<Device, 'id' | 'streamRevision'>;

/** What a stream says of itself once it is open. */
export async function noteStreamInfo(
  db: Db,
  { id, streamRevision }: StreamedDevice,
  info: NonNullable<Presence['info']>,
): Promise<void> {
  const { width, height, codec, sourceFps } = info;
  await db.$executeRaw`
    UPDATE "Device" SET width = ${width}, height = ${height}, codec = ${codec}, "sourceFps" = ${sourceFps}
    WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision}`;
}

/** Keeps why a stream does not go on. Its owner is told once per outage; a frame that is processed later ends it. */
export async function noteStreamFault(
  db: Db,
  { id, streamRevision }: StreamedDevice,
  { error, isOutage }: { error: string; isOutage: boolean },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE "Device" SET "lastError" = ${error}, "lastErrorAt" = clock_timestamp()
      WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision}`;
    if (!isOutage) return;
    const [device] = await tx.$queryRaw<OutDevice[]>`
      UPDATE "Device" SET "outageNotifiedAt" = clock_timestamp()
      WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision} AND "outageNotifiedAt" IS NULL
        AND "deletedAt" IS NULL
      RETURNING id, "userId", name, "lastFrameAt", "outageNotifiedAt"`;
    if (device) await emitOutage(tx, device, error);
  });
}
