import { eraseAttributes } from '../../attributes/erase.store.ts';
import { requireQuota } from '../../billing/require-quota.ts';
import { mergeConfig } from '../../cameras/scenes/configure-scene.ts';
import { ApiError, notFound, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import { eraseMetrics } from '../../metrics/erase.store.ts';
import { eraseFeet } from '../../metrics/floor/feet/feet.store.ts';
import { eraseFloor } from '../../metrics/floor/floor.store.ts';
import type { Context } from '../../platform/context.ts';
import { asJson } from '../../platform/database/as-json.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { AnalysisTask } from '../../platform/prisma-client/client.ts';
import { alreadyRunning, requireNode } from '../api/start-analysis.ts';
import { queueRunIn } from '../store/queue-run.store.ts';
import { isActive } from '../store/states.ts';
import { findLatestRuns } from '../store/task.store.ts';
import { findRecording, prepareRun, type RecordingRow } from './recording.store.ts';
import type { StartRecording } from './schema.ts';
import { requirePast } from './upload-recording.ts';

export interface StartedRecording {
  readonly recording: RecordingRow;
  readonly task: AnalysisTask;
}

/**
 * Queues the analysis of a recording with its zones and parameters. What an earlier analysis has stored is removed in the same
 * transaction; what was charged for it stays charged.
 * @throws ApiError in this order: NOT_FOUND, VALIDATION_ERROR, ALREADY_RUNNING, QUOTA_EXCEEDED, NO_COMPUTE_NODE
 */
export async function startRecording(
  context: Context,
  { userId, id }: { userId: string; id: string },
  body: StartRecording,
  lastStep?: LastStep<StartedRecording>,
): Promise<StartedRecording> {
  const { db, clock } = context;
  const before = orNotFound(await findRecording(db, userId, id), 'Recording');
  if (body.recordedAt) requirePast(body.recordedAt, clock.now());
  const { deviceId } = before;
  const [last] = await findLatestRuns(db, { userId, deviceIds: [deviceId] });
  if (last && isActive(last)) throw alreadyRunning();
  if (before.device.isDisabled)
    throw new ApiError('QUOTA_EXCEEDED', 'The analysis of this recording is disabled: ask the operator');
  await requireQuota(context, { userId, deviceId }, 'analysis');
  await requireNode(context);
  try {
    return await db.$transaction(
      async (tx) => {
        const started = await queue(tx, before, body);
        await lastStep?.(tx, started);
        return started;
      },
      { timeout: ERASE_MS },
    );
  } catch (error) {
    // Two starts at once: the index of active runs decides.
    if (isUniqueViolation(error)) throw alreadyRunning();
    throw error;
  }
}

/** The earlier analysis of a day may have some ten thousand rows. */
const ERASE_MS = 20_000;

async function queue(tx: Tx, before: RecordingRow, body: StartRecording): Promise<StartedRecording> {
  const { userId, deviceId, sceneId } = before;
  const { zones, parameters, priority, ...changes } = body;
  const { analysisFps, plan, recordedAt } = changes;
  const prepared = await prepareRun(tx, before, {
    ...definedFields({ analysisFps, plan, recordedAt }),
    config: (config) => asJson(mergeConfig({ config }, definedFields({ zones, parameters }))),
  });
  if (!prepared) throw notFound('Recording');
  await eraseMetrics(tx, sceneId);
  await eraseFloor(tx, sceneId);
  await eraseFeet(tx, [sceneId]);
  await eraseAttributes(tx, sceneId);
  const queued = await queueRunIn(tx, {
    userId,
    deviceId,
    sceneId,
    priority,
    startedBy: 'user',
    positionMs: -1,
  });
  if (!queued) throw alreadyRunning();
  return { recording: prepared, task: queued.task };
}
