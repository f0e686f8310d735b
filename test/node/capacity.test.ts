import { describe, expect, test } from '@jest/globals';
import {
  type CapacityState,
  camerasOf,
  firstCapacity,
  isMeasurementDue,
  withCameras,
  withMeasurement,
} from '../../src/node/capacity.ts';
import { CapacityWatch } from '../../src/node/capacity-watch.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A node whose first measurement was `rates[0]`, then measured a minute apart with so many cameras. */
function measured(rates: readonly number[], cameras = 0): CapacityState {
  const [first = 0, ...others] = rates;
  const start = withCameras(firstCapacity(first, 0), cameras, 0);
  return others.reduce((state, rate, i) => withMeasurement(state, rate, (i + 1) * MINUTE), start);
}

describe('how many cameras a node takes', () => {
  test.each([
    ['one measurement is believed until there is another', [40], 0, 5],
    ['a machine too slow for one camera takes one', [2], 0, 1],
    ['a busy start counts until two faster measurements of the idle node', [10, 70], 0, 1],
    ['two faster measurements of the idle node outweigh a busy start', [10, 70, 72], 0, 9],
    ['one lucky measurement does not count', [40, 90, 41], 0, 5],
    ['one slow measurement of the idle node does not count', [70, 72, 10], 0, 9],
    ['a machine that stays slow while the node is idle takes fewer cameras', [70, 72, 10, 10, 11, 10], 0, 1],
    ['slower measurements beside cameras do not count', [70, 30, 30, 30, 30, 30, 30], 4, 9],
    ['two faster measurements beside cameras count', [10, 50, 52], 4, 7],
    ['one faster measurement beside cameras does not count', [10, 50, 11, 10], 4, 1],
  ])('%s', (_, rates, cameras, expected) => {
    expect(camerasOf(measured(rates, cameras))).toBe(expected);
  });
});

describe('a measurement is due', () => {
  const settled = measured([70, 71]);
  const withThree = withCameras(settled, 3, 10 * MINUTE);
  test.each([
    ['20 s after the first one', firstCapacity(10, 0), 20 * SECOND, true],
    ['not sooner', firstCapacity(10, 0), 19 * SECOND, false],
    ['20 s after one that differs from the one before', measured([10, 70]), MINUTE + 20 * SECOND, true],
    ['not soon after two that agree', settled, 2 * MINUTE, false],
    ['every 10 minutes while the node is idle', settled, 11 * MINUTE, true],
    ['not before 10 minutes while the node is idle', settled, 11 * MINUTE - 1, false],
    ['10 s after the number of cameras changed', withThree, 10 * MINUTE + 10 * SECOND, true],
    ['not while cameras are still being added', withThree, 10 * MINUTE + 9 * SECOND, false],
    [
      'not again and again beside the same cameras',
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
    ['only five times where no two agree', measured([10, 70, 10, 70, 10]), 5 * MINUTE, false],
  ])('%s', (_, state, nowMs, expected) => {
    expect(isMeasurementDue(state, nowMs)).toBe(expected);
  });

  test('the same number of cameras is no change', () => {
    expect(withCameras(withThree, 3, 20 * MINUTE)).toBe(withThree);
  });
});

/** A watch whose time and load the test moves, and what it said. */
function watchFrom(firstRate: number) {
  const world = {
    nowMs: 0,
    cameras: 0,
    rate: firstRate as number | null,
    measured: 0,
    changes: [] as number[],
  };
  const watch = new CapacityWatch({
    firstRate,
    measure: async () => {
      world.measured++;
      return world.rate;
    },
    cameras: () => world.cameras,
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

describe('a node that measured itself at a busy moment', () => {
  test('takes more cameras within a minute once it is idle, and says so once', async () => {
    const { world, watch, pass } = watchFrom(4);
    expect(watch.maxDevices).toBe(1);
    world.rate = 64;
    await pass(60);
    expect(watch.maxDevices).toBe(8);
    expect(world).toMatchObject({ changes: [8], measured: 2 });
  });

  test('takes more cameras although it never becomes idle', async () => {
    const { world, watch, pass } = watchFrom(4);
    Object.assign(world, { cameras: 1, rate: 50 });
    await pass(60);
    expect(watch.maxDevices).toBe(7);
  });

  test('asks again when not all lanes were ready', async () => {
    const { world, watch, pass } = watchFrom(4);
    world.rate = null;
    await pass(30);
    expect(watch.maxDevices).toBe(1);
    world.rate = 64;
    await pass(30);
    expect(watch.maxDevices).toBe(8);
  });
});
