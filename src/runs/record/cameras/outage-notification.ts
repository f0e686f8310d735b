import { noteStreamFault, noteStreamInfo } from '../../../cameras/devices/presence.store.ts';
import type { StreamMessage } from '../../../lanes/lane-protocol.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Restarts in a row, or without a frame, that make an outage. */
const OUTAGE_RESTARTS = 3;

/**
 * Stores the size, codec or fault of a camera stream with its device, and notifies the user of an outage. The online status
 * of the device follows from its frames alone.
 */
export async function storeStreamReport(
  db: Db,
  report: StreamMessage,
  streamRevision: number,
): Promise<void> {
  const device = { id: report.deviceId, streamRevision };
  if (report.info) await noteStreamInfo(db, device, report.info);
  // Each `restarting` follows a report of the fault itself.
  if (report.faultReason === null || report.event === 'restarting') return;
  await noteStreamFault(db, device, { error: report.message, isOutage: isOutage(report) });
}

/**
 * A stream that sends a few frames after each restart is notified at its third restart in a row and not again. The counter
 * starts at 0 after the stream has worked for half a minute.
 */
const isOutage = ({ isUndecodable, restartsInARow, restartsWithoutFrame }: StreamMessage): boolean =>
  restartsInARow === OUTAGE_RESTARTS || restartsWithoutFrame >= OUTAGE_RESTARTS || isUndecodable;
