import { describe, expect, test } from '@jest/globals';
import { LearnedAppearance, SeenAppearances } from '../../../src/vision/track/appearance.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Appearance, Detection } from '../../../src/vision/types.ts';

const RED: Appearance = [180, 40, 40, 30, 30, 60];
const GREEN: Appearance = [40, 150, 60, 200, 190, 170];

const person = (
  x: number,
  appearance: Appearance | undefined,
  { score = 0.85, bottom = 0.8 } = {},
): Detection => ({
  box: { left: x - 0.05, top: bottom - 0.4, right: x + 0.05, bottom },
  score,
  classId: 0,
  ...(appearance && { appearance }),
});

describe('SeenAppearances', () => {
  const back = person(0.5, RED);
  const cases: [string, Detection[], { torso: boolean; legs: boolean }][] = [
    ['of a person alone both parts are valid', [], { torso: true, legs: true }],
    [
      'a nearer person at the same position covers both',
      [person(0.5, GREEN, { bottom: 0.85 })],
      { torso: false, legs: false },
    ],
    ['a low nearer box covers the legs', [person(0.5, GREEN, { bottom: 1.0 })], { torso: true, legs: false }],
    [
      'a person farther away covers nothing',
      [person(0.5, GREEN, { bottom: 0.75 })],
      { torso: true, legs: true },
    ],
    [
      'a box with a low score covers nothing',
      [person(0.5, GREEN, { bottom: 0.85, score: 0.2 })],
      { torso: true, legs: true },
    ],
    ['a person beside covers nothing', [person(0.61, GREEN, { bottom: 0.85 })], { torso: true, legs: true }],
  ];
  test.each(cases)('%s', (_, others, { torso, legs }) => {
    const seen = new SeenAppearances([back, ...others]).of(back);
    expect(seen).toMatchObject({ colours: RED, showsTorso: torso, showsLegs: legs });
  });

  test('a detection without colours has no appearance', () => {
    const plain = person(0.5, undefined);
    expect(new SeenAppearances([plain]).of(plain)).toBeUndefined();
  });
});

describe('LearnedAppearance', () => {
  const seen = (appearance: Appearance, showsTorso = true, showsLegs = true) => ({
    colours: appearance,
    showsTorso,
    showsLegs,
  });

  test('compares the valid parts', () => {
    const known = new LearnedAppearance(seen([100, 100, 100, 50, 50, 50]));
    const other: Appearance = [110, 120, 130, 50, 50, 50];
    expect(known.difference(seen(other))).toBe(10);
    expect(known.difference(seen(other, true, false))).toBe(20);
    expect(known.difference(seen(other, false, true))).toBe(0);
    expect(known.difference(seen(other, false, false))).toBeNull();
  });

  test('is the mean of the first samples, then changes slowly; a hidden part changes nothing', () => {
    const known = new LearnedAppearance(seen([0, 0, 0, 0, 0, 0]));
    known.learn(seen([100, 100, 100, 100, 100, 100], true, false));
    expect(known.difference(seen([50, 50, 50, 0, 0, 0]))).toBe(0);
    for (let i = 0; i < 100; i++) known.learn(seen([50, 50, 50, 0, 0, 0]));
    known.learn(seen([150, 150, 150, 0, 0, 0]));
    expect(known.difference(seen([55, 55, 55, 0, 0, 0]))).toBeCloseTo(0, 5);
  });

  test('takes over the first valid sample of a part that was hidden before', () => {
    const known = new LearnedAppearance(seen([9, 9, 9, 9, 9, 9], true, false));
    known.learn(seen([9, 9, 9, 70, 70, 70]));
    expect(known.difference(seen([9, 9, 9, 70, 70, 70]))).toBe(0);
  });
});

describe('a tracker with colours', () => {
  /** Two people beside each other; by the boxes alone they seem exchanged in the last frame. @returns the track of each box */
  function exchange(first: Appearance | undefined, second: Appearance | undefined): number[] {
    const tracker = new Tracker();
    for (let frame = 0; frame < 10; frame++)
      tracker.update([person(0.3, first), person(0.36, second)], frame * 200);
    const tracks = tracker.update([person(0.332, first), person(0.328, second, { score: 0.8 })], 2000);
    return tracks.toSorted((a, b) => b.score - a.score).map(({ id }) => id);
  }

  test('distinguishes people who pass each other between two frames', () => {
    expect(exchange(RED, GREEN)).toEqual([1, 2]);
    expect(exchange(undefined, undefined)).toEqual([2, 1]);
    expect(exchange(RED, RED)).toEqual([2, 1]);
  });
});
