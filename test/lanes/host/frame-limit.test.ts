import { describe, expect, test } from '@jest/globals';
import {
  type FrameLimit,
  type LaneSample,
  levelOf,
  withLaneSample,
} from '../../../src/lanes/host/frame-limit.ts';
import { fc } from '../../support/property.ts';
import { simulateLane } from './simulated-lane.ts';

describe('frames are shared out evenly', () => {
  test.each<[number[], number, number | null]>([
    [[5, 5, 5, 5], 12, 3],
    [[5, 5], 10, null],
    [[5, 5], 9, 4.5],
    [[25, 5, 5], 20, 10],
    [[2, 5, 5], 9, 3.5],
    [[30], 3, 3],
    [[], 0, null],
    [[5, 5], Number.POSITIVE_INFINITY, null],
  ])('%j frames a second, %d for all together: at most %p for each', (rates, total, level) => {
    expect(levelOf(rates, total)).toBe(level);
  });

  test('levelOf gives away all frames, and no camera gets more than the level', () => {
    const rates = fc.array(fc.double({ min: 0.1, max: 30, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rates, fc.double({ min: 0.1, max: 400, noNaN: true }), (came, total) => {
        const level = levelOf(came, total);
        const given = came.reduce((sum, rate) => sum + Math.min(rate, level ?? rate), 0);
        if (level === null) expect(given).toBeLessThanOrEqual(total + 1e-6);
        else expect(given).toBeCloseTo(total, 6);
      }),
    );
  });
});

/** The limit after five seconds of two cameras, which send 10 frames a second each unless `came` says otherwise. */
function limitAfter(
  fps: number | null,
  { busyShare, analysed, came = 50 }: { busyShare: number; analysed: number; came?: number },
  minFps = 2,
): number | null {
  const sample = (atMs: number, share: number): LaneSample => ({
    atMs,
    busyMs: share * 5_000,
    cameras: ['a', 'b'].map((deviceId) => ({
      deviceId,
      analysed: atMs === 0 ? 0 : analysed,
      came: atMs === 0 ? 0 : came,
    })),
  });
  const first = sample(0, 0);
  const begun: FrameLimit = { fps, first, lastMs: 4_000 };
  return withLaneSample(begun, sample(5_000, busyShare), minFps).fps;
}

describe('the limit follows the busy share of the lane', () => {
  test.each<[string, number | null, Parameters<typeof limitAfter>[1], number | null]>([
    ['all fits', null, { busyShare: 0.7, analysed: 50 }, null],
    ['all fits, barely', null, { busyShare: 0.94, analysed: 50 }, null],
    ['half fits', null, { busyShare: 1, analysed: 25 }, 4.5],
    ['a tenth fits: the lowest limit', null, { busyShare: 1, analysed: 5 }, 2],
    ['limited, and at the target share', 4.5, { busyShare: 0.9, analysed: 22.5 }, 4.5],
    ['limited, and still too busy', 4.5, { busyShare: 1, analysed: 20 }, 3.6],
    ['limited, with some time to spare', 4.5, { busyShare: 0.75, analysed: 22.5 }, 5.4],
    ['limited, with time for everything', 4.5, { busyShare: 0.3, analysed: 22.5 }, null],
    ['limited, and no frame comes', 4.5, { busyShare: 0, analysed: 0, came: 0 }, null],
    ['at the lowest limit, and still too busy', 2, { busyShare: 1, analysed: 4 }, 2],
    ['limited, no frame analysed, and a turn that never ends', 4.5, { busyShare: 1, analysed: 0 }, 4.5],
    ['limited, and frames are missing for another reason', 4.5, { busyShare: 0.5, analysed: 5 }, 4.5],
  ])('%s', (_, before, seen, expected) => {
    const fps = limitAfter(before, seen);
    if (expected === null) expect(fps).toBeNull();
    else expect(fps).toBeCloseTo(expected, 6);
  });

  test('there is no limit when no camera sends more frames than the lowest limit', () => {
    expect(limitAfter(null, { busyShare: 1, analysed: 25 }, 10)).toBeNull();
    expect(limitAfter(null, { busyShare: 1, analysed: 25 }, 6)).toBe(6);
  });

  test('a camera whose pictures cannot be analysed gets no share', () => {
    const cameras = (analysed: number, came: number) => [
      { deviceId: 'a', analysed, came },
      { deviceId: 'blank', analysed: 0, came },
    ];
    const first = { atMs: 0, busyMs: 0, cameras: cameras(0, 0) };
    const last = { atMs: 5_000, busyMs: 5_000, cameras: cameras(20, 50) };
    expect(withLaneSample({ fps: null, first, lastMs: 4_000 }, last, 2).fps).toBeCloseTo(3.6, 6);
  });
});

describe('measuring starts again and the limit stays', () => {
  const camera = (deviceId: string, came: number) => ({ deviceId, analysed: came, came });
  const begun: FrameLimit = {
    fps: 3,
    first: { atMs: 0, busyMs: 0, cameras: [camera('a', 10)] },
    lastMs: 4_000,
  };
  test.each<[string, LaneSample]>([
    ['with another camera', { atMs: 5_000, busyMs: 0, cameras: [camera('a', 20), camera('b', 1)] }],
    ['with a camera in the place of another', { atMs: 5_000, busyMs: 0, cameras: [camera('b', 20)] }],
    ['without a camera', { atMs: 5_000, busyMs: 0, cameras: [] }],
    ['with a camera that was opened again', { atMs: 5_000, busyMs: 0, cameras: [camera('a', 9)] }],
    ['after the process was stopped for a while', { atMs: 7_001, busyMs: 0, cameras: [camera('a', 20)] }],
  ])('%s', (_, sample) => {
    expect(withLaneSample(begun, sample, 2)).toEqual({ fps: 3, first: sample, lastMs: sample.atMs });
  });
});

const lanes = fc.record({
  cameras: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
  minFps: fc.integer({ min: 1, max: 4 }),
  /** The time to analyse all frames, as a share of the lane's time. */
  load: fc.double({ min: 0.1, max: 6, noNaN: true }),
});
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const rateIn = (timesMs: readonly number[], fromMs: number, toMs: number) =>
  (timesMs.filter((ms) => ms >= fromMs && ms < toMs).length * 1000) / (toMs - fromMs);

describe('a lane', () => {
  test('keeps its busy share within bounds, shares evenly, settles, and takes all frames again once it has time', () => {
    fc.assert(
      fc.property(lanes, ({ cameras, minFps, load }) => {
        const fullMs = (1000 * load) / sum(cameras);
        // After two minutes a frame takes so little time that all frames fit.
        const quickMs = Math.min(fullMs, 700 / sum(cameras));
        const run = simulateLane({
          ...{ cameras, minFps, seconds: 160 },
          costMs: (atMs) => (atMs < 120_000 ? fullMs : quickMs),
        });
        const { limits, analysedMs, busy } = run;
        for (const limit of limits) if (limit !== null) expect(limit).toBeGreaterThanOrEqual(minFps);
        if (load < 0.94) expect(limits.every((limit) => limit === null)).toBe(true);

        const affordable = 1000 / fullMs;
        const floor = sum(cameras.map((fps) => Math.min(fps, minFps)));
        const rates = analysedMs.map((times) => rateIn(times, 60_000, 120_000));
        if (load > 1.05) {
          // The lane comes close to the highest possible rate.
          expect(sum(rates)).toBeGreaterThan(0.8 * affordable - 0.5);
          const settled = limits.slice(60, 120);
          // At the lowest limit it drops frames, as without a limit.
          if (floor < 0.85 * affordable) {
            expect(sum(busy.slice(60, 120)) / 60).toBeLessThan(0.97);
            for (const limit of settled) expect(limit).not.toBeNull();
            const least = Math.min(...settled.map((limit) => limit!));
            const most = Math.max(...settled.map((limit) => limit!));
            expect(most / least).toBeLessThan(1.3);
            for (const [index, rate] of rates.entries()) {
              expect(rate).toBeGreaterThan(Math.min(cameras[index]!, least) * 0.95 - 0.1);
              expect(rate).toBeLessThan(Math.min(cameras[index]!, most) * 1.05 + 0.1);
            }
          }
        }
        expect(limits.slice(135).every((limit) => limit === null)).toBe(true);
        for (const [index, times] of analysedMs.entries())
          expect(rateIn(times, 140_000, 160_000)).toBeCloseTo(cameras[index]!, 0);
      }),
    );
  });
});
