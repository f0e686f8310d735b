import type { Tx } from '../platform/db.ts';
import { type OnlineStatus, Prisma } from '../platform/prisma-client/client.ts';
import { emit } from '../webhooks/emit.ts';

/** A device as the update that has just looked at it found and left it. */
export interface DeviceSight {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly lastFrameAt: Date | null;
  readonly lastError: string | null;
  readonly before: OnlineStatus;
  readonly after: OnlineStatus;
  /** How long it was in the state before; null where nobody knows. */
  readonly secondsBefore: number | null;
  /** When it came into the present state. */
  readonly changedAt: Date | null;
}

/** Tells owners of devices that came or went; inside the transaction in which they did, whose row locks make it once. */
export async function emitDeviceEdges(tx: Tx, sights: readonly DeviceSight[]): Promise<void> {
  for (const sight of sights) {
    const { id, userId, before, after, changedAt } = sight;
    if (before === after || after === 'unknown' || sight.isDeleted || !changedAt) continue;
    const device = {
      deviceId: id,
      deviceName: sight.name,
      lastFrameAt: sight.lastFrameAt?.toISOString() ?? null,
    };
    const type = after === 'online' ? 'device_online' : 'device_offline';
    const dedupeKey = `${type}:${id}:${changedAt.toISOString()}`;
    const about = { userId, deviceId: id, occurredAt: changedAt, dedupeKey };
    if (type === 'device_offline') {
      const why = sight.lastError === null ? {} : { error: sight.lastError };
      await emit(tx, { ...about, type, data: { ...device, ...why } });
    } else {
      const gone = before === 'offline' ? sight.secondsBefore : null;
      const howLong = gone === null ? {} : { offlineForSeconds: Math.max(0, gone) };
      await emit(tx, { ...about, type, data: { ...device, ...howLong } });
    }
  }
}

/** A device whose stream does not come back by itself. */
export interface OutDevice extends Pick<DeviceSight, 'id' | 'userId' | 'name' | 'lastFrameAt'> {
  readonly outageNotifiedAt: Date;
}

/** Tells an owner so, in the transaction that has found it out. */
export async function emitOutage(tx: Tx, device: OutDevice, error: string): Promise<void> {
  const { id, userId, name, lastFrameAt, outageNotifiedAt: occurredAt } = device;
  const type = 'device_analysis_error';
  const dedupeKey = `${type}:${id}:${occurredAt.toISOString()}`;
  const data = { deviceId: id, deviceName: name, lastFrameAt: lastFrameAt?.toISOString() ?? null, error };
  await emit(tx, { userId, deviceId: id, occurredAt, dedupeKey, type, data });
}

/** What an update of "Device" d returns of the rows it took from `old`, for `emitDeviceEdges`. */
export const DEVICE_SIGHT = Prisma.sql`
  d.id, d."userId", d.name, d."deletedAt" IS NOT NULL AS "isDeleted", d."lastFrameAt", d."lastError",
  old."onlineStatus" AS before, d."onlineStatus" AS after, d."onlineChangedAt" AS "changedAt",
  extract(epoch FROM clock_timestamp() - old."onlineChangedAt")::float8 AS "secondsBefore"`;
