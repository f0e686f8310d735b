import { expect, test } from '@jest/globals';
import { isMomentToStore, TURN_MS } from '../../../src/runs/record/moment-to-store.ts';

/** Stores a camera for a minute. @returns, without the first three writes, how old its newest frame was at each write, and the times between writes, in ms */
function stored({ fps, phaseMs = 0, jitterMs = 0, lateMs = 0 }: Record<string, number> & { fps: number }) {
  const frames = Array.from(
    { length: 60 * fps },
    (_, at) => phaseMs + (at * 1000) / fps + (at % 3) * jitterMs,
  );
  const [agesMs, pausesMs]: number[][] = [[], []];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let nowMs = 0; nowMs < 60_000; nowMs += TURN_MS + lateMs) {
    const newest = frames.findLast((frameMs) => frameMs <= nowMs) ?? Number.NEGATIVE_INFINITY;
    if (!isMomentToStore(nowMs - lastMs, nowMs - newest, 1000 / fps)) continue;
    agesMs!.push(nowMs - newest);
    pausesMs!.push(nowMs - lastMs);
    lastMs = nowMs;
  }
  return { agesMs: agesMs!.slice(3), pausesMs: pausesMs!.slice(3) };
}

test.each([0, 10, 49, 50, 99, 120, 151, 199])(
  'five frames a second from %i ms on: a write is less than 50 ms after a frame, each second',
  (phaseMs) => {
    const { agesMs, pausesMs } = stored({ fps: 5, phaseMs });
    expect(Math.max(...agesMs)).toBeLessThan(50);
    expect(new Set(pausesMs)).toEqual(new Set([1000]));
  },
);

test.each([
  ['frames that come unevenly', { fps: 5, phaseMs: 45, jitterMs: 7 }],
  ['turns that come late', { fps: 5, lateMs: 3 }],
  ['a frame a second', { fps: 1, phaseMs: 130 }],
  ['three frames a second', { fps: 3 }],
  ['25 frames a second', { fps: 25 }],
])('%s: nothing waits longer than a turn over a second', (_, camera) => {
  const { pausesMs } = stored(camera);
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(1_000 + 2 * TURN_MS);
  expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(700);
});

test.each([
  // Looks see a frame of two a second once in its first half and once in its second one.
  [1, 125, 250],
  [2, 125, 250],
  [3, 45, 84],
  [7, 40, 143],
])(
  '%d frames a second, from any moment on: numbers are %d ms old on average when they are stored, at most %d',
  (fps, mean, most) => {
    const phases = Array.from({ length: 40 }, (_, at) => (at * 1000) / fps / 40);
    const all = phases.map((phaseMs) => stored({ fps, phaseMs }));
    const ages = all.flatMap(({ agesMs }) => agesMs);
    expect(ages.reduce((sum, age) => sum + age, 0) / ages.length).toBeLessThanOrEqual(mean);
    expect(Math.max(...ages)).toBeLessThanOrEqual(most);
  },
);
