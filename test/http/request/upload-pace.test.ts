import { describe, expect, test } from '@jest/globals';
import { UploadPace } from '../../../src/http/request/upload-pace.ts';

/** At least 60 KB in each minute of waiting. */
const pace = () => new UploadPace({ idleMs: 60_000, minBytesPerSecond: 1_000 });

/** Plays an upload: after so many milliseconds of waiting so many bytes come. @returns what ended it, and after how many parts */
function play(parts: Iterable<readonly [waitedMs: number, bytes: number]>) {
  const judge = pace();
  let count = 0;
  for (const [waitedMs, bytes] of parts) {
    let left = waitedMs;
    // As the reader does: it waits until the pace has to be judged, and judges while no byte is there.
    for (let limitMs = judge.limitMs; left >= limitMs; limitMs = judge.limitMs) {
      left -= limitMs;
      judge.waited(limitMs);
      const fault = judge.judge();
      if (fault !== null) return { fault: fault.message, count };
    }
    judge.waited(left);
    judge.received(bytes);
    count += 1;
  }
  return { fault: null, count };
}
const repeated = (times: number, part: readonly [number, number]) => Array<typeof part>(times).fill(part);

describe('the pace of an upload', () => {
  test('a byte a second is too slow, and it is told how slow', () => {
    expect(play(repeated(600, [1_000, 1]))).toEqual({
      fault:
        'Only 59 bytes came in 60 seconds of waiting; an upload needs 1000 a second (UPLOAD_MIN_BYTES_PER_SECOND): send the file again over a faster line',
      count: 59,
    });
  });

  test('no byte at all is told as such', () => {
    expect(play([[60_000, 1]]).fault).toBe('No byte came for 60 seconds: send the file again');
    expect(
      play([
        [10_000, 5_000_000],
        [60_000, 1],
      ]).fault,
    ).toBe('No byte came for 60 seconds: send the file again');
  });

  test.each([
    ['a slow line that is steady', repeated(10_000, [1_000, 1_100])],
    ['a line that pauses for most of a minute and then catches up', repeated(200, [59_000, 70_000])],
    [
      'bursts after pauses',
      Array.from({ length: 300 }, (_, at) => [at % 10 === 0 ? 30_000 : 0, 10_000] as const),
    ],
    ['a fast upload that waits for nothing', repeated(10_000, [0, 65_536])],
  ])('%s is not ended', (_what, parts) => {
    expect(play(parts).fault).toBeNull();
  });

  test('an upload that begins fast and then only drips is ended too', () => {
    const drip = [...repeated(100, [10, 1_000_000]), ...repeated(1_000, [1_000, 1])];
    expect(play(drip).fault).toContain('Only');
  });

  test('what came while the service was stopped counts: it judges only while it waits', () => {
    const judge = pace();
    judge.waited(600_000);
    judge.received(30_000);
    judge.received(40_000);
    expect([judge.limitMs, judge.judge()]).toEqual([0, null]);
    expect(judge.limitMs).toBe(60_000);
  });

  test('without a least rate only silence ends it', () => {
    const judge = new UploadPace({ idleMs: 1_000, minBytesPerSecond: 0 });
    judge.waited(999);
    judge.received(1);
    judge.waited(999);
    judge.received(1);
    expect(judge.judge()).toBeNull();
  });
});
