import type { RunStatus, TaskStatus } from '../platform/prisma-client/client.ts';
import { AnalysisStatus } from '../platform/prisma-client/enums.ts';
import { ACTIVE_ANALYSIS } from '../scenes/schema.ts';

/**
 * The one state machine of a run, and the one place that maps a run to what the specification calls status. A state is
 * kept in three columns of `AnalysisTask`: `status`, `runStatus`, `stopRequestedAt`. `run-state.store.ts` copies what
 * a scene shows of it into the scene's row.
 */
export type RunState = keyof typeof SHOWN;

/** The vocabularies of the specification: task (small letters in the task list), run, and scene `analysisStatus`. */
interface ShownStatus {
  readonly task: TaskStatus;
  readonly run: RunStatus;
  readonly scene: AnalysisStatus;
}

export const SHOWN = {
  /** It waits for a node: it is new, or its node died, ended or lost its lease. */
  queued: { task: 'QUEUED', run: 'initializing', scene: 'starting' },
  /** A node holds it and has not processed a frame of it yet. */
  starting: { task: 'PROCESSING', run: 'initializing', scene: 'starting' },
  running: { task: 'PROCESSING', run: 'running', scene: 'running' },
  /** It was asked to stop before its node processed a frame. */
  stoppingEarly: { task: 'PROCESSING', run: 'initializing', scene: 'stopping' },
  stopping: { task: 'PROCESSING', run: 'running', scene: 'stopping' },
  completed: { task: 'COMPLETED', run: 'stopped', scene: 'stopped' },
  cancelled: { task: 'CANCELLED', run: 'stopped', scene: 'stopped' },
  failed: { task: 'FAILED', run: 'error', scene: 'error' },
} as const satisfies Record<string, ShownStatus>;

/** What a scene without any run shows. */
export const WITHOUT_RUN = 'idle' satisfies AnalysisStatus;

export type RunCommand = 'claim' | 'firstFrame' | 'requeue' | 'askToStop' | 'stop' | 'fail';

/** `MOVES[from][command]`: the state that follows. What is not in the table is refused. */
export const MOVES = {
  queued: { claim: 'starting', stop: 'cancelled' },
  /** `requeue`: the lease lapsed or was handed back. */
  starting: {
    firstFrame: 'running',
    requeue: 'queued',
    askToStop: 'stoppingEarly',
    stop: 'completed',
    fail: 'failed',
  },
  running: { requeue: 'queued', askToStop: 'stopping', stop: 'completed', fail: 'failed' },
  stoppingEarly: { firstFrame: 'stopping', requeue: 'completed', stop: 'completed', fail: 'failed' },
  stopping: { requeue: 'completed', stop: 'completed', fail: 'failed' },
  completed: {},
  cancelled: {},
  failed: {},
} as const satisfies Record<RunState, Partial<Record<RunCommand, RunState>>>;

/** The columns of a run's row that hold its state. */
export interface StateColumns {
  readonly status: TaskStatus;
  readonly runStatus: RunStatus;
  readonly stopRequestedAt: Date | null;
}

/** @returns the state; while no node holds the run its task's status alone says it */
export function stateOf({ status, runStatus, stopRequestedAt }: StateColumns): RunState {
  if (status !== 'PROCESSING') return UNHELD[status];
  const hasFrames = runStatus === 'running';
  if (stopRequestedAt !== null) return hasFrames ? 'stopping' : 'stoppingEarly';
  return hasFrames ? 'running' : 'starting';
}

const UNHELD = {
  QUEUED: 'queued',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
} as const;

export const shownOf = (run: StateColumns): ShownStatus => SHOWN[stateOf(run)];

/** What a scene shows when none of its runs is queued or held: it may be started, changed and deleted. */
export const AT_REST: readonly AnalysisStatus[] = Object.values(AnalysisStatus).filter(
  (status) => !ACTIVE_ANALYSIS.some((active) => active === status),
);

export interface HeldColumns extends StateColumns {
  readonly computeNodeId: string | null;
}

/** The node that works on a run now; null when none does. */
export const workingNodeOf = (run: HeldColumns): string | null =>
  shownOf(run).task === 'PROCESSING' ? run.computeNodeId : null;

/** The node a task names: the one that works on it, or that ended it; null while it waits for one. */
export const namedNodeOf = (run: HeldColumns): string | null =>
  stateOf(run) === 'queued' ? null : run.computeNodeId;
