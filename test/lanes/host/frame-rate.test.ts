import { describe, expect, test } from '@jest/globals';
import { FrameRate } from '../../../src/lanes/host/frame-rate.ts';

/** Frames at a steady rate. @returns the time of the last one, in ms */
function feed(rate: FrameRate, fps: number, seconds: number): number {
  let atMs = 0;
  for (let frame = 0; frame < fps * seconds; frame++) {
    atMs = (frame * 1000) / fps;
    rate.add(atMs, { tookMs: 20, lagMs: 30 });
  }
  return atMs;
}

describe('FrameRate', () => {
  test('is zero without frames', () => {
    expect(new FrameRate().at(1000)).toEqual({
      processedFrames: 0,
      skippedFrames: 0,
      heldFrames: 0,
      fps: 0,
      avgProcessingTimeMs: 0,
      lagMs: 0,
    });
  });

  test.each([1, 5, 25])('measures %i frames a second', (fps) => {
    const rate = new FrameRate();
    const lastMs = feed(rate, fps, 30);
    const seen = rate.at(lastMs);
    expect(seen.processedFrames).toBe(fps * 30);
    expect(Math.abs(seen.fps - fps)).toBeLessThanOrEqual(0.11);
    expect([seen.avgProcessingTimeMs, seen.lagMs]).toEqual([20, 30]);
  });

  test('counts skipped frames, but not their duration', () => {
    const rate = new FrameRate();
    rate.add(0, { tookMs: 1, lagMs: 0, isSkipped: true });
    rate.add(200, { tookMs: 20, lagMs: 0 });
    rate.add(400, { tookMs: 1, lagMs: 0, isSkipped: true });
    expect(rate.at(400)).toMatchObject({ processedFrames: 3, skippedFrames: 2, avgProcessingTimeMs: 20 });
  });

  test('falls to zero when frames stop', () => {
    const rate = new FrameRate();
    const lastMs = feed(rate, 5, 20);
    expect(rate.at(lastMs + 5_000).fps).toBeLessThan(3);
    expect(rate.at(lastMs + 10_001).fps).toBe(0);
  });
});
