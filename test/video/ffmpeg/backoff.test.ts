import { describe, expect, test } from '@jest/globals';
import { backoffMs } from '../../../src/video/ffmpeg/backoff.ts';

const at = (failures: number, random: number) =>
  backoffMs(failures, { minMs: 1000, maxMs: 60_000, random: () => random });

describe('the delay before the next attempt', () => {
  test.each([
    [1, 1000, 2000],
    [2, 2000, 4000],
    [8, 2000, 4000],
    [9, 4000, 8000],
    [11, 16_000, 32_000],
    [12, 30_000, 60_000],
    [1000, 30_000, 60_000],
  ])('after %d failures it is from %d to %d ms', (failures, least, most) => {
    expect(at(failures, 0)).toBe(least);
    expect(at(failures, 1)).toBe(most);
  });
});
