import { type Actor, recordAudit, SYSTEM } from '../../audit/record-audit.ts';
import { notFound, orNotFound } from '../../http/errors.ts';
import { checkKnownStorage } from '../../images/check-storage.ts';
import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import type { Recording } from '../../platform/prisma-client/client.ts';
import { stopRunsOf } from './cancel-recording.ts';
import {
  eraseRows,
  findRecording,
  findUnerased,
  findUploadedBefore,
  markDeleted,
} from './recording.store.ts';

const AT_ONCE = 20;

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
  const recording = orNotFound(await findRecording(context.db, userId, id), 'Recording');
  if (!(await mark(context, recording, by))) throw notFound('Recording');
  await erase(context, recording);
}

/** @returns false when it was deleted meanwhile */
function mark({ db, clock }: EraseContext, recording: Recording, actor: Actor): Promise<boolean> {
  const at = clock.now();
  const { id, userId } = recording;
  const { name, recordedAt } = recording;
  const target = { kind: 'recording', id };
  const details = { name, recordedAt: recordedAt.toISOString() };
  return markDeleted(db, recording, at, (tx) =>
    recordAudit(tx, { userId, actor, action: 'recording_deleted', target, details, at }),
  );
}

/** Each step may be repeated. The row goes last, because it knows what is left to do. */
async function erase({ db, images }: EraseContext, recording: Recording): Promise<void> {
  await stopRunsOf(db, recording);
  await images.objects.remove([recording.objectKey]);
  await eraseRows(db, recording.sceneId);
}

/** Deletes recordings that were uploaded RECORDING_RETENTION_DAYS ago. `finishErasures` erases them a minute later. */
export async function deleteOldRecordings(context: EraseContext & Pick<Context, 'config'>): Promise<void> {
  const { config, db, clock } = context;
  if (config.recordingRetentionDays === undefined) return;
  const before = daysBefore(clock.now(), config.recordingRetentionDays);
  for (const recording of await findUploadedBefore(db, before, AT_ONCE))
    await mark(context, recording, SYSTEM);
}

/** Whoever deletes a recording takes less time; after it the program counts as dead. */
const GRACE_MS = 60_000;

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
