import { describe, expect, test } from '@jest/globals';
import { cameraPush } from '../../../src/vision/track/camera-motion.ts';
import { overlap, shapeDifference } from '../../../src/vision/track/similarity.ts';
import type { Box } from '../../../src/vision/types.ts';

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });
const PERSON = box(0.4, 0.2, 0.5, 0.6);

describe('overlap', () => {
  test.each([
    { name: 'itself', other: PERSON, expected: 1 },
    { name: 'one who only touches', other: box(0.5, 0.2, 0.6, 0.6), expected: 0 },
    { name: 'half a width aside', other: box(0.45, 0.2, 0.55, 0.6), expected: 1 / 3 },
    { name: 'half a height below', other: box(0.4, 0.4, 0.5, 0.8), expected: Math.sqrt(1 / 3) / 3 },
  ])('with $name', ({ other, expected }) => {
    expect(overlap(PERSON, other)).toBeCloseTo(expected, 12);
    expect(overlap(other, PERSON)).toBeCloseTo(expected, 12);
  });
});

describe('shapeDifference', () => {
  test('is none between the same sizes, wherever they are', () => {
    expect(shapeDifference(PERSON, box(0.8, 0.5, 0.9, 0.9))).toBeCloseTo(0, 12);
  });

  test('grows with the difference and stays below 1', () => {
    const nearer = shapeDifference(PERSON, box(0, 0, 0.12, 0.48));
    const muchNearer = shapeDifference(PERSON, box(0, 0, 0.5, 1));
    expect(nearer).toBeGreaterThan(0.1);
    expect(muchNearer).toBeGreaterThan(nearer);
    expect(muchNearer).toBeLessThan(1);
  });
});

describe('cameraPush', () => {
  const surprises = (...pushes: number[]) => pushes.map((dx) => ({ dx, dy: 0 }));

  test.each([
    { name: 'too few witnesses', pushes: [0.1, 0.1, 0.1], expected: 0 },
    { name: 'all pushed alike', pushes: [0.1, 0.1, 0.1, 0.1, 0.1], expected: 0.1 },
    { name: 'one walks against the push', pushes: [0.1, 0.1, -0.3, 0.1, 0.1], expected: 0.1 },
    { name: 'people going both ways', pushes: [0.1, -0.1, 0.2, -0.2, 0.1, -0.1], expected: 0 },
  ])('$name', ({ pushes, expected }) => {
    expect(cameraPush(surprises(...pushes), 4).dx).toBeCloseTo(expected, 12);
    expect(cameraPush(surprises(...pushes.map((push) => -push)), 4).dx).toBeCloseTo(-expected, 12);
  });
});
