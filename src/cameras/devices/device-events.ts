import type { z } from 'zod';
import type { EventType } from '../../delivery/events/catalogue.ts';
import { emit } from '../../delivery/events/emit.ts';
import type { Tx } from '../../platform/database/db.ts';
import { cameraWarnings } from './condition.ts';

interface EventDevice {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly lastFrameAt: Date | null;
}

/** What every event about a device has in common. @param key makes the event unique besides its type, device and time */
function eventOf<Type extends EventType>(type: Type, device: EventDevice, occurredAt: Date, key = '') {
  const { id: deviceId, userId, name: deviceName, lastFrameAt } = device;
  return {
    ...{ type, userId, deviceId, occurredAt },
    dedupeKey: `${type}:${deviceId}:${key}${occurredAt.toISOString()}`,
    data: { deviceId, deviceName, lastFrameAt: lastFrameAt?.toISOString() ?? null },
  };
}

/** A device before and after an update. */
export interface PresenceChange extends EventDevice {
  readonly isDeleted: boolean;
  readonly lastError: string | null;
  /** `toldOfflineSince`: set while the owner knows the device as offline. */
  readonly offlineBefore: Date | null;
  readonly offlineAfter: Date | null;
  /** From `offlineBefore` to now; null without it. */
  readonly offlineSeconds: number | null;
  /** Database clock. */
  readonly now: Date;
}

/**
 * Sends `device_offline` and `device_online` where an update has changed whether the owner knows the device as offline.
 * Called in the transaction of that update: its row lock makes each event unique.
 */
export async function emitPresenceEvents(tx: Tx, changes: readonly PresenceChange[]): Promise<void> {
  for (const change of changes) {
    const { isDeleted, lastError, offlineBefore, offlineAfter, offlineSeconds, now } = change;
    if (isDeleted || (offlineBefore === null) === (offlineAfter === null)) continue;
    if (offlineAfter !== null) {
      const event = eventOf('device_offline', change, now);
      const error = lastError === null ? {} : { error: lastError };
      await emit(tx, { ...event, data: { ...event.data, ...error } });
    } else {
      const event = eventOf('device_online', change, now);
      const offlineForSeconds = Math.max(0, offlineSeconds ?? 0);
      await emit(tx, { ...event, data: { ...event.data, offlineForSeconds } });
    }
  }
}

/** The warnings of a device before and after an update. */
export interface WarningChange extends EventDevice, Pick<PresenceChange, 'isDeleted' | 'now'> {
  readonly warningsBefore: unknown;
  readonly warningsAfter: unknown;
}

/** Whether a warning is the same one: several scenes of a device may each have one of the same reason. */
const keyOf = ({ reason, sceneId = '' }: z.infer<typeof cameraWarnings>[number]) => `${reason}:${sceneId}`;

/** Sends `device_warning` for each warning that has begun or ended. Called in the transaction of that update. */
export async function emitWarningEvents(tx: Tx, changes: readonly WarningChange[]): Promise<void> {
  for (const change of changes) {
    if (change.isDeleted) continue;
    const before = cameraWarnings.parse(change.warningsBefore);
    const after = cameraWarnings.parse(change.warningsAfter);
    const missingIn = (warnings: typeof before, state: 'began' | 'ended', others: typeof before) =>
      warnings
        .filter((warning) => !others.some((other) => keyOf(other) === keyOf(warning)))
        .map((warning) => ({ ...warning, state }));
    for (const edge of [...missingIn(before, 'ended', after), ...missingIn(after, 'began', before)]) {
      const event = eventOf('device_warning', change, change.now, `${keyOf(edge)}:${edge.state}:`);
      await emit(tx, { ...event, data: { ...event.data, ...edge } });
    }
  }
}

/** A device whose outage has just been noticed. */
export interface OutDevice extends EventDevice {
  readonly outageNotifiedAt: Date;
}

/** Sends `device_analysis_error`, in the transaction that has noticed the outage. */
export async function emitOutageEvent(tx: Tx, device: OutDevice, error: string): Promise<void> {
  const event = eventOf('device_analysis_error', device, device.outageNotifiedAt);
  await emit(tx, { ...event, data: { ...event.data, error } });
}
