import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openShop } from '../../src/simulator/open-shop.ts';
import { type DrawnScenario, SCENARIOS, type Scenario } from '../../src/simulator/scenario.ts';
import { ShopFrames } from '../../src/simulator/shop-frames.ts';
import { ShopWorld } from '../../src/simulator/shop-world.ts';
import { TruthRecorder } from '../../src/simulator/truth.ts';

const FROM_MS = 40_000;

interface Film {
  readonly fps?: number;
  readonly scenario?: DrawnScenario;
  readonly ms?: number;
}

/** Draws so much of the first rush, from its middle on. */
async function film(seed: number, { fps = 5, scenario, ms = 400 }: Film = {}) {
  const shop = new ShopFrames({ seed, fps, startMs: FROM_MS, scenario });
  const pixels = new Uint8Array(shop.width * shop.height * 3);
  const hash = createHash('sha256');
  const drawn = [];
  for (let timeMs = 0; timeMs <= ms; timeMs += 1000 / fps) {
    await shop.prepare(timeMs);
    shop.frame(timeMs, pixels);
    hash.update(pixels);
    drawn.push(shop.drawn());
  }
  return { hash: hash.digest('hex'), drawn, pixels: Buffer.from(pixels) };
}

describe('ShopFrames', () => {
  test('draws the same pixels for the same seed, others for another', async () => {
    const [once, again, other] = [await film(3), await film(3), await film(4)];
    expect(again.hash).toBe(once.hash);
    expect(other.hash).not.toBe(once.hash);
  });

  test('each scenario gives different pixels; the default is classic', async () => {
    const films = [];
    for (const scenario of SCENARIOS) films.push((await film(3, { scenario, ms: 0 })).hash);
    expect(new Set(films).size).toBe(SCENARIOS.length);
    expect((await film(3, { ms: 0 })).hash).toBe(films[0]);
  });

  test('the truth has the scenario, except for classic', () => {
    const truthOf = (scenario?: Scenario) =>
      Object.keys(
        new TruthRecorder(new ShopWorld(3, scenario), {
          ...{ seed: 3, fps: 5 },
          ...(scenario && { scenario }),
        }).truth(),
      );
    expect(truthOf('groups').slice(0, 3)).toEqual(['seed', 'scenario', 'fps']);
    expect(truthOf('classic')).toEqual(truthOf());
    expect(truthOf()).not.toContain('scenario');
  });

  test('the frame at a time does not depend on the frame rate', async () => {
    const [slow, fast] = [await film(5), await film(5, { fps: 10 })];
    expect(fast.pixels.equals(slow.pixels)).toBe(true);
  });

  test('boxes have the proportions of bodies, and people are drawn far to near', async () => {
    const { drawn } = await film(3);
    const people = drawn.at(-1)!;
    expect(people.length).toBeGreaterThan(3);
    for (const [at, { person, left, right, top, bottom }] of people.entries()) {
      expect(bottom - top).toBeGreaterThan(50);
      expect((bottom - top) / (right - left)).toBeGreaterThan(1.4);
      if (at > 0) expect(person.z).toBeLessThanOrEqual(people[at - 1]!.person.z);
    }
  });

  test('the truth has the boxes of each frame with their visible share and facing', async () => {
    const recorder = new TruthRecorder(new ShopWorld(3), { seed: 3, fps: 5 });
    const { drawn } = await film(3, { ms: 1000 });
    for (const [at, people] of drawn.entries()) recorder.add(people, FROM_MS + at * 200);
    const { boxes, persons } = recorder.truth();
    expect(boxes).toHaveLength(6);
    const known = new Set(persons.map(({ id }) => id));
    for (const [id, left, top, right, bottom, visible, facing] of boxes.flat()) {
      expect(known.has(id)).toBe(true);
      expect(right).toBeGreaterThan(left);
      expect(bottom).toBeGreaterThan(top);
      expect(visible).toBeGreaterThanOrEqual(0);
      expect(visible).toBeLessThanOrEqual(1);
      expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(facing);
    }
  });

  test.each(['tills4', 'lines4'] as const)(
    'a shop with tills is drawn, and its truth knows them: %s',
    async (scenario) => {
      const { drawn } = await film(3, { scenario, ms: 1000 });
      expect(drawn.at(-1)!.length).toBeGreaterThan(2);
      const recorder = new TruthRecorder(openShop(3, scenario), { seed: 3, fps: 5, scenario });
      for (const [at, people] of drawn.entries()) recorder.add(people, FROM_MS + at * 200);
      const { zones, scenes = [zones], tills } = recorder.truth();
      const names = scenes.flatMap((scene) => scene.tills!.map(({ id }) => id));
      expect(scenes).toHaveLength(scenario === 'tills4' ? 1 : 4);
      expect(tills!.tillIds).toEqual(names);
      expect(tills!.states).toHaveLength(41);
      for (const second of tills!.states) expect(second).toHaveLength(names.length);
      expect(names).toEqual(expect.arrayContaining(tills!.services.map(({ tillId }) => tillId)));
      expect(tills!.services.length).toBeGreaterThan(0);
    },
  );

  test('throws an error without prepare()', () => {
    const shop = new ShopFrames({ seed: 1, fps: 5 });
    expect(() => shop.frame(0, new Uint8Array(0))).toThrow('prepare()');
  });
});
