import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  type CostState,
  camerasAt,
  costOf,
  isWholeDay,
  UNKNOWN_COSTS,
  withUse,
} from '../../../../src/runs/node/capacity/camera-costs.ts';
import { processorUse } from '../../../../src/runs/node/capacity/processor-use.ts';
import { testWhere } from '../../../support/installed.ts';

const HOUR = 3_600_000;

/** The state after each second from one time to another, with cameras that cost this much, in cores. */
function watched(
  state: CostState,
  [fromMs, toMs]: readonly [number, number],
  { cameras, lane, all }: { cameras: number; lane: number; all: number },
): CostState {
  let now = state;
  for (let ms = fromMs; ms <= toMs; ms += 1_000) {
    const ofOne = (ms / 1000) * cameras;
    now = withUse(now, cameras, { lanes: ofOne * lane, all: ofOne * all }, ms);
  }
  return now;
}

describe('what a camera costs', () => {
  test('is measured over 30 s, from 10 s after the number of cameras changed', () => {
    const cameras = { cameras: 4, lane: 0.1, all: 0.25 };
    expect(costOf(watched(UNKNOWN_COSTS, [0, 39_000], cameras))).toBeNull();
    const measured = costOf(watched(UNKNOWN_COSTS, [0, 41_000], cameras))!;
    expect(measured.lane).toBeCloseTo(0.1);
    expect(measured.all).toBeCloseTo(0.25);
  });

  test('is not known without cameras, and not while their number changes', () => {
    expect(costOf(watched(UNKNOWN_COSTS, [0, HOUR], { cameras: 0, lane: 0, all: 0.1 }))).toBeNull();
    let state = UNKNOWN_COSTS;
    for (let second = 0; second < 200; second++)
      state = withUse(
        state,
        1 + (Math.floor(second / 20) % 2),
        { lanes: second, all: second },
        second * 1000,
      );
    expect(costOf(state)).toBeNull();
  });

  test('is measured anew when a lane was replaced, whose time is gone', () => {
    const before = watched(UNKNOWN_COSTS, [0, 30_000], { cameras: 2, lane: 0.4, all: 0.5 });
    const replaced = watched(before, [31_000, 80_000], { cameras: 2, lane: 0.1, all: 0.2 });
    expect(costOf(replaced)!.all).toBeCloseTo(0.2);
  });

  test('is that of the dearest hour of the last day', () => {
    const night = { cameras: 2, lane: 0.02, all: 0.05 };
    const noon = { cameras: 2, lane: 0.1, all: 0.3 };
    let state = watched(UNKNOWN_COSTS, [0, 2 * HOUR], noon);
    // The counters go on from where they were: a lower rate would look like a replaced lane.
    state = watched({ ...state, first: null }, [2 * HOUR, 10 * HOUR], night);
    expect(costOf(state)!.all).toBeCloseTo(0.3);
    expect(isWholeDay(state, 10 * HOUR)).toBe(false);
    state = watched({ ...state, first: null }, [20 * HOUR, 28 * HOUR], night);
    expect(costOf(state)!.all).toBeCloseTo(0.05);
    expect(isWholeDay(state, 28 * HOUR)).toBe(true);
  });
});

test.each([
  ['large pictures: the processor is full first', { lane: 0.12, all: 0.36 }, { cores: 2, lanes: 1 }, 4],
  ['small pictures: the lane is full first', { lane: 0.1, all: 0.16 }, { cores: 2, lanes: 1 }, 8],
  ['small regions and small pictures', { lane: 0.03, all: 0.07 }, { cores: 2, lanes: 1 }, 24],
  ['a camera that is too much for the machine', { lane: 2, all: 3 }, { cores: 2, lanes: 1 }, 1],
])('%s', (_, cost, machine, cameras) => {
  expect(camerasAt(cost, machine)).toBe(cameras);
});

describe('the CPU time of a lane and its children', () => {
  const testOnLinux = testWhere(process.platform === 'linux');
  /** A process that starts a busy child, as a lane starts its ffmpegs. */
  const busyParent = (): ChildProcess =>
    spawn(process.execPath, [
      '-e',
      `const { spawn } = require('node:child_process');
       const child = spawn(process.execPath, ['-e', 'for (;;);']);
       process.on('SIGTERM', () => { child.kill('SIGKILL'); process.exit(0); });
       setInterval(() => {}, 1000);`,
    ]);

  testOnLinux('includes that of its ffmpegs, and only grows', async () => {
    const parent = busyParent();
    try {
      let use = processorUse([parent.pid!])!;
      // Its child alone uses so much: until then this waits, however slow the machine is.
      while (use.decoders < 0.2) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const next = processorUse([parent.pid!])!;
        expect(next.all).toBeGreaterThanOrEqual(use.all);
        use = next;
      }
      expect(use.all).toBeGreaterThanOrEqual(use.lanes + use.decoders);
    } finally {
      parent.kill('SIGTERM');
    }
  });

  testOnLinux('is unknown for a process that has ended', () => {
    expect(processorUse([2 ** 22 + 1])).toBeNull();
    expect(processorUse([])!.lanes).toBe(0);
  });
});
