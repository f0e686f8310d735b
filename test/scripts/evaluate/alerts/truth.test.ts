import { describe, expect, test } from '@jest/globals';
import {
  scoreRule,
  type TrueRule,
  trueMoments,
  trueVisits,
} from '../../../../scripts/evaluate/alerts/truth.ts';

describe('the true metrics and firings', () => {
  const SECONDS = 400;
  const parameters = { entryThresholdSeconds: 3, exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 };
  const person = (id: number, queue: [number, number], checkout: [number, number][] = []) => ({
    ...{ id, queue: [queue], checkout },
  });
  const visits = trueVisits({
    ...{ seconds: SECONDS, zones: {}, parameters },
    persons: [person(1, [10, 100], [[101, 130]]), person(2, [20, 200]), person(3, [50, 52])],
  });
  const moments = trueMoments(visits, SECONDS);
  const metricAt = (path: string, at: number) =>
    moments.find((moment) => moment.at >= at - 0.01)!.metrics[path];
  const verdict = (fired: number[], rule: Partial<TrueRule> = {}) => {
    const { missed, unfounded, withinCooldown } = scoreRule(
      {
        conditions: [{ metricPath: 'current.inQueue', operator: 'GTE', threshold: 2 }],
        ...{ logicOperator: 'AND', cooldownMinutes: 1, durationSeconds: 0 },
        ...rule,
      },
      fired,
      moments,
    );
    return [missed.map(Math.round), unfounded, withinCooldown];
  };

  test('people count as waiting from the entry threshold to the exit threshold, and their wait starts when they came', () => {
    const waiting = [12.8, 13.2, 22.8, 23.2, 54, 100.8, 101.2, 200.8, 201.2];
    expect(waiting.map((at) => metricAt('current.inQueue', at))).toEqual([0, 1, 1, 2, 2, 2, 1, 1, 0]);
    expect(metricAt('current.maxWaitSeconds', 60)).toBeCloseTo(50);
    expect(metricAt('current.avgWaitSeconds', 60)).toBeCloseTo(45);
    expect(metricAt('current.maxWaitSeconds', 210)).toBeNull();
  });

  test('an outcome counts for five minutes from the moment when it is decided', () => {
    const rate = [130.8, 131.2, 205.8, 206.2].map((at) => metricAt('rolling5Min.abandonmentRate', at));
    expect(rate).toEqual([null, 0, 0, 0.5]);
    expect(metricAt('rolling5Min.abandoned.count', 399)).toBe(1);
    expect(metricAt('rolling5Min.completed.avgWaitSeconds', 140)).toBeCloseTo(91);
  });

  test('a rule must fire when its conditions begin to hold and again after each cooldown', () => {
    expect(verdict([24, 84])).toEqual([[], [], []]);
    expect(verdict([25, 86])).toEqual([[], [], []]);
    expect(verdict([])).toEqual([[23, 85], [], []]);
    expect(verdict([24])).toEqual([[84], [], []]);
    expect(verdict([26, 86])).toEqual([[23], [], []]);
    expect(verdict([20, 80])).toEqual([[], [20], []]);
    expect(verdict([24, 84, 150])).toEqual([[], [150], []]);
    expect(verdict([24, 70, 84])).toEqual([[], [], [70, 84]]);
  });

  test('a rule must fire only after its duration, and not where the conditions held for less time', () => {
    expect(verdict([53], { durationSeconds: 30 })).toEqual([[], [], []]);
    expect(verdict([24], { durationSeconds: 30 })).toEqual([[84], [24], []]);
    expect(verdict([], { durationSeconds: 90 })).toEqual([[], [], []]);
  });
});
