import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { shopClip } from '../../../../scripts/evaluate/estimate/clips.ts';
import { rankCorrelation } from '../../../../scripts/evaluate/estimate/command.ts';
import { type Example, fitModel, judgeUnseen } from '../../../../scripts/evaluate/estimate/fit.ts';
import { keptClips } from '../../../../scripts/evaluate/estimate/kept-clips.ts';
import { timesRates } from '../../../../scripts/evaluate/simulated/times-rates.ts';
import { errorLogarithm, errorOf } from '../../../../src/catalogue/metrics/expected-error.ts';
import { MOT17_FAULTS } from '../../../../src/simulator/faults/fault-rates.ts';
import { createRandom } from '../../../../src/simulator/random.ts';

const random = createRandom(1);
/** Errors that grow with the share of people who are not seen, and with nothing else. */
const EXAMPLES: Example[] = Array.from({ length: 200 }, (_, at) => {
  const unseen = random.next();
  const inQueueMs = 600_000;
  return {
    group: 'abcd'[at % 4]!,
    sums: {
      ...{ inQueueMs, coveredMs: 300_000, followedMs: inQueueMs, unseenMs: unseen * inQueueMs },
      ...{ sureMs: inQueueMs, stepsMs: random.next() * 1_000, arrivals: 20, lost: 0 },
    },
    errorPercent: Math.exp(1.5 + 2 * unseen) - 3,
  };
});

describe('the fit', () => {
  test('finds what the error grows with, and gives no weight below 0', () => {
    const model = fitModel(EXAMPLES, ['unseen', 'steps']);
    expect(model.weights.unseen?.weight).toBeCloseTo(2, 0);
    expect(model.weights.steps?.weight ?? 0).toBeLessThan(0.1);
    for (const { sums, errorPercent } of EXAMPLES.slice(0, 20))
      expect(Math.abs(errorOf(errorLogarithm(model, sums)) - errorPercent)).toBeLessThan(5);
    const turned = EXAMPLES.map((one) => ({ ...one, errorPercent: 40 - one.errorPercent }));
    expect(fitModel(turned, ['unseen']).weights).toEqual({});
  });

  test('judges each group by a model that has not seen it', () => {
    const odd = EXAMPLES.map((one) => (one.group === 'd' ? { ...one, errorPercent: 90 } : one));
    const judged = judgeUnseen(odd, ['unseen']);
    expect(judged).toHaveLength(EXAMPLES.length);
    const ofOdd = judged.filter(({ example }) => example.group === 'd');
    expect(Math.max(...ofOdd.map(({ expected }) => expected))).toBeLessThan(60);
  });
});

test.each([
  [[1, 2, 3, 4], [10, 20, 30, 400], 1],
  [[1, 2, 3, 4], [4, 3, 2, 1], -1],
  [[1, 1, 1], [1, 2, 3], null],
  [[1, 2], [1, 2], null],
])('the rank correlation of %j and %j is %p', (a, b, expected) => {
  const found = rankCorrelation(a, b);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(expected, 6);
});

test('a simulated shop gives the sums of its signs and its true error, which grow with the faults', () => {
  const settings = { scenario: 'classic', seed: 1, minutes: 3, fps: 3 } as const;
  const [well, badly] = [
    shopClip({ ...settings, detections: 'perfect' }, 1),
    shopClip({ ...settings, detections: 'pets' }, 2),
  ];
  expect(well.lengths.peopleError).toBeLessThan(badly.lengths.peopleError);
  expect(well.sums.coveredMs).toBeGreaterThan(170_000);
  expect(well.sums.stepsMs).toBeLessThan(badly.sums.stepsMs);
  expect(well.sums.followedMs + well.sums.unseenMs).toBeGreaterThan(0.9 * well.sums.inQueueMs);
});

test('faults are so many times as frequent, and stay probabilities', () => {
  const worst = timesRates(MOT17_FAULTS, 100);
  expect(timesRates(MOT17_FAULTS, 1)).toEqual(MOT17_FAULTS);
  expect(timesRates(MOT17_FAULTS, 2).falseBoxes).toBe(2 * MOT17_FAULTS.falseBoxes);
  for (const { values } of worst.found.values)
    for (const { missed, unsure } of values) expect(missed + unsure).toBeLessThanOrEqual(1);
});

test('clips are kept when all are made, and those of other settings are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clips-'));
  const path = join(folder, 'clips.jsonl');
  const [settings, clips] = [{ seeds: [1] }, [{ group: 'a' }, { group: 'b' }] as never[]];
  const stopped = () => Promise.reject(new Error('stopped'));
  try {
    await expect(keptClips(path, settings, stopped)).rejects.toThrow('stopped');
    expect(existsSync(path)).toBe(false);
    expect(await keptClips(path, settings, async () => clips)).toEqual(clips);
    expect(await keptClips(path, settings, stopped)).toEqual(clips);
    await expect(keptClips(path, { seeds: [2] }, stopped)).rejects.toThrow('other settings');
  } finally {
    await rm(folder, { recursive: true });
  }
});
