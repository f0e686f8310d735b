import { describe, expect, test } from '@jest/globals';
import { ProgressLimit, progressOf } from '../../../src/platform/processes/progress.ts';

const LIMIT_MS = 30_000;

describe('the limit of a program that reads a file', () => {
  test('does not end one that reads for ten minutes from a slow disk', () => {
    const limit = new ProgressLimit(LIMIT_MS, 0);
    for (let second = 1; second <= 600; second++)
      expect(limit.isOver({ processorMs: 20, bytes: second * 4_096 }, second * 1_000)).toBe(false);
  });

  test('does not end one that computes for ten minutes on a busy machine', () => {
    const limit = new ProgressLimit(LIMIT_MS, 0);
    for (let second = 1; second <= 600; second++)
      expect(limit.isOver({ processorMs: second * 40, bytes: 4_096 }, second * 1_000)).toBe(false);
  });

  test('ends one that has computed for as long', () => {
    const limit = new ProgressLimit(LIMIT_MS, 0);
    expect(limit.isOver({ processorMs: 29_990, bytes: 1 }, 31_000)).toBe(false);
    expect(limit.isOver({ processorMs: 30_000, bytes: 2 }, 32_000)).toBe(true);
  });

  test('ends one that does nothing for as long', () => {
    const limit = new ProgressLimit(LIMIT_MS, 0);
    const stuck = { processorMs: 20, bytes: 4_096 };
    expect(limit.isOver(stuck, 10_000)).toBe(false);
    expect(limit.isOver(stuck, 39_000)).toBe(false);
    expect(limit.isOver(stuck, 40_000)).toBe(true);
  });

  test('is one of time where the system does not tell what a program does', () => {
    const limit = new ProgressLimit(LIMIT_MS, 0);
    expect(limit.isOver(null, 29_000)).toBe(false);
    expect(limit.isOver(null, 30_000)).toBe(true);
  });
});

test('the progress of this process, and of none', () => {
  if (process.platform !== 'linux') return;
  const { processorMs, bytes } = progressOf(process.pid)!;
  expect(processorMs).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(0);
  expect(progressOf(2 ** 22 + 1)).toBeNull();
});
