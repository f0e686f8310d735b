import { describe, expect, test } from '@jest/globals';
import { decodeFeet, encodeFeet, type FootPoint } from '../../../../src/metrics/floor/feet/encode-feet.ts';
import { RunFeet } from '../../../../src/metrics/floor/feet/run-feet.ts';
import { fc } from '../../../support/property.ts';

const START = 29_000_000 * 60_000;
const ZONES = {
  checkoutZone: {
    type: 'polygon' as const,
    points: [
      [0.5, 0.6],
      [0.8, 0.6],
      [0.8, 0.8],
      [0.5, 0.8],
    ] as const,
  },
};

/** Somebody whose visible part ends at `bottom`. */
const person = (id: number, x: number, bottom: number, feet?: 'seen' | 'estimated', tall = 0.2) => ({
  ...{ id, feet },
  box: { left: x - 0.04, right: x + 0.04, top: bottom - tall, bottom },
});
type Person = ReturnType<typeof person>;

/** Looks twice a second. */
function watch(feet: RunFeet, seconds: number, peopleAt: (second: number) => Person[], from = 0): void {
  for (let half = 0; half < 2 * seconds; half++)
    feet.see(peopleAt(from + half / 2), START + (from + half / 2) * 1000, 16 / 9);
}

describe('the sample of a run', () => {
  test('has a few points of each minute, of the last hour only, whatever comes', () => {
    const feet = new RunFeet(ZONES);
    const crowd = (second: number) =>
      Array.from({ length: 30 }, (_, at) => person(at, (0.03 * at + 0.02 * second) % 1, 0.7, 'seen'));
    watch(feet, 3900, crowd);
    const { minute, points } = feet.take()!;
    expect(minute).toBe(START / 60_000 + 64);
    expect(points.length).toBe(59 * 6);
    expect(Math.min(...points.map((point) => point.minute))).toBe(minute - 59);
    expect(encodeFeet(points, minute).length).toBeLessThanOrEqual(1800);
    // Spread over the minute and its people, not only its first ones.
    const xs = points.filter((point) => point.minute === minute - 1).map(({ x }) => x);
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(0.2);
  });

  test('says what is known of the feet, and who stood', () => {
    const feet = new RunFeet(ZONES);
    watch(feet, 61, (second) => [
      person(1, 0.2, 0.8, 'seen', 0.45),
      person(2, 0.6, 0.7, 'estimated'),
      person(3, 0.05 + 0.015 * second, 0.5),
    ]);
    const { points } = feet.take()!;
    const kinds = new Set(
      points.map(({ feet: known, isStanding, isShort }) => `${known} ${isStanding} ${isShort}`),
    );
    expect(kinds).toContain('seen true false');
    expect(kinds).toContain('unknown false true');
    expect(points.every(({ feet: known, y }) => known !== 'unknown' || y > 0.49)).toBe(true);
  });

  test('has no more than a few points of somebody who sits at one place all hour', () => {
    const feet = new RunFeet(ZONES);
    watch(feet, 3000, () => [person(1, 0.65, 0.55)]);
    expect(feet.take()!.points.length).toBeLessThanOrEqual(6);
    expect(feet.advice).toBeNull();
  });

  test('is stored once a minute, again after a failed write, and at the end with the minute that is not over', () => {
    const feet = new RunFeet(ZONES);
    watch(feet, 59, () => [person(1, 0.2, 0.7, 'seen')]);
    expect(feet.take()).toBeNull();
    watch(feet, 2, () => [person(1, 0.2, 0.7, 'seen')], 59);
    const taken = feet.take();
    expect(feet.take()).toEqual(taken);
    feet.stored();
    expect(feet.take()).toBeNull();
    watch(feet, 5, () => [person(2, 0.6, 0.7, 'seen')], 62);
    expect(feet.take(true)!.points.length).toBeGreaterThan(taken!.points.length);
  });

  test('goes on in the next run, and forgets what is older than an hour after a day with nobody', () => {
    const first = new RunFeet(ZONES);
    watch(first, 61, () => [person(1, 0.2, 0.7, 'seen')]);
    const sample = first.take()!;
    const next = new RunFeet(ZONES, sample);
    watch(next, 61, () => [person(1, 0.6, 0.7, 'seen')], 120);
    expect(next.take()!.points.slice(0, sample.points.length)).toEqual(sample.points);
    next.stored();
    watch(next, 61, () => [], 86_400);
    expect([next.take(), next.advice]).toEqual([null, null]);
    watch(next, 61, () => [person(1, 0.6, 0.7, 'seen')], 86_520);
    expect(next.take()!.points.every(({ minute }) => minute >= START / 60_000 + 1442)).toBe(true);
  });

  test('is forgotten when the camera was turned, and learns nothing until it is turned back', () => {
    const feet = new RunFeet(ZONES);
    const cut = (second: number) => [person(Math.floor(second / 20), 0.65, 0.55)];
    watch(feet, 601, cut);
    expect(feet.advice).toMatchObject({ zone: 'checkoutZone' });
    feet.take();
    feet.stored();
    feet.hasMoved = true;
    expect(feet.advice).toBeNull();
    watch(feet, 300, cut, 601);
    expect(feet.take()!.points).toEqual([]);
    expect(feet.advice).toBeNull();
    feet.hasMoved = false;
    watch(feet, 601, cut, 1000);
    expect(feet.advice).toMatchObject({ zone: 'checkoutZone', sinceMs: expect.any(Number) });
  });

  test('keeps the time at which an advice began', () => {
    const feet = new RunFeet(ZONES);
    const cut = (second: number) => [person(Math.floor(second / 20), 0.65, 0.55)];
    watch(feet, 601, cut);
    const { sinceMs } = feet.advice!;
    watch(feet, 601, cut, 601);
    expect(feet.advice!.sinceMs).toBe(sinceMs);
  });

  test('has no place of people who are cut off by an edge of the picture, or of boxes that are no numbers', () => {
    const feet = new RunFeet(ZONES);
    watch(feet, 61, () => [person(1, 0.3, 1.02), person(2, -0.2, 0.5), person(3, Number.NaN, 0.5)]);
    expect(feet.take()).toBeNull();
  });
});

test('points come back as they were stored, to a thousandth of the picture', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const point: fc.Arbitrary<FootPoint> = fc.record({
    minute: fc.integer({ min: 941, max: 1000 }),
    ...{ x: share, y: share, isStanding: fc.boolean(), isShort: fc.boolean() },
    feet: fc.constantFrom('seen' as const, 'estimated' as const, 'unknown' as const),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 360 }), (points) => {
      const close = points.map((each) => ({
        ...each,
        x: expect.closeTo(each.x, 3),
        y: expect.closeTo(each.y, 3),
      }));
      expect(decodeFeet(encodeFeet(points, 1000), 1000)).toEqual(close);
    }),
  );
});
