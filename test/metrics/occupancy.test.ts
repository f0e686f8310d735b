import { expect, test } from '@jest/globals';
import { Occupancy } from '../../src/metrics/occupancy.ts';

const SECOND_MS = 1000;
const TILLS = { serving: 1, free: 2, isWaitedWithFree: true };

test('a window that is summed every second is the window that was never summed before, also where earlier seconds change', () => {
  const [watched, fresh] = [new Occupancy(), new Occupancy()];
  for (let second = 0; second < 4_000; second += 1) {
    const [fromMs, toMs] = [second * SECOND_MS, (second + 1) * SECOND_MS];
    for (const occupancy of [watched, fresh]) {
      // Half a minute in ten is a gap.
      if (second % 600 < 570)
        occupancy.hold({ inQueue: second % 7, inService: second % 3, signs: undefined }, fromMs, toMs);
      const lateMs = (second - 130) * SECOND_MS;
      if (second % 97 === 0 && lateMs > 0) occupancy.settle({ timeMs: lateMs, ...TILLS });
    }
    watched.sum(toMs - 3_600_000, toMs);
  }
  for (const fromMs of [400_000, 400_500, 3_100_000, 3_960_000])
    expect(watched.sum(fromMs, 4_000_000)).toEqual(fresh.sum(fromMs, 4_000_000));
});
