import { isDeepStrictEqual } from 'node:util';
import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { recordGroups } from '../../audit/record-groups.ts';
import { ApiError, notFound, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Context } from '../../platform/context.ts';
import type { Prisma } from '../../platform/prisma-client/client.ts';
import type { Container } from '../../video/recording/container.ts';
import { isActive } from '../store/states.ts';
import { findLatestRuns } from '../store/task.store.ts';
import { readFacts } from './read-recording.ts';
import {
  findRecording,
  lockRecording,
  type RecordingRow,
  updateRecording,
  type VideoFacts,
} from './recording.store.ts';
import type { PatchRecording } from './schema.ts';
import { requirePast } from './upload-recording.ts';

/**
 * Changes a recording. Its time stays once an analysis was started, because the times of everything that it stores come from it;
 * its rotation and its chosen video stay while it is analysed.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, UNREADABLE_VIDEO, SERVICE_UNAVAILABLE, IMMUTABLE_FIELD
 */
export async function changeRecording(
  context: Pick<Context, 'clock' | 'config' | 'db' | 'images' | 'shared'>,
  { userId, id }: { userId: string; id: string },
  body: PatchRecording,
  { by, signal }: { readonly by: Actor; readonly signal: AbortSignal },
): Promise<RecordingRow> {
  const { db, clock } = context;
  const before = orNotFound(await findRecording(db, userId, id), 'Recording');
  const { videoTrack, ...others } = body;
  const { recordedAt, rotation } = others;
  if (recordedAt) requirePast(recordedAt, clock.now());
  const isOther = videoTrack !== undefined && videoTrack !== before.videoTrack;
  const facts = isOther ? await factsOf(context, { before, videoTrack }, signal) : undefined;
  return db.$transaction(async (tx) => {
    if (!(await lockRecording(tx, before))) throw notFound('Recording');
    const [run] = await findLatestRuns(tx, { userId, deviceIds: [before.deviceId] });
    if (run && recordedAt && recordedAt.getTime() !== before.recordedAt.getTime()) throw wasAnalysed();
    const turns = rotation !== undefined && rotation !== before.device.rotation;
    if (run && isActive(run)) {
      if (turns) throw isAnalysed('rotation');
      if (facts) throw isAnalysed('videoTrack');
    }
    const changes = { ...changesOf(others), ...(facts && { facts }) };
    const after = orNotFound(await updateRecording(tx, { userId, id }, changes), 'Recording');
    const target = { kind: 'recording', id };
    const note = { userId, actor: by, target, at: clock.now() };
    await recordGroups(tx, [before.device, after.device], note);
    if (!isDeepStrictEqual(before.device.privacyMask, after.device.privacyMask)) {
      const details = { polygons: body.privacyMask?.length ?? 0 };
      await recordAudit(tx, { ...note, action: 'masks_changed', details });
    }
    return after;
  });
}

/** What another video of the file says of itself, which has pictures. */
async function factsOf(
  context: Pick<Context, 'config' | 'images' | 'shared'>,
  { before: { objectKey, format }, videoTrack }: { before: RecordingRow; videoTrack: number },
  signal: AbortSignal,
): Promise<VideoFacts> {
  const container = format as Container;
  const { videoTracks: _, ...facts } = await readFacts(context, { objectKey, container, videoTrack }, signal);
  return facts;
}

const changesOf = ({ privacyMask, ...rest }: Omit<PatchRecording, 'videoTrack'>) =>
  definedFields({ ...rest, privacyMask: privacyMask as Prisma.InputJsonArray | undefined });

function isAnalysed(path: 'rotation' | 'videoTrack'): ApiError {
  const message =
    'cannot be changed while the recording is analysed: cancel the analysis, or wait for its end';
  return new ApiError('IMMUTABLE_FIELD', `${path} ${message}`, [{ path, message }]);
}

function wasAnalysed(): ApiError {
  const message =
    'cannot be changed after an analysis was started: send it with POST /recordings/{id}/analysis, which analyses the recording again';
  return new ApiError('IMMUTABLE_FIELD', `recordedAt ${message}`, [{ path: 'recordedAt', message }]);
}
