import { recordAudit } from '../../../../audit/record-audit.ts';
import { invalidField, orNotFound } from '../../../../http/errors.ts';
import { asJson } from '../../../../platform/database/as-json.ts';
import type { Db } from '../../../../platform/database/db.ts';
import type { LastStep } from '../../../../platform/database/last-step.ts';
import { sceneConfigSchema } from '../../../../vision/scene-config.ts';
import { type CheckRow, findFilmed, insertCheck } from '../check.store.ts';
import { type By, noSecondCheck, type Own, requireRoomForCheck } from '../run-check.ts';
import type { NewTimesCheck } from './times.schema.ts';

/** Pictures of a camera take room until the check is finished. */
const MOST_KEPT_SECONDS = 1_200;
/** A film shorter than this shows nothing. */
const LEAST_SECONDS = 10;

/**
 * Starts a check of times: of a recording at once, of a camera when its film has been kept.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, LIMIT_REACHED when a camera is filmed already, or the scene has too many checks
 */
export async function startTimesCheck(
  db: Db,
  { userId, id: sceneId }: Own,
  { seconds, from, showsPeople }: NewTimesCheck,
  by: By,
  lastStep: LastStep<CheckRow>,
): Promise<CheckRow> {
  const scene = orNotFound(await findFilmed(db, userId, sceneId), 'Scene');
  await requireRoomForCheck(db, sceneId);
  const { recording } = scene;
  if (!recording && seconds > MOST_KEPT_SECONDS)
    throw invalidField('seconds', `must be at most ${MOST_KEPT_SECONDS} for a camera`);
  const left = recording ? Math.floor(recording.durationMs / 1000) - from : seconds;
  if (left < LEAST_SECONDS)
    throw invalidField('from', `must be ${LEAST_SECONDS} s before the end of the recording at least`);
  const filmSeconds = Math.min(seconds, left);
  const startedAt = recording ? new Date(recording.recordedAt.getTime() + from * 1000) : by.at;
  const endsAt = new Date(startedAt.getTime() + filmSeconds * 1000);
  const { zones } = sceneConfigSchema.parse(scene.config);
  const columns = {
    ...{ sceneId, kind: 'times' as const, zones: asJson(zones), filmSeconds, startedAt, endsAt },
    ...{ wantedStills: 0, seed: 0, keepsWrongStills: false, showsPeople },
    ...(recording
      ? {
          ...{ filmFrom: from, status: 'open' as const, endReason: 'complete' as const },
          ...{ collectedAt: by.at, nextAt: null },
        }
      : { nextAt: startedAt }),
  };
  return insertCheck(db, columns, async (tx, row) => {
    await recordAudit(tx, {
      ...{ userId, action: 'check_started', target: { kind: 'scene', id: sceneId }, ...by },
      details: { seconds: filmSeconds, showsPeople },
    });
    await lastStep(tx, row);
  }).catch(noSecondCheck);
}
