import { expect, test } from '@jest/globals';
import { DecoderWatch } from '../../../src/video/health/decoder-watch.ts';

/** Plays seconds, each with a number of frames and of unread bytes. @returns whether the decoder is behind after each */
function play(seconds: readonly (readonly [frames: number, unread: number])[]): boolean[] {
  const watch = new DecoderWatch();
  let arrivals = 0;
  watch.look({ nowMs: 0, arrivals, requestedFps: 10, unreadBytes: () => 0 });
  return seconds.map(([frames, unread], at) => {
    arrivals += frames;
    const look = { arrivals, requestedFps: 10, unreadBytes: () => unread };
    watch.look({ ...look, nowMs: 1000 * (at + 1) });
    // Statistics are asked for more often than once a second.
    watch.look({ ...look, nowMs: 1000 * (at + 1) + 100, unreadBytes: () => 0 });
    return watch.isBehind;
  });
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

test.each<[string, readonly (readonly [number, number])[], boolean]>([
  ['few frames, and bytes wait at each look', times(5, [3, 900]), true],
  ['few frames, and bytes wait for a moment', [...times(4, [3, 900] as const), [3, 0]], false],
  ['few frames, and nothing waits: the camera is slow', times(9, [3, 0]), false],
  ['all frames come, and bytes wait', times(9, [10, 900]), false],
  ['too few looks', times(4, [3, 900]), false],
  ['a decoder that has caught up', [...times(6, [3, 900] as const), [10, 900]], false],
])('%s: %#', (_, seconds, isBehind) => {
  expect(play(seconds).at(-1)).toBe(isBehind);
});
