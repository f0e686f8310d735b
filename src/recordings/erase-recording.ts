import { type Actor, recordAudit } from '../audit/record-audit.ts';
import { notFound, orNotFound } from '../http/errors.ts';
import { checkKnownStorage } from '../images/check-storage.ts';
import type { Context } from '../platform/context.ts';
import type { Recording } from '../platform/prisma-client/client.ts';
import { stopRunsOf } from './cancel-recording.ts';
import { eraseRows, findRecording, findUnerased, markDeleted } from './recording.store.ts';

type EraseContext = Pick<Context, 'clock' | 'db' | 'images' | 'logger'>;

/**
 * Deletes a recording: its file and everything that was derived from it. Only usage stays, with the name of the recording. If the
 * program is killed meanwhile, the job `recording-erasure` goes on.
 * @throws ApiError NOT_FOUND
 */
export async function deleteRecording(
  context: EraseContext,
  { userId, id, by }: { userId: string; id: string; by: Actor },
): Promise<void> {
  const { db, clock } = context;
  const recording = orNotFound(await findRecording(db, userId, id), 'Recording');
  const at = clock.now();
  const { name, recordedAt } = recording;
  const target = { kind: 'recording', id };
  const details = { name, recordedAt: recordedAt.toISOString() };
  const isMarked = await markDeleted(db, recording, at, (tx) =>
    recordAudit(tx, { userId, actor: by, action: 'recording_deleted', target, details, at }),
  );
  if (!isMarked) throw notFound('Recording');
  await erase(context, recording);
}

/** Each step may be repeated. The row goes last, because it knows what is left to do. */
async function erase({ db, images }: EraseContext, recording: Recording): Promise<void> {
  await stopRunsOf(db, recording);
  await images.objects.remove([recording.objectKey]);
  await eraseRows(db, recording.sceneId);
}

/** Whoever deletes a recording takes less time; after it the program counts as dead. */
const GRACE_MS = 60_000;
const AT_ONCE = 20;

/** Finishes deletions whose programs have died, or that failed because the storage could not be reached. */
export async function finishErasures(context: EraseContext): Promise<void> {
  const { db, clock, logger } = context;
  const before = new Date(clock.now().getTime() - GRACE_MS);
  const unerased = await findUnerased(db, before, AT_ONCE);
  // A row must stay while the storage of its file cannot be reached.
  if (unerased.length > 0) await checkKnownStorage(context);
  for (const recording of unerased) {
    await erase(context, recording).catch((error: unknown) =>
      logger.warn(
        { err: error, recordingId: recording.id },
        'a recording could not be erased: trying again in a minute',
      ),
    );
  }
}
