/**
 * The allowed moves, as tables `allowed[from][command]`: read by whoever changes a state, by the error that
 * refuses, and by the tests. Anything not in a table is refused.
 */

export type TaskStatus = 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
export type TaskCommand = 'claim' | 'requeue' | 'cancel' | 'stop' | 'fail';

export const TASK_MOVES: Readonly<Record<TaskStatus, Readonly<Partial<Record<TaskCommand, TaskStatus>>>>> = {
  QUEUED: { claim: 'PROCESSING', cancel: 'CANCELLED', stop: 'CANCELLED' },
  /** `requeue`: the lease lapsed or was handed back. */
  PROCESSING: { requeue: 'QUEUED', stop: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
};

export type RunStatus = 'initializing' | 'running' | 'stopped' | 'error';
export type RunCommand = 'firstFrame' | 'stop' | 'fail';

export const RUN_MOVES: Readonly<Record<RunStatus, Readonly<Partial<Record<RunCommand, RunStatus>>>>> = {
  initializing: { firstFrame: 'running', stop: 'stopped', fail: 'error' },
  running: { stop: 'stopped', fail: 'error' },
  stopped: {},
  error: {},
};

export type AnalysisStatus = 'idle' | 'starting' | 'running' | 'stopping' | 'stopped' | 'error';
export type SceneCommand = 'start' | 'firstFrame' | 'requeue' | 'askToStop' | 'stop' | 'fail';

/** A scene's `analysisStatus`: what its newest run is doing. */
export const SCENE_MOVES: Readonly<
  Record<AnalysisStatus, Readonly<Partial<Record<SceneCommand, AnalysisStatus>>>>
> = {
  idle: { start: 'starting' },
  starting: {
    firstFrame: 'running',
    requeue: 'starting',
    askToStop: 'stopping',
    stop: 'stopped',
    fail: 'error',
  },
  running: { requeue: 'starting', askToStop: 'stopping', stop: 'stopped', fail: 'error' },
  stopping: { stop: 'stopped', fail: 'error' },
  stopped: { start: 'starting' },
  error: { start: 'starting' },
};

/**
 * @returns the states from which `command` is allowed: for the WHERE of an update, so that the database holds to the table
 * too
 */
export function statesAllowing<State extends string, Command extends string>(
  moves: Readonly<Record<State, Readonly<Partial<Record<Command, State>>>>>,
  command: Command,
): State[] {
  return (Object.keys(moves) as State[]).filter((state) => moves[state][command] !== undefined);
}

/** @throws Error naming the move that is not allowed */
export function move<State extends string, Command extends string>(
  moves: Readonly<Record<State, Readonly<Partial<Record<Command, State>>>>>,
  from: State,
  command: Command,
): State {
  const to = moves[from][command];
  if (to === undefined) throw new Error(`'${command}' is not allowed while ${from}.`);
  return to;
}
