import { type Actor, recordAudit } from '../audit/record-audit.ts';
import { ApiError, invalidField, notFound, orNotFound } from '../http/errors.ts';
import { FileAnswer } from '../http/file-answer.ts';
import type { Context } from '../platform/context.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { cancelJob, type DataJob, findJob, forgetFiles, insertJob, type OwnJob } from './data-job.store.ts';
import type { RangeBody } from './schema.ts';

interface Asked {
  readonly userId: string;
  readonly by: Actor;
}

/** Stores an export or erasure that waits. @throws ApiError INVALID_DATE_RANGE, NOT_FOUND, LIMIT_REACHED */
export async function requestJob(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  { kind, userId, by }: Asked & Pick<OwnJob, 'kind'>,
  { from, to, deviceIds = [] }: RangeBody,
  lastStep: LastStep<DataJob>,
): Promise<DataJob> {
  const now = clock.now();
  if (to > now)
    throw invalidField('to', `must not lie in the future; now is ${now.toISOString()}`, 'INVALID_DATE_RANGE');
  return orNotFound(
    await insertJob(db, { userId, kind, from, to, deviceIds, by, now }, lastStep),
    'Device',
    'deviceIds',
  );
}

/** Cancels an export that waits or runs, or removes its file. @throws ApiError NOT_FOUND */
export async function deleteExport(
  { db, clock, images }: Pick<Context, 'clock' | 'db' | 'images'>,
  { userId, by }: Asked,
  id: string,
): Promise<void> {
  const own = { userId, kind: 'export', id } as const;
  const { objectKey } = orNotFound(await cancelJob(db, own, { by, now: clock.now() }), 'Export');
  if (objectKey === null) return;
  await images.objects.remove([objectKey]);
  await forgetFiles(db, [id]);
}

/** Cancels an erasure that has not begun. @throws ApiError NOT_FOUND, ERASURE_STARTED */
export async function cancelErasure(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  { userId, by }: Asked,
  id: string,
): Promise<void> {
  const own = { userId, kind: 'erasure', id } as const;
  const { status } = orNotFound(await cancelJob(db, own, { by, now: clock.now() }), 'Erasure');
  if (status !== 'cancelled')
    throw new ApiError('ERASURE_STARTED', 'This erasure has begun or is over: it cannot be cancelled');
}

/** The zip file of an export. @throws ApiError NOT_FOUND */
export async function openExport(
  { db, clock, images }: Pick<Context, 'clock' | 'db' | 'images'>,
  { userId, by }: Asked,
  id: string,
): Promise<FileAnswer> {
  const { objectKey, sizeBytes, expiresAt, rangeFrom } = orNotFound(
    await findJob(db, { userId, kind: 'export', id }),
    'Export',
  );
  const now = clock.now();
  const hasFile = objectKey !== null && expiresAt !== null && expiresAt > now;
  const stream = hasFile ? await images.objects.read(objectKey) : null;
  if (!stream) throw notFound('File of the export');
  await db.$transaction((tx) =>
    recordAudit(tx, {
      userId,
      actor: by,
      action: 'export_downloaded',
      target: { kind: 'export', id },
      at: now,
    }),
  );
  return new FileAnswer(stream, {
    sizeBytes: Number(sizeBytes),
    name: `export-${rangeFrom.toISOString().slice(0, 10)}.zip`,
  });
}
