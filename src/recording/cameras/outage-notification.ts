import { noteStreamFault, noteStreamInfo } from '../../devices/device.store.ts';
import type { FromLane } from '../../lanes/lane-protocol.ts';
import type { Db } from '../../platform/database/db.ts';

export type StreamReport = Extract<FromLane, { type: 'stream' }>;

/** A stream that was restarted so often is an outage: in a row at the first time, later without a frame in between. */
const RESTARTS = 3;

/** Keeps with a device what became of its stream. Whether it is online is for its frames to say. */
export async function noteStreamReport(db: Db, news: StreamReport, streamRevision: number): Promise<void> {
  const device = { id: news.deviceId, streamRevision };
  if (news.info) await noteStreamInfo(db, device, news.info);
  // `restarting` follows a fault that was noted.
  if (news.faultReason === null || news.event === 'restarting') return;
  await noteStreamFault(db, device, { error: news.message, isOutage: isOutage(news) });
}

/**
 * A stream that gives a few frames after each restart is told about at the third one and not at all the following:
 * it counts its restarts anew once it was well for half a minute.
 */
const isOutage = ({ isUndecodable, restartsInARow, restartsWithoutFrame }: StreamReport): boolean =>
  restartsInARow === RESTARTS || restartsWithoutFrame >= RESTARTS || isUndecodable;
