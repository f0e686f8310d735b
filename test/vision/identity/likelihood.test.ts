import { describe, expect, test } from '@jest/globals';
import { type End, type Gap, logLikelihood } from '../../../src/vision/identity/likelihood.ts';
import { motionOf, type Stand } from '../../../src/vision/identity/motion.ts';
import { IDENTITY_DEFAULTS } from '../../../src/vision/identity/options.ts';
import type { Appearance } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';

/** A person 0.3 high, seen for a second, walking by `speed` frame heights a second. */
interface Seen {
  readonly x?: number;
  readonly foot?: number;
  readonly speed?: number;
  readonly height?: number;
  readonly appearance?: Appearance;
  readonly isAtEdge?: boolean;
}

const stand = ({ x = 0.5, foot = 0.8, height = 0.3 }: Seen, seconds: number): Stand => ({
  ...{ seconds, x, foot, head: foot - height },
});

function end({ speed = 0, appearance, isAtEdge = false, ...at }: Seen, way: 1 | -1): End {
  const standAt = (step: number) => {
    const seconds = (way * step) / 5;
    return stand({ ...at, x: (at.x ?? 0.5) + speed * seconds }, seconds);
  };
  return {
    motion: motionOf(standAt(0), [0, 1, 2, 3, 4, 5].map(standAt)),
    appearance: appearance ? { colours: appearance, showsTorso: true, showsLegs: true } : null,
    isAtEdge,
  };
}

const likelihood = (before: Seen, after: Seen, gap: Partial<Gap>) =>
  logLikelihood(end(before, -1), end(after, 1), { open: 0, hidden: 0, ...gap }, IDENTITY_DEFAULTS);

const RED: Appearance = [200, 40, 40, 20, 20, 120];
const GREEN: Appearance = [40, 160, 40, 200, 200, 190];

describe('whether two ends belong to one person', () => {
  test.each<[string, Seen, Seen, Partial<Gap>]>([
    ['in the same place after a second', {}, {}, { open: 1 }],
    ['in the same place after five seconds behind another person', {}, {}, { hidden: 5 }],
    ['a walker where the walk leads to', { speed: 0.2 }, { x: 0.7, speed: 0.2 }, { open: 1 }],
    ['a walker who stopped', { speed: 0.2 }, {}, { open: 1 }],
    ['a person who stood and now walks', {}, { x: 0.56, speed: 0.2 }, { open: 0.6 }],
    ['a step aside', {}, { x: 0.55 }, { open: 1 }],
    ['at the edge of the picture, where they stood a second ago', {}, { isAtEdge: true }, { hidden: 1 }],
    ['the legs hidden: the head is where it was', {}, { foot: 0.7, height: 0.2 }, { open: 0.4 }],
  ])('more likely than not: %s', (_, before, after, gap) => {
    expect(likelihood(before, after, gap)).toBeGreaterThan(0);
  });

  test.each<[string, Seen, Seen, Partial<Gap>]>([
    ['two body heights away after a second', {}, { x: 1.1 }, { open: 1 }],
    ['a person who walks the other way', { speed: 0.2 }, { x: 0.8, speed: -0.2 }, { open: 1 }],
    [
      'near the place where they stood, but coming in at the edge',
      {},
      { x: 0.55, isAtEdge: true },
      { open: 1 },
    ],
    ['a step aside at once, where the tracker has missed them for a moment', {}, { x: 0.6 }, { open: 0.07 }],
    ['twice the size, and aside', {}, { x: 0.6, height: 0.6, foot: 1 }, { open: 1 }],
    [
      'half a body height aside, in other clothes',
      { appearance: RED },
      { x: 0.65, appearance: GREEN },
      { open: 1 },
    ],
  ])('less likely than not: %s', (_, before, after, gap) => {
    expect(likelihood(before, after, gap)).toBeLessThan(0);
  });

  test('each kind of evidence changes the likelihood in its direction', () => {
    const usual = likelihood({}, { x: 0.55 }, { open: 1 });
    expect(likelihood({}, { x: 0.6 }, { open: 1 })).toBeLessThan(usual);
    expect(likelihood({}, { x: 0.55, height: 0.35 }, { open: 1 })).toBeLessThan(usual);
    expect(likelihood({}, { x: 0.55 }, { hidden: 1 })).toBeGreaterThan(usual);
    expect(likelihood({ appearance: RED }, { x: 0.55, appearance: RED }, { open: 1 })).toBeGreaterThan(usual);
    expect(likelihood({ appearance: RED }, { x: 0.55, appearance: GREEN }, { open: 1 })).toBeLessThan(usual);
  });

  test('is a finite number for any sightings', () => {
    const seen = fc.record({
      x: fc.double({ min: -2, max: 4, noNaN: true }),
      foot: fc.double({ min: 0, max: 2, noNaN: true }),
      height: fc.double({ min: 1e-6, max: 2, noNaN: true }),
      speed: fc.double({ min: -5, max: 5, noNaN: true }),
    });
    const seconds = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(seen, seen, seconds, seconds, (before, after, open, hidden) => {
        expect(likelihood(before, after, { open, hidden })).toEqual(expect.any(Number));
        expect(Number.isFinite(likelihood(before, after, { open, hidden }))).toBe(true);
      }),
    );
  });
});
