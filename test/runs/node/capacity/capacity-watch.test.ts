import { describe, expect, test } from '@jest/globals';
import type { ProcessorUse } from '../../../../src/runs/node/capacity/camera-costs.ts';
import {
  type CapacityState,
  CapacityWatch,
  camerasOf,
  firstCapacity,
  isMeasurementDue,
  withCameras,
  withMeasurement,
} from '../../../../src/runs/node/capacity/capacity-watch.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The state of a node with this number of cameras, measured once a minute with these results. */
function measured(rates: readonly number[], cameras = 0): CapacityState {
  const [first = 0, ...others] = rates;
  const start = withCameras(firstCapacity(first, 0), cameras, 0);
  return others.reduce((state, rate, i) => withMeasurement(state, rate, (i + 1) * MINUTE), start);
}

describe('the number of cameras that a node takes', () => {
  test.each([
    ['follows from a single measurement until there is another', [40], 0, 5],
    ['is 1 when the machine is too slow for one camera', [2], 0, 1],
    ['stays at a slow first measurement after one faster measurement of the idle node', [10, 70], 0, 1],
    ['grows after two faster measurements of the idle node', [10, 70, 72], 0, 9],
    ['does not follow a single fast measurement', [40, 90, 41], 0, 5],
    ['does not follow a single slow measurement of the idle node', [70, 72, 10], 0, 9],
    ['shrinks when the idle node stays slow', [70, 72, 10, 10, 11, 10], 0, 1],
    ['does not follow slower measurements with cameras', [70, 30, 30, 30, 30, 30, 30], 4, 9],
    ['follows two faster measurements with cameras', [10, 50, 52], 4, 7],
    ['does not follow a single faster measurement with cameras', [10, 50, 11, 10], 4, 1],
  ])('%s', (_, rates, cameras, expected) => {
    expect(camerasOf(measured(rates, cameras))).toBe(expected);
  });
});

describe('the next measurement is due', () => {
  const settled = measured([70, 71]);
  const withThree = withCameras(settled, 3, 10 * MINUTE);
  test.each([
    ['20 s after the first measurement', firstCapacity(10, 0), 20 * SECOND, true],
    ['not earlier than 20 s after the first measurement', firstCapacity(10, 0), 19 * SECOND, false],
    [
      '20 s after a measurement that differs from the one before',
      measured([10, 70]),
      MINUTE + 20 * SECOND,
      true,
    ],
    ['not within minutes after two measurements that agree', settled, 2 * MINUTE, false],
    ['every 10 minutes while the node is idle', settled, 11 * MINUTE, true],
    ['not earlier than 10 minutes while the node is idle', settled, 11 * MINUTE - 1, false],
    ['10 s after the number of cameras changed', withThree, 10 * MINUTE + 10 * SECOND, true],
    ['not within 10 s after a camera was added', withThree, 10 * MINUTE + 9 * SECOND, false],
    [
      'not again while the cameras stay the same',
      withMeasurement(withThree, 70, 11 * MINUTE),
      600 * MINUTE,
      false,
    ],
    [
      '20 s after the speed of an idle node changed',
      measured([70, 71, 70, 71, 70, 20]),
      5 * MINUTE + 20 * SECOND,
      true,
    ],
    ['at most five times when no two measurements agree', measured([10, 70, 10, 70, 10]), 5 * MINUTE, false],
  ])('%s', (_, state, nowMs, expected) => {
    expect(isMeasurementDue(state, nowMs)).toBe(expected);
  });

  test('does not change while the number of cameras stays the same', () => {
    expect(withCameras(withThree, 3, 20 * MINUTE)).toBe(withThree);
  });
});

/** A watch whose time, load and measurements the test sets. */
function watchFrom(firstRate: number) {
  const world = {
    nowMs: 0,
    cameras: 0,
    rate: firstRate as number | null,
    measured: 0,
    use: null as ProcessorUse | null,
    changes: [] as number[],
  };
  const watch = new CapacityWatch({
    firstRate,
    measure: async () => {
      world.measured++;
      return world.rate;
    },
    cameras: () => world.cameras,
    machine: { cores: 16, lanes: 1, use: () => world.use },
    log: { info: () => undefined },
    now: () => world.nowMs,
  });
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      world.nowMs += SECOND;
      if (await watch.update()) world.changes.push(watch.maxDevices);
    }
  };
  return { world, watch, pass };
}

describe('a node with a slow first measurement', () => {
  test('takes more cameras within a minute of idle time, with one change of its capacity', async () => {
    const { world, watch, pass } = watchFrom(4);
    expect(watch.maxDevices).toBe(1);
    world.rate = 64;
    await pass(60);
    expect(watch.maxDevices).toBe(8);
    expect(world).toMatchObject({ changes: [8], measured: 2 });
  });

  test('takes more cameras although it is never idle', async () => {
    const { world, watch, pass } = watchFrom(4);
    Object.assign(world, { cameras: 1, rate: 50 });
    await pass(60);
    expect(watch.maxDevices).toBe(7);
  });

  test('measures again when a lane was not ready', async () => {
    const { world, watch, pass } = watchFrom(4);
    world.rate = null;
    await pass(30);
    expect(watch.maxDevices).toBe(1);
    world.rate = 64;
    await pass(30);
    expect(watch.maxDevices).toBe(8);
  });
});

describe('what cameras cost', () => {
  /** Cameras that cost this much, in cores, from now on. */
  const cost = (
    world: { nowMs: number; cameras: number; use: ProcessorUse | null },
    lane: number,
    all: number,
  ) => {
    const fromMs = world.nowMs;
    const before = world.use ?? { lanes: 0, all: 0 };
    Object.defineProperty(world, 'use', {
      configurable: true,
      get: () => {
        const used = ((world.nowMs - fromMs) / SECOND) * world.cameras;
        return { lanes: before.lanes + used * lane, all: before.all + used * all };
      },
    });
  };

  test('lowers the capacity as soon as it is known: large pictures are dear to decode', async () => {
    const { world, watch, pass } = watchFrom(200);
    expect(watch.maxDevices).toBe(28);
    world.cameras = 4;
    cost(world, 0.1, 2);
    await pass(60);
    expect(watch.maxDevices).toBe(6);
    expect(watch.cost!.all).toBeCloseTo(2);
  });

  test('raises the capacity only after a day: at night cameras cost nearly nothing', async () => {
    const { world, watch, pass } = watchFrom(64);
    world.cameras = 4;
    cost(world, 0.02, 0.04);
    await pass(3600);
    expect(watch.maxDevices).toBe(8);
    await pass(24 * 3600);
    expect(watch.maxDevices).toBe(42);
  });
});
