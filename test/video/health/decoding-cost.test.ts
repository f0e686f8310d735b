import { expect, test } from '@jest/globals';
import { DecodingCost } from '../../../src/video/health/decoding-cost.ts';

test('the cost of a decoder is that of half a minute after its start, and of the same ffmpeg', () => {
  const used = new Map([
    [1, 3],
    [2, 100],
  ]);
  const cost = new DecodingCost((pid) => used.get(pid) ?? null);
  const look = (pid: number | null, seconds: number) => cost.look(pid, seconds * 1000);
  // [process, its CPU seconds, at the second] → percent of a core.
  const steps: [number | null, number, number, number | null][] = [
    [1, 3, 0, null],
    [1, 5, 10, null],
    [1, 7, 39, null],
    [1, 11, 40, 20],
    // Another ffmpeg: what was known stays, and its start does not count.
    [2, 100, 45, 20],
    [2, 110, 55, 20],
    [2, 113, 85, 10],
    [null, 0, 200, 10],
    // A system that does not tell.
    [3, 0, 210, 10],
    [3, 0, 300, 10],
  ];
  for (const [pid, seconds, at, percent] of steps) {
    if (pid !== null && pid !== 3) used.set(pid, seconds);
    expect([at, look(pid, at)]).toEqual([at, percent]);
  }
});
