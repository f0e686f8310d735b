import { orNotFound } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Recording } from '../../platform/prisma-client/client.ts';
import { stopRuns } from '../api/stop-analysis.ts';
import { findActiveRuns } from '../store/stop-runs.store.ts';
import { findRecording } from './recording.store.ts';

/** Stops the analysis of a recording and waits until it has stopped. What it has stored stays. @throws ApiError NOT_FOUND */
export async function cancelRecording(db: Db, { userId, id }: { userId: string; id: string }): Promise<void> {
  await stopRunsOf(db, orNotFound(await findRecording(db, userId, id), 'Recording'));
}

/** Stops what is queued or runs of a recording, within five seconds. */
export async function stopRunsOf(
  db: Db,
  { userId, deviceId }: Pick<Recording, 'deviceId' | 'userId'>,
): Promise<void> {
  const ids = (await findActiveRuns(db, { userId, deviceId })).map((run) => run.id);
  if (ids.length > 0) await stopRuns(db, { deviceId, ids }, { reason: 'user_request', drain: false });
}
