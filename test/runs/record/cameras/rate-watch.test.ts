import { describe, expect, test } from '@jest/globals';
import {
  type RateSample,
  type RateState,
  type RateVerdict,
  ratesOf,
  UNMEASURED,
  withSample,
} from '../../../../src/runs/record/cameras/rate-watch.ts';
import { fc } from '../../../support/property.ts';

interface Phase {
  readonly seconds: number;
  /** Frames a second. */
  readonly delivered?: number;
  readonly processed?: number;
  readonly hasFault?: boolean;
  readonly requestedFps?: number;
  readonly ownFps?: number | null;
  readonly isDecoderBehind?: boolean;
  /** A new lane, whose counters start at 0. */
  readonly newLane?: boolean;
}

/** Plays one sample per second. @returns the verdict after each sample */
function play(phases: readonly Phase[]): { verdicts: RateVerdict[]; state: RateState } {
  let state = UNMEASURED;
  let [atMs, processed, delivered] = [0, 0, 0];
  const verdicts = phases.flatMap((phase) => {
    if (phase.newLane) [processed, delivered] = [0, 0];
    return Array.from({ length: phase.seconds }, () => {
      atMs += 1_000;
      delivered += phase.delivered ?? 5;
      processed += phase.processed ?? phase.delivered ?? 5;
      const { requestedFps = 5, hasFault = false, ownFps = null, isDecoderBehind = false } = phase;
      const sample: RateSample = {
        atMs,
        processed,
        delivered,
        requestedFps,
        hasFault,
        ownFps,
        isDecoderBehind,
      };
      state = withSample(state, sample);
      return state.verdict;
    });
  });
  return { verdicts, state };
}
const end = (...phases: Phase[]) => play(phases).state.verdict;
/** Each change of the verdict, with its second. */
const changes = (...phases: Phase[]) =>
  play(phases).verdicts.flatMap((verdict, at, all) =>
    verdict === (all[at - 1] ?? 'normal') ? [] : [[at + 1, verdict]],
  );

