import { noteStreamFault, noteStreamInfo } from '../devices/device.store.ts';
import type { Db } from '../platform/db.ts';
import { isUndecodable } from '../vision/frames/stream-faults.ts';
import type { FromLane } from './lane-protocol.ts';

export type StreamNews = Extract<FromLane, { type: 'stream' }>;

/** So often in a row a stream may end before its owner is told. */
const RESTARTS = 3;

/** Keeps with a device what became of its stream. Whether it is online is for its frames to say. */
export async function noteStreamNews(db: Db, news: StreamNews, streamRevision: number): Promise<void> {
  const device = { id: news.deviceId, streamRevision };
  if (news.info) await noteStreamInfo(db, device, news.info);
  if (news.event === 'opened' || news.event === 'started' || news.event === 'restarting') {
    // What is restarted has had its fault told before; only their number is news.
    if (news.event !== 'restarting' || news.restartsInARow < RESTARTS) return;
  }
  const isOutage = news.restartsInARow >= RESTARTS || isUndecodable(news.message);
  await noteStreamFault(db, device, { error: news.message, isOutage });
}
