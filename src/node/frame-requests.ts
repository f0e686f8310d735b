import type { LanePicture } from '../lanes/lane-pool.ts';
import type { Context } from '../platform/context.ts';
import { streamUrl, UnusableRun } from '../recording/load-run.ts';
import {
  claimFrameRequests,
  completeFrameRequests,
  pendingFrameRequests,
  sealedStream,
} from './frame-request.store.ts';

export interface FrameAsked {
  readonly deviceId: string;
  /** By this node. */
  readonly isStreamed: boolean;
  readonly nodeId: string;
  /** A `LanePool` in the worker. */
  readonly lanes: {
    picture(deviceId: string): Promise<LanePicture>;
    grab(url: string, networks: readonly string[]): Promise<LanePicture>;
  };
}

/** Pictures fetched from cameras nobody watches cost a decoder each; more are left to the other nodes. */
const MOST_GRABS = 4;
let grabs = 0;

/**
 * Answers whoever waits for a picture of a device, all of them with one: the node that streams it takes the newest
 * frame; of a device that nobody streams, the first node to claim the requests fetches one.
 */
export async function answerFrameRequests(
  context: Pick<Context, 'config' | 'db' | 'sealer'>,
  { deviceId, isStreamed, nodeId, lanes }: FrameAsked,
): Promise<void> {
  const { db } = context;
  if (isStreamed) {
    const ids = await pendingFrameRequests(db, deviceId);
    if (ids.length > 0) await completeFrameRequests(db, ids, await lanes.picture(deviceId));
    return;
  }
  if (grabs >= MOST_GRABS) return;
  grabs += 1;
  try {
    const ids = await claimFrameRequests(db, { deviceId, nodeId });
    if (ids.length > 0) await completeFrameRequests(db, ids, await fetchPicture(context, deviceId, lanes));
  } finally {
    grabs -= 1;
  }
}

async function fetchPicture(
  context: Pick<Context, 'config' | 'db' | 'sealer'>,
  deviceId: string,
  lanes: FrameAsked['lanes'],
): Promise<LanePicture> {
  const sealed = await sealedStream(context.db, deviceId);
  if (sealed === null) return { jpeg: null, fault: null };
  try {
    return await lanes.grab(streamUrl(context, sealed), sealed.streamNetworks);
  } catch (error) {
    if (error instanceof UnusableRun) return { jpeg: null, fault: error.message };
    throw error;
  }
}
