import { ApiError, type ErrorCode } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import {
  isWithinSchedule,
  lastEdge,
  nextEdge,
  type Schedule,
  scheduleSchema,
} from '../../platform/jobs/schedule.ts';
import { type WorkedOff, workOff } from '../../platform/jobs/work-off.ts';
import {
  claimDueDevices,
  type DueDevice,
  runsToStop,
  scenesToStart,
  settleDevice,
} from '../store/schedule.store.ts';
import { startAnalysis } from './start-analysis.ts';
import { stopRuns } from './stop-analysis.ts';

const MINUTE_MS = 60_000;
/** Devices that one program handles at once: hundreds may have an edge at the same time. */
const AT_ONCE = 16;
const PRIORITY = 3;
/** Errors that would stop the other scenes of the device, too. */
const DEVICE_ERRORS: readonly ErrorCode[] = ['DEVICE_OFFLINE', 'NO_COMPUTE_NODE', 'QUOTA_EXCEEDED'];

/**
 * Starts and stops the devices whose schedules are due: at an edge, and each minute within a window, so that a failed
 * start is tried again. A run that somebody started or stopped by hand stays as it is until the next edge.
 */
export function followSchedules(context: Context): Promise<WorkedOff> {
  const { clock, db, logger } = context;
  const now = clock.now();
  const retryAt = new Date(now.getTime() + MINUTE_MS);
  return workOff({
    atOnce: AT_ONCE,
    claim: (limit) => claimDueDevices(db, { now, retryAt, limit }),
    work: async (device) => settleDevice(db, device, retryAt, await follow(context, device, now)),
    failed: (err) => logger.warn({ err }, 'a schedule could not be followed: trying again in a minute'),
  });
}

/** @returns when the schedule is due again; null when the device has none any more */
async function follow(context: Context, device: DueDevice, now: Date): Promise<Date | null> {
  if (device.schedule === null) return null;
  const schedule = scheduleSchema.parse(device.schedule);
  const edge = lastEdge(schedule, now.getTime());
  if (isWithinSchedule(schedule, now.getTime())) await startScenes(context, device, new Date(edge ?? 0));
  else await stopScenes(context, device, edge === null ? null : new Date(edge));
  return whenNext(schedule, now.getTime());
}

function whenNext(schedule: Schedule, nowMs: number): Date | null {
  const edge = nextEdge(schedule, nowMs);
  const minute = isWithinSchedule(schedule, nowMs) ? (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS : null;
  const next = minute === null || (edge !== null && edge < minute) ? edge : minute;
  return next === null ? null : new Date(next);
}

async function startScenes(
  context: Context,
  { id: deviceId, userId }: DueDevice,
  since: Date,
): Promise<void> {
  for (const { id: sceneId } of await scenesToStart(context.db, deviceId, since)) {
    try {
      await startAnalysis(context, { userId, deviceId, sceneId, priority: PRIORITY, startedBy: 'schedule' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      context.logger.info(
        { deviceId, sceneId, why: error.message },
        'a scheduled start failed: trying again in a minute',
      );
      if (DEVICE_ERRORS.includes(error.code)) return;
    }
  }
}

async function stopScenes({ db }: Context, { id: deviceId }: DueDevice, edge: Date | null): Promise<void> {
  const ids = await runsToStop(db, deviceId, edge);
  if (ids.length > 0) await stopRuns(db, { deviceId, ids }, { reason: 'scheduled', drain: false });
}
