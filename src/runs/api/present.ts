import type { z } from 'zod';
import type { AnalysisTask } from '../../platform/prisma-client/client.ts';
import { durationOf } from '../store/duration.ts';
import type { QueuedRun } from '../store/queue-run.store.ts';
import type { ShownRun } from '../store/run-state.store.ts';
import { type RunStats, storedStats } from '../store/run-stats.ts';
import { namedNodeOf, shownOf, workingNodeOf } from '../store/states.ts';
import type { RunCondition } from '../store/waiting/run-conditions.ts';
import type { historyRecord, runStats, startedRun, stoppedRuns } from './schema.ts';
import type { task, taskDetail } from './task.schema.ts';

/** The time from claim to first frame, as long as no node has measured it. */
const USUAL_INIT_MS = 5_000;

const presentRun = (task: AnalysisTask) => ({
  sceneId: task.sceneId,
  deviceId: task.deviceId,
  analysisId: task.id,
  sceneType: task.analysisType,
  status: shownOf(task).run,
});

export const presentStarted = ({ task, initMs }: QueuedRun): z.input<typeof startedRun> => ({
  ...presentRun(task),
  estimatedInitMs: initMs ?? USUAL_INIT_MS,
  createdAt: task.createdAt.toISOString(),
});

type Stopped = z.input<typeof stoppedRuns>;

const presentStoppedRun = (task: AnalysisTask): Stopped['runs'][number] => ({
  ...presentRun(task),
  stoppedAt: (task.completedAt ?? task.updatedAt).toISOString(),
  processingDuration: durationOf(task),
});

/** @param tasks newest first, at least one */
export function presentStopped(tasks: readonly AnalysisTask[]): Stopped {
  const runs = tasks.map(presentStoppedRun);
  return { ...runs[0]!, runs };
}

type Stats = z.input<typeof runStats>;

/** Zeros before the first frame. `fps` is 0 while no node holds the run, and while its camera has a fault. */
export function presentStats(
  run: ShownRun & { readonly stats: unknown },
  { fault }: Pick<RunCondition, 'fault'>,
): Stats {
  const stats = storedStats.parse(run.stats ?? {});
  return {
    processedFrames: stats.processedFrames ?? 0,
    skippedFrames: stats.skippedFrames ?? 0,
    heldFrames: stats.heldFrames ?? 0,
    droppedFrames: stats.droppedFrames ?? 0,
    fps: workingNodeOf(run) === null || fault !== null ? 0 : (stats.fps ?? 0),
    avgProcessingTimeMs: stats.avgProcessingTimeMs ?? 0,
    analysedRegion: stats.analysed?.region ?? null,
    networkSize: stats.analysed?.size ?? null,
    decoding: stats.decoding ?? null,
    ...(stats.staff && { staff: presentStaff(stats.staff) }),
    attributes: stats.attributes ?? null,
  };
}

export const presentStaff = ({
  members,
  ...staff
}: NonNullable<RunStats['staff']>): NonNullable<Stats['staff']> => ({
  ...staff,
  members: members.map(({ decidedAtMs, ...member }) => ({
    ...member,
    decidedAt: decidedAtMs === null ? null : new Date(decidedAtMs).toISOString(),
  })),
});

const timesOf = (row: AnalysisTask) => ({
  computeNodeId: namedNodeOf(row),
  startedAt: row.startedAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
  processingTimeMs: row.processingTimeMs,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
});

/** A run in the history of its device. */
export const presentHistory = (row: AnalysisTask): z.input<typeof historyRecord> => ({
  taskId: row.id,
  analysisType: row.analysisType,
  status: shownOf(row).task,
  ...timesOf(row),
});

/** A run in the list of tasks. */
export const presentTask = (row: AnalysisTask, condition: RunCondition): z.input<typeof task> => ({
  id: row.id,
  deviceId: row.deviceId,
  sceneId: row.sceneId,
  analysisType: row.analysisType,
  status: shownOf(row).task.toLowerCase() as z.input<typeof task>['status'],
  ...condition,
  priority: row.priority,
  reason: row.reasonText ?? row.reason,
  ...timesOf(row),
  updatedAt: row.updatedAt.toISOString(),
});

export const presentTaskDetail = (
  row: AnalysisTask,
  condition: RunCondition,
): z.input<typeof taskDetail> => ({
  ...presentTask(row, condition),
  stats: row.stats === null ? null : presentStats(row, condition),
});