describe('the rate verdict of a camera', () => {
  test.each<[string, RateVerdict, Phase[]]>([
    ['all requested frames are analysed', 'normal', [{ seconds: 300 }]],
    [
      'exactly 70 % are analysed',
      'normal',
      [{ seconds: 300, delivered: 10, processed: 7, requestedFps: 10 }],
    ],
    ['less than 70 % are analysed', 'overloaded', [{ seconds: 300, processed: 3.4 }]],
    ['20 % are dropped', 'normal', [{ seconds: 300, processed: 4 }]],
    ['80 % are dropped', 'overloaded', [{ seconds: 300, processed: 1 }]],
    ['the camera sends 2 of 5 frames', 'slow', [{ seconds: 300, delivered: 2 }]],
    [
      'the camera sends 2 of 5 frames, of which half are dropped',
      'overloaded',
      [{ seconds: 300, delivered: 2, processed: 0.8 }],
    ],
    [
      'the camera sends 2 of 5 frames, and ffmpeg repeats some',
      'slow',
      [{ seconds: 300, delivered: 2, processed: 4 }],
    ],
    [
      'the camera sends 4 of 5 frames, and ffmpeg repeats some',
      'normal',
      [{ seconds: 300, delivered: 4, processed: 5 }],
    ],
    [
      'a simulation of this machine delivers its frames late',
      'overloaded',
      [{ seconds: 300, delivered: 2, ownFps: 5 }],
    ],
    [
      '2 of 5 frames are decoded, and bytes of the camera wait',
      'overloaded',
      [{ seconds: 300, delivered: 2, isDecoderBehind: true }],
    ],
    [
      '2 of 5 frames are decoded, bytes wait, and ffmpeg repeats some frames',
      'overloaded',
      [{ seconds: 300, delivered: 2, processed: 5, isDecoderBehind: true }],
    ],
    [
      'bytes of a slow camera waited for a moment',
      'slow',
      [
        { seconds: 60, delivered: 2 },
        { seconds: 20, delivered: 2, isDecoderBehind: true },
      ],
    ],
    ['bytes wait, and all frames come', 'normal', [{ seconds: 300, isDecoderBehind: true }]],
    ['a recording has 2 frames per second', 'slow', [{ seconds: 300, delivered: 2, ownFps: 2 }]],
    [
      'the node is slow for a moment only',
      'normal',
      [{ seconds: 120 }, { seconds: 15, processed: 1 }, { seconds: 5 }],
    ],
    ['the start is slow', 'normal', [{ seconds: 9, processed: 0 }, { seconds: 100 }]],
    ['the camera has an outage', 'normal', [{ seconds: 90 }, { seconds: 300, delivered: 0, hasFault: true }]],
    ['the camera sends nothing', 'normal', [{ seconds: 90 }, { seconds: 300, delivered: 0 }]],
    [
      'an outage follows an overload',
      'normal',
      [
        { seconds: 90, processed: 1 },
        { seconds: 2, delivered: 0, hasFault: true },
      ],
    ],
    [
      'the lane is replaced',
      'normal',
      [
        { seconds: 90, processed: 1 },
        { seconds: 50, processed: 1, newLane: true },
      ],
    ],
    [
      'the requested rate changes',
      'normal',
      [{ seconds: 90 }, { seconds: 50, delivered: 5, requestedFps: 10 }],
    ],
  ])('when %s: %s', (_, verdict, phases) => {
    expect(end(...phases)).toBe(verdict);
  });

  test('overload begins after a whole minute, and ends at 85 % of the requested rate', () => {
    expect(changes({ seconds: 200, processed: 2 })).toEqual([[70, 'overloaded']]);
    expect(changes({ seconds: 100, processed: 2 }, { seconds: 300, processed: 4 })).toEqual([
      [70, 'overloaded'],
    ]);
    expect(changes({ seconds: 100, processed: 2 }, { seconds: 300, processed: 4.5 })).toEqual([
      [70, 'overloaded'],
      [154, 'normal'],
    ]);
  });

  test('the named cause does not change with each frame', () => {
    const even = { delivered: 4, processed: 3.2 };
    const wobble = Array.from({ length: 300 }, (_, at) => ({
      ...even,
      seconds: 1,
      delivered: 4 + (at % 2) * 0.2,
    }));
    expect(changes(...wobble).length).toBeLessThanOrEqual(1);
  });

  test('the number of samples in memory is limited', () => {
    const { state } = play([{ seconds: 5_000, processed: 1 }]);
    expect(state.samples.length).toBeLessThanOrEqual(62);
    expect(ratesOf(state)).toEqual({ processed: 1, delivered: 5 });
  });

  const phase = fc.record({
    seconds: fc.integer({ min: 1, max: 120 }),
    delivered: fc.double({ min: 0, max: 5, noNaN: true }),
    hasFault: fc.boolean(),
    newLane: fc.boolean(),
  });
  const kept = fc.double({ min: 0, max: 1, noNaN: true });

  test('a verdict needs a minute of frames, and an outage ends it at once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(phase, kept), { maxLength: 8 }), (drawn) => {
        const phases = drawn.map(([of, share]) => ({ ...of, processed: of.delivered * share }));
        const { verdicts } = play(phases);
        const outs = phases.flatMap(({ seconds, hasFault }) =>
          Array.from({ length: seconds }, () => hasFault),
        );
        for (const [at, verdict] of verdicts.entries()) {
          if (verdict === 'normal') continue;
          expect(outs[at]).toBe(false);
          if (verdicts[at - 1] === verdict) continue;
          expect(outs.slice(Math.max(0, at - 60), at + 1)).not.toContain(true);
          expect(at).toBeGreaterThanOrEqual(60);
        }
      }),
    );
  });

  test('a node that analyses all frames is never overloaded', () => {
    fc.assert(
      fc.property(fc.array(phase, { maxLength: 8 }), (phases) => {
        expect(play(phases).verdicts).not.toContain('overloaded');
      }),
    );
  });

  test('a camera that sends all requested frames is never slow', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(phase, kept), { maxLength: 8 }), (drawn) => {
        const phases = drawn.map(([of, share]) => ({ ...of, delivered: 5, processed: 5 * share }));
        expect(play(phases).verdicts).not.toContain('slow');
      }),
    );
  });
});
