import type { EventType } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import type { Tx } from '../platform/database/db.ts';
import { cameraWarnings } from './condition.ts';

/** A device as the update that has just looked at it found and left it. */
export interface DeviceSight {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly lastFrameAt: Date | null;
  readonly lastError: string | null;
  /** `toldOfflineSince` before and after the update: what its owner knows. */
  readonly toldBefore: Date | null;
  readonly toldAfter: Date | null;
  /** From `toldBefore` to now; null without it. */
  readonly goneSeconds: number | null;
  /** Database clock. */
  readonly now: Date;
}

/**
 * Sends `device_offline` and `device_online` where an update has changed what the owner is to know. Called in the
 * transaction of that update: its row lock makes each event once.
 */
export async function emitDeviceEdges(tx: Tx, sights: readonly DeviceSight[]): Promise<void> {
  for (const sight of sights) {
    const { id, userId, toldBefore, toldAfter, goneSeconds, now: occurredAt } = sight;
    if (sight.isDeleted || (toldBefore === null) === (toldAfter === null)) continue;
    const device = {
      deviceId: id,
      deviceName: sight.name,
      lastFrameAt: sight.lastFrameAt?.toISOString() ?? null,
    };
    const about = (type: EventType) => ({
      userId,
      deviceId: id,
      occurredAt,
      dedupeKey: `${type}:${id}:${occurredAt.toISOString()}`,
    });
    if (toldAfter !== null) {
      const type = 'device_offline';
      const why = sight.lastError === null ? {} : { error: sight.lastError };
      await emit(tx, { ...about(type), type, data: { ...device, ...why } });
    } else {
      const type = 'device_online';
      const offlineForSeconds = Math.max(0, goneSeconds ?? 0);
      await emit(tx, { ...about(type), type, data: { ...device, offlineForSeconds } });
    }
  }
}

/** A device as an update found and left what makes its numbers doubtful. */
export interface WarnedDevice
  extends Pick<DeviceSight, 'id' | 'userId' | 'name' | 'isDeleted' | 'lastFrameAt' | 'now'> {
  readonly warningsBefore: unknown;
  readonly warningsAfter: unknown;
}

/** Sends `device_warning` for each that has begun or ended. Called in the transaction of that update. */
export async function emitWarningEdges(tx: Tx, devices: readonly WarnedDevice[]): Promise<void> {
  for (const { id, userId, name, isDeleted, lastFrameAt, now: occurredAt, ...seen } of devices) {
    if (isDeleted) continue;
    const [before, after] = [seen.warningsBefore, seen.warningsAfter].map((held) =>
      cameraWarnings.parse(held),
    );
    const edgesOf = (state: 'began' | 'ended', of: typeof before, without: typeof before) =>
      of!
        .filter(({ reason }) => !without!.some((other) => other.reason === reason))
        .map((warning) => ({ ...warning, state }));
    for (const edge of [...edgesOf('ended', before, after), ...edgesOf('began', after, before)]) {
      const type = 'device_warning';
      const dedupeKey = `${type}:${id}:${edge.reason}:${edge.state}:${occurredAt.toISOString()}`;
      const device = { deviceId: id, deviceName: name, lastFrameAt: lastFrameAt?.toISOString() ?? null };
      await emit(tx, { userId, deviceId: id, occurredAt, dedupeKey, type, data: { ...device, ...edge } });
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
