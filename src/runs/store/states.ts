import { ACTIVE_ANALYSIS } from '../../cameras/scenes/schema.ts';
import type { RunStatus, TaskStatus } from '../../platform/prisma-client/client.ts';
import { AnalysisStatus } from '../../platform/prisma-client/enums.ts';

/**
 * The state machine of a run. Three columns of `AnalysisTask` hold the state: `status`, `runStatus` and
 * `stopRequestedAt`. `run-state.store.ts` copies what a scene shows of it into the scene's row.
 */
export type RunState = keyof typeof SHOWN;

/** A state in the words of the API: of the task, of the run, and of the scene (`analysisStatus`). */
interface ShownStatus {
  readonly task: TaskStatus;
  readonly run: RunStatus;
  readonly scene: AnalysisStatus;
}

export const SHOWN = {
  /** Waits for a node: the run is new, or its node died, ended or lost the lease. */
  queued: { task: 'QUEUED', run: 'initializing', scene: 'starting' },
  /** A node holds the run and has not processed a frame of it yet. */
  starting: { task: 'PROCESSING', run: 'initializing', scene: 'starting' },
  running: { task: 'PROCESSING', run: 'running', scene: 'running' },
  /** A stop was requested before the node processed a frame. */
  stoppingEarly: { task: 'PROCESSING', run: 'initializing', scene: 'stopping' },
  stopping: { task: 'PROCESSING', run: 'running', scene: 'stopping' },
  completed: { task: 'COMPLETED', run: 'stopped', scene: 'stopped' },
  cancelled: { task: 'CANCELLED', run: 'stopped', scene: 'stopped' },
  failed: { task: 'FAILED', run: 'error', scene: 'error' },
} as const satisfies Record<string, ShownStatus>;

/** The status of a scene without any run. */
export const WITHOUT_RUN = 'idle' satisfies AnalysisStatus;

export type RunCommand = 'claim' | 'firstFrame' | 'requeue' | 'requestStop' | 'stop' | 'fail';

/** `MOVES[from][command]` is the next state. A move that is not in the table is refused. */
export const MOVES = {
  queued: { claim: 'starting', stop: 'cancelled' },
  /** `requeue`: the lease lapsed, or its node released it. */
  starting: {
    firstFrame: 'running',
    requeue: 'queued',
    requestStop: 'stoppingEarly',
    stop: 'completed',
    fail: 'failed',
  },
  running: { requeue: 'queued', requestStop: 'stopping', stop: 'completed', fail: 'failed' },
  stoppingEarly: { firstFrame: 'stopping', requeue: 'completed', stop: 'completed', fail: 'failed' },
  stopping: { requeue: 'completed', stop: 'completed', fail: 'failed' },
  completed: {},
  cancelled: {},
  failed: {},
} as const satisfies Record<RunState, Partial<Record<RunCommand, RunState>>>;

/** The statuses of a run that is not over. */
export const ACTIVE_TASKS: readonly TaskStatus[] = [SHOWN.queued.task, SHOWN.running.task];

export const isActive = ({ status }: Pick<StateColumns, 'status'>): boolean => ACTIVE_TASKS.includes(status);

/** The columns of a run's row that hold its state. */
export interface StateColumns {
  readonly status: TaskStatus;
  readonly runStatus: RunStatus;
  readonly stopRequestedAt: Date | null;
}

export function stateOf({ status, runStatus, stopRequestedAt }: StateColumns): RunState {
  if (status !== 'PROCESSING') return WITHOUT_NODE[status];
  const hasFrames = runStatus === 'running';
  if (stopRequestedAt !== null) return hasFrames ? 'stopping' : 'stoppingEarly';
  return hasFrames ? 'running' : 'starting';
}

const WITHOUT_NODE = {
  QUEUED: 'queued',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
} as const;

export const shownOf = (run: StateColumns): ShownStatus => SHOWN[stateOf(run)];

/** Statuses of a scene without a queued or held run: it may be started, changed and deleted. */
export const AT_REST: readonly AnalysisStatus[] = Object.values(AnalysisStatus).filter(
  (status) => !ACTIVE_ANALYSIS.some((active) => active === status),
);

export interface HeldColumns extends StateColumns {
  readonly computeNodeId: string | null;
}

/** The node that holds a run now; null when none does. */
export const workingNodeOf = (run: HeldColumns): string | null =>
  shownOf(run).task === 'PROCESSING' ? run.computeNodeId : null;

/** The node that the API names with a task: the one that holds the run or held it last; null while the run is queued. */
export const namedNodeOf = (run: HeldColumns): string | null =>
  stateOf(run) === 'queued' ? null : run.computeNodeId;
