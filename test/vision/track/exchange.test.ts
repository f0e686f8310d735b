import { describe, expect, test } from '@jest/globals';
import { Identity } from '../../../src/vision/track/identity.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, Detection, Look, Track } from '../../../src/vision/types.ts';

const RED: Look = [180, 40, 40, 30, 30, 60];
const GREEN: Look = [40, 150, 60, 200, 190, 170];
const BLUE: Look = [40, 40, 180, 120, 60, 20];

const BOX: Box = { left: 0.4, top: 0.4, right: 0.5, bottom: 0.8 };
const at = (timeMs: number) => ({ box: BOX, timeMs });
const shown = (look: Look) => ({ look, showsTorso: true, showsLegs: true });
const person = (x: number, look: Look, bottom = 0.8): Detection => ({
  box: { left: x - 0.05, top: bottom - 0.4, right: x + 0.05, bottom },
  score: 0.85,
  classId: 0,
  look,
});

describe('Identity', () => {
  const known = () => {
    const identity = new Identity(TRACKER_DEFAULTS, shown(RED), at(0));
    for (let i = 1; i < TRACKER_DEFAULTS.knownSightings; i++) identity.see(shown(RED), at(i));
    return identity;
  };

  test('is known after some sightings, and not led astray by another look', () => {
    const identity = known();
    expect(identity.isKnown).toBe(true);
    identity.see(shown(GREEN), at(100));
    identity.see(shown(GREEN), at(101));
    expect(identity.stranger).toMatchObject({ sinceMs: 100, sightings: 2 });
    expect(identity.own.timeMs).toBe(7);
    expect(identity.difference(identity.stranger!.look)).toBeGreaterThan(80);
  });

  test('one sighting of its own ends the doubt', () => {
    const identity = known();
    identity.see(shown(GREEN), at(100));
    identity.see(shown(RED), at(101));
    expect(identity.stranger).toBeNull();
    expect(identity.own.timeMs).toBe(101);
  });

  test('a look that stays nobody else’s becomes its own', () => {
    const identity = known();
    for (let i = 0; i <= TRACKER_DEFAULTS.newLookSightings; i++) identity.see(shown(GREEN), at(100 + i));
    expect(identity.stranger).toBeNull();
    identity.see(shown(RED), at(200));
    expect(identity.stranger).toMatchObject({ sightings: 1 });
  });
});

describe('people who took each other’s track', () => {
  const FPS = 5;

  /** Two people stand side by side for four seconds, others all the time; what is seen of the two from then on is given. */
  function film(after: (seconds: number) => Detection[], others: readonly Detection[] = []): Track[][] {
    const tracker = new Tracker();
    return Array.from({ length: 12 * FPS }, (_, frame) => {
      const seconds = frame / FPS;
      const before = [person(0.4, RED), person(0.52, GREEN)];
      return tracker.update([...others, ...(seconds < 4 ? before : after(seconds))], seconds * 1000);
    });
  }
  const idAt = (tracks: readonly Track[], x: number) =>
    tracks.find(({ box }) => Math.abs((box.left + box.right) / 2 - x) < 0.05)?.id;

  test.each([
    ['alone', []],
    ['before somebody whom they partly hide', [person(0.46, BLUE, 0.78)]],
  ])('get their own back once each has been seen for a while, %s', (_where, others) => {
    // At 4 s they have changed places between two frames: by boxes alone, nobody moved.
    const frames = film(() => [person(0.4, GREEN), person(0.52, RED)], others);
    const before = frames[3 * FPS]!;
    const after = frames.at(-1)!;
    expect(idAt(after, 0.4)).toBe(idAt(before, 0.52));
    expect(idAt(after, 0.52)).toBe(idAt(before, 0.4));
    expect(new Set(frames.flat().map(({ id }) => id)).size).toBe(2 + others.length);
  });

  test('the one still seen takes the track of the one out of sight', () => {
    const frames = film(() => [person(0.4, GREEN)]);
    expect(idAt(frames[6 * FPS]!, 0.4)).toBe(idAt(frames[3 * FPS]!, 0.52));
  });

  test('a look that is nobody’s changes no names', () => {
    const frames = film(() => [person(0.4, BLUE), person(0.52, GREEN)]);
    expect(idAt(frames[6 * FPS]!, 0.4)).toBe(idAt(frames[3 * FPS]!, 0.4));
  });

  test('somebody who looks the same far away is not the owner', () => {
    const tracker = new Tracker();
    const frames = Array.from({ length: 8 * FPS }, (_, frame) => {
      const seconds = frame / FPS;
      const near = seconds < 4 ? person(0.1, RED) : person(0.1, GREEN);
      return tracker.update(seconds < 4 ? [near, person(0.9, GREEN)] : [near], seconds * 1000);
    });
    expect(idAt(frames[6 * FPS]!, 0.1)).toBe(idAt(frames[3 * FPS]!, 0.1));
  });
});

describe('somebody whose track a passer-by took', () => {
  const FPS = 5;

  /** RED stands; from 4 s on a passer-by is there instead and walks off, from 5.4 s on somebody stands there again. */
  function film(again: Look): Track[][] {
    const tracker = new Tracker();
    return Array.from({ length: 10 * FPS }, (_, frame) => {
      const seconds = frame / FPS;
      const passing = person(0.4 + 0.06 * Math.max(0, seconds - 4), BLUE, 0.83);
      const standing = seconds < 4 ? [person(0.4, RED)] : seconds < 5.4 ? [] : [person(0.4, again)];
      return tracker.update([...standing, ...(seconds < 4 ? [] : [passing])], seconds * 1000);
    });
  }
  const fromLeft = (tracks: readonly Track[]) => tracks.toSorted((a, b) => a.box.left - b.box.left);
  const idsAt = (tracks: readonly Track[]) => fromLeft(tracks).map(({ id }) => id);

  test('gets it back when seen again', () => {
    const frames = film(RED);
    const [mine] = idsAt(frames[3 * FPS]!);
    expect(idsAt(frames[5 * FPS]!)).toEqual([mine]);
    const [standing, passing] = idsAt(frames.at(-1)!);
    expect(standing).toBe(mine);
    expect(passing).toBeDefined();
  });

  test('and the passer-by is known by their own look from then on', () => {
    const [, passing] = fromLeft(film(RED)[6.4 * FPS]!);
    expect(passing?.look?.look[2]).toBeCloseTo(BLUE[2]!, 0);
  });

  test('is not who looks otherwise', () => {
    const frames = film(GREEN);
    const [mine] = idsAt(frames[3 * FPS]!);
    expect(idsAt(frames.at(-1)!)[0]).not.toBe(mine);
  });

  test('is told with the look of its own, and with what is seen instead', () => {
    const passing = film(RED)[4 * FPS + 2]![0]!;
    expect(passing.look?.look[0]).toBeCloseTo(RED[0]!, 0);
    expect(passing.shown?.look[2]).toBeCloseTo(BLUE[2]!, 0);
  });
});
