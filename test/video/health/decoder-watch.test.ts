import { expect, test } from '@jest/globals';
import type { Backlog } from '../../../src/video/frame-source.ts';
import { DecoderWatch } from '../../../src/video/health/decoder-watch.ts';

interface Second extends Partial<Backlog> {
  readonly frames: number;
}
/** The camera sends so many bytes a second. */
const RATE = 1_000;

/** Plays seconds. @returns whether the decoder is behind after each */
function play(seconds: readonly Second[]): boolean[] {
  const watch = new DecoderWatch();
  let arrivals = 0;
  const look = (at: number, backlog: Partial<Backlog>) =>
    watch.look({
      ...{ nowMs: 1000 * at, arrivals, requestedFps: 10 },
      backlog: () => ({ unreadBytes: 0, sentBytes: Math.floor(at) * RATE, lateMs: 0, ...backlog }),
    });
  look(0, {});
  return seconds.map(({ frames, ...backlog }, at) => {
    arrivals += frames;
    look(at + 1, backlog);
    // Statistics are asked for more often than once a second.
    look(at + 1.1, {});
    return watch.isBehind;
  });
}
const times = (count: number, second: Second) => Array.from({ length: count }, () => second);
const few = { frames: 3, unreadBytes: 90 };

test.each<[string, readonly Second[], boolean]>([
  ['few frames, and bytes wait at each look', times(5, few), true],
  ['few frames, and bytes wait for a moment', [...times(4, few), { frames: 3 }], false],
  ['few frames, and nothing waits: the camera is slow', times(9, { frames: 3 }), false],
  [
    'all frames come, and less than a second of video waits',
    times(9, { frames: 10, unreadBytes: 900 }),
    false,
  ],
  ['all frames come, and more than a second waits', times(5, { frames: 10, unreadBytes: 1_100 }), true],
  [
    'all frames come of HLS, which sends segments ahead of time',
    times(9, { frames: 10, unreadBytes: 9_000, sentBytes: null }),
    false,
  ],
  ['too few looks', times(4, few), false],
  ['a decoder that has caught up', [...times(6, few), { frames: 10, unreadBytes: 90 }], false],
  ['a file whose frames come too late', times(5, { frames: 8, sentBytes: null, lateMs: 1_500 }), true],
  ['a file whose frames come in time', times(9, { frames: 8, sentBytes: null, lateMs: 300 }), false],
])('%s: %#', (_, seconds, isBehind) => {
  expect(play(seconds).at(-1)).toBe(isBehind);
});
