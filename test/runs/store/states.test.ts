import { describe, expect, test } from '@jest/globals';
import {
  AT_REST,
  MOVES,
  namedNodeOf,
  type RunCommand,
  type RunState,
  SHOWN,
  type StateColumns,
  shownOf,
  stateOf,
  workingNodeOf,
} from '../../../src/runs/store/states.ts';

const TASK = ['QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
const RUN = ['initializing', 'running', 'stopped', 'error'] as const;
const COMMANDS = ['claim', 'firstFrame', 'requeue', 'requestStop', 'stop', 'fail'] as const;
const STATES = Object.keys(SHOWN) as RunState[];
const next = (from: RunState, command: RunCommand): RunState | undefined =>
  (MOVES[from] as Partial<Record<RunCommand, RunState>>)[command];

/** Every combination of the columns, also those that no function writes. */
const ROWS: StateColumns[] = TASK.flatMap((status) =>
  RUN.flatMap((runStatus) =>
    [null, new Date(0)].map((stopRequestedAt) => ({ status, runStatus, stopRequestedAt })),
  ),
);
const nameOf = ({ status, runStatus, stopRequestedAt }: StateColumns) =>
  `${status}, ${runStatus}${stopRequestedAt ? ', asked to stop' : ''}`;

describe('the statuses that the API shows for a row of a run', () => {
  test.each(ROWS.map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
    const { status, runStatus, stopRequestedAt } = row;
    const hasFrames = runStatus === 'running';
    const expected = {
      QUEUED: { task: 'QUEUED', run: 'initializing', scene: 'starting' },
      PROCESSING: {
        task: 'PROCESSING',
        run: hasFrames ? 'running' : 'initializing',
        scene: stopRequestedAt ? 'stopping' : hasFrames ? 'running' : 'starting',
      },
      COMPLETED: { task: 'COMPLETED', run: 'stopped', scene: 'stopped' },
      FAILED: { task: 'FAILED', run: 'error', scene: 'error' },
      CANCELLED: { task: 'CANCELLED', run: 'stopped', scene: 'stopped' },
    }[status];
    expect(shownOf(row)).toEqual(expected);
  });

  test('stateOf reads the columns of each state back as that state', () => {
    for (const state of STATES) {
      const stopRequestedAt = state.startsWith('stopping') ? new Date(0) : null;
      const { task: status, run: runStatus } = SHOWN[state];
      expect(stateOf({ status, runStatus, stopRequestedAt })).toBe(state);
    }
  });

  test('workingNodeOf names the node only while the task is processing, namedNodeOf also afterwards', () => {
    const ofNode = ({ status }: { status: (typeof TASK)[number] }) => {
      const row = { status, runStatus: 'running', stopRequestedAt: null, computeNodeId: 'node' } as const;
      return [workingNodeOf(row), namedNodeOf(row)];
    };
    expect(Object.fromEntries(TASK.map((status) => [status, ofNode({ status })]))).toEqual({
      QUEUED: [null, null],
      PROCESSING: ['node', 'node'],
      COMPLETED: [null, 'node'],
      FAILED: [null, 'node'],
      CANCELLED: [null, 'node'],
    });
  });
});

describe('the table of moves', () => {
  test.each([
    ['queued', { claim: 'starting', stop: 'cancelled' }],
    [
      'starting',
      {
        firstFrame: 'running',
        requeue: 'queued',
        requestStop: 'stoppingEarly',
        stop: 'completed',
        fail: 'failed',
      },
    ],
    ['running', { requeue: 'queued', requestStop: 'stopping', stop: 'completed', fail: 'failed' }],
    ['stoppingEarly', { firstFrame: 'stopping', requeue: 'completed', stop: 'completed', fail: 'failed' }],
    ['stopping', { requeue: 'completed', stop: 'completed', fail: 'failed' }],
    ['completed', {}],
    ['cancelled', {}],
    ['failed', {}],
  ] as const)('from %s', (from, moves) => {
    expect(MOVES[from]).toEqual(moves);
  });

  test('every state can be reached, and a run can end from every active state', () => {
    const reached = new Set<RunState>(['queued']);
    for (const from of reached) {
      for (const command of COMMANDS) {
        const to = next(from, command);
        if (to) reached.add(to);
      }
    }
    expect([...reached].sort()).toEqual([...STATES].sort());
    for (const state of STATES) {
      if (SHOWN[state].task === 'QUEUED' || SHOWN[state].task === 'PROCESSING')
        expect(next(state, 'stop')).toBeDefined();
    }
  });

  test('stop, fail and requeue lead from every state that a node holds to the same columns', () => {
    // The statements that end or queue a run do not read its state first.
    for (const state of ['starting', 'running', 'stoppingEarly', 'stopping'] as const) {
      expect([next(state, 'stop'), next(state, 'fail')]).toEqual(['completed', 'failed']);
      expect(next(state, 'requeue')).toBe(state.startsWith('stopping') ? 'completed' : 'queued');
    }
  });

  test('a scene is at rest when all its runs have ended, and without a run', () => {
    const ended = STATES.filter((state) => Object.keys(MOVES[state]).length === 0);
    const shown = [...new Set<string>([...ended.map((state) => SHOWN[state].scene), 'idle'])];
    expect([...AT_REST].sort()).toEqual(shown.sort());
  });
});
