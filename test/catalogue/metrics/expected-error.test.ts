import { describe, expect, test } from '@jest/globals';
import { expectedError, whyNoError } from '../../../src/catalogue/metrics/expected-error.ts';
import { LINE_SUMS, type LineSums } from '../../../src/catalogue/metrics/line-features.ts';
import { fc } from '../../support/property.ts';

const HOUR_MS = 3_600_000;
/** Three people who are seen all the time, each for four minutes. */
const SEEN: LineSums = {
  ...{ inQueueMs: 3 * HOUR_MS, coveredMs: HOUR_MS, followedMs: 3 * HOUR_MS, unseenMs: 0 },
  ...{ sureMs: 3 * HOUR_MS, stepsMs: 3_000, arrivals: 45, lost: 0 },
};
const errorOf = expectedError('length');

describe('the expected error', () => {
  test('is small where everybody is seen, and large where people are hidden or lost', () => {
    expect(errorOf(SEEN)).toBeLessThan(15);
    const hidden = { ...SEEN, unseenMs: 1.5 * HOUR_MS, followedMs: 1.5 * HOUR_MS, sureMs: HOUR_MS };
    const broken = { ...hidden, arrivals: 600, lost: 300, stepsMs: HOUR_MS };
    expect(errorOf(broken)).toBeGreaterThan(20);
    expect(errorOf(broken)!).toBeGreaterThan(errorOf(hidden)!);
  });

  test.each([
    ['noFrames', { coveredMs: 0 }],
    ['notRecorded', { followedMs: 0, unseenMs: 0 }],
    ['tooFewPeople', { inQueueMs: 29_000, followedMs: 29_000, sureMs: 29_000 }],
    ['tooFewPeople', { inQueueMs: 0, followedMs: 0, sureMs: 0, arrivals: 0 }],
  ] as const)('is null with the reason %s', (reason, parts) => {
    const sums = { ...SEEN, ...parts };
    expect(whyNoError(sums)).toBe(reason);
    expect(errorOf(sums)).toBeNull();
  });

  test('does not depend on how long the time is', () => {
    const twice = Object.fromEntries(LINE_SUMS.map((name) => [name, 2 * SEEN[name]])) as unknown as LineSums;
    expect(errorOf(twice)).toBeCloseTo(errorOf(SEEN)!, 0);
  });

  test('is from 0 to 100 and within its range, whatever the sums', () => {
    const sum = fc.integer({ min: 0, max: 2 ** 40 });
    const sums = fc.record(Object.fromEntries(LINE_SUMS.map((name) => [name, sum])));
    fc.assert(
      fc.property(sums, (found) => {
        for (const of of ['length', 'wait'] as const) {
          const [low, error, high] = (['low', undefined, 'high'] as const).map((edge) =>
            expectedError(of, edge)(found as unknown as LineSums),
          );
          if (error == null) return;
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(error);
          expect(error).toBeLessThanOrEqual(high!);
          expect(high).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
