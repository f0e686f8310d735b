import { describe, expect, test } from '@jest/globals';
import { FramePacer } from '../../../src/lanes/host/frame-pacer.ts';
import { fc } from '../../support/property.ts';

/** @returns the times of the frames that are taken */
function taken(timesMs: readonly number[], limitFps: number | null, cameFps = 5): number[] {
  const pacer = new FramePacer();
  return timesMs.filter((timeMs) => pacer.takes(timeMs, { limitFps, cameFps }));
}
const regular = (frames: number, periodMs: number) =>
  Array.from({ length: frames }, (_, index) => 1_000_000 + index * periodMs);
const gaps = (timesMs: readonly number[]) => timesMs.slice(1).map((ms, index) => ms - timesMs[index]!);

describe('FramePacer', () => {
  test.each<[number | null, number[]]>([
    [null, [200, 200, 200, 200, 200, 200, 200, 200]],
    [5, [200, 200, 200, 200, 200, 200, 200, 200]],
    [4, [200, 200, 400, 200, 200, 200]],
    [2.5, [400, 400, 400, 400]],
    [2, [400, 600, 400]],
    [1, [1000]],
  ])('takes evenly spaced frames of five a second with a limit of %p', (limitFps, expected) => {
    expect(gaps(taken(regular(9, 200), limitFps))).toEqual(expected);
  });

  test('takes as many frames as the limit allows, with gaps of the two nearest lengths', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.5, max: 30, noNaN: true }),
        (cameFps, limitFps) => {
          const periodMs = 1000 / cameFps;
          const fps = Math.min(cameFps, limitFps);
          const left = taken(regular(60 * cameFps, periodMs), limitFps, cameFps);
          expect(Math.abs(left.length - 60 * fps)).toBeLessThanOrEqual(1.5);
          for (const gap of gaps(left)) expect(Math.abs(gap - 1000 / fps)).toBeLessThan(periodMs + 1e-3);
        },
      ),
    );
  });

  test('never takes more frames, and hardly fewer, when frames come early and late', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.4, max: 0.4, noNaN: true }), { minLength: 300, maxLength: 300 }),
        fc.double({ min: 1, max: 5, noNaN: true }),
        (late, limitFps) => {
          const times = regular(300, 200).map((ms, index) => ms + late[index]! * 200);
          const left = taken(times, limitFps).length;
          expect(left).toBeLessThanOrEqual(60 * limitFps + 2);
          expect(left).toBeGreaterThan(57 * limitFps - 2);
        },
      ),
    );
  });

  test('takes one frame of a burst, and makes up for nothing after a pause', () => {
    const burst = [0, 1, 2, 3, 4].map((ms) => 1_005_000 + ms);
    expect(taken([...regular(3, 200), ...burst, 1_005_200, 1_005_400, 1_005_600], 2)).toEqual([
      1_000_000, 1_000_400, 1_005_000, 1_005_400,
    ]);
  });

  test('takes all frames as soon as the limit ends', () => {
    const pacer = new FramePacer();
    const takes = (timeMs: number, limitFps: number | null) => pacer.takes(timeMs, { limitFps, cameFps: 5 });
    expect([takes(0, 1), takes(200, 1), takes(400, null), takes(600, null)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect([takes(800, 2.5), takes(1_000, 2.5), takes(1_200, 2.5)]).toEqual([true, false, true]);
  });
});
