import { describe, expect, test } from '@jest/globals';
import type { Person } from '../../src/simulator/person.ts';
import { ShopLog } from '../../src/simulator/shop-log.ts';
import { ShopWorld, STEP_MS } from '../../src/simulator/shop-world.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

const TEN_MINUTES_MS = 600_000;
const SEEDS = IS_THOROUGH ? 20 : 3;
const LONG_MS = IS_THOROUGH ? 3_600_000 : TEN_MINUTES_MS;

function live(seed: number, untilMs: number, eachStep: (world: ShopWorld) => void): ShopWorld {
  const world = new ShopWorld(seed);
  for (let timeMs = STEP_MS; timeMs <= untilMs; timeMs += STEP_MS) {
    world.advanceTo(timeMs);
    eachStep(world);
  }
  return world;
}

const places = (people: readonly Person[]) => people.map(({ id, x, z, heading }) => ({ id, x, z, heading }));

describe('ShopWorld', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'ten minutes of seed %i have as many visits, outcomes and covered people as the README says',
    (seed) => {
      const log = new ShopLog();
      live(seed, TEN_MINUTES_MS, (world) => log.observe(world));
      const statistics = log.statistics();
      expect(statistics.visits).toBeGreaterThanOrEqual(60);
      expect(statistics.abandonedOrPassingShare).toBeGreaterThanOrEqual(0.25);
      expect(statistics.abandoned).toBeGreaterThanOrEqual(3);
      expect(statistics.peakLine).toBeGreaterThanOrEqual(5);
      expect(statistics.occludedTimeShare).toBeGreaterThanOrEqual(0.2);
      expect(statistics.smallestPerson).toBeLessThanOrEqual(0.2);
      expect(statistics.tallestPerson).toBeGreaterThanOrEqual(0.55);
    },
  );

  test('is the same at any frame rate, and different for another seed', () => {
    const [slow, fast, other] = [new ShopWorld(7), new ShopWorld(7), new ShopWorld(8)];
    for (let timeMs = 0; timeMs <= 90_000; timeMs += 100) fast.advanceTo(timeMs);
    slow.advanceTo(90_000);
    other.advanceTo(90_000);
    expect(places(slow.people)).toEqual(places(fast.people));
    expect(places(slow.people)).not.toEqual(places(other.people));
  });

  test('for long nobody jumps or stays for long, and fewer than 30 people are present', () => {
    const last = new Map<number, { x: number; z: number; sinceMs: number }>();
    let longestStep = 0;
    let longestStayMs = 0;
    let most = 0;
    live(3, LONG_MS, ({ people, timeMs }) => {
      for (const { id, x, z } of people) {
        const before = last.get(id);
        if (before) longestStep = Math.max(longestStep, Math.hypot(x - before.x, z - before.z));
        const sinceMs = before?.sinceMs ?? timeMs;
        longestStayMs = Math.max(longestStayMs, timeMs - sinceMs);
        last.set(id, { x, z, sinceMs });
      }
      most = Math.max(most, people.length);
    });
    expect(longestStep).toBeLessThan((2 * STEP_MS) / 1000);
    expect(longestStayMs).toBeLessThan(4 * 60_000);
    expect(most).toBeLessThan(30);
  });

  test('served people are in both zones, people who give up in the queue, people who pass by in neither for long', () => {
    const log = new ShopLog();
    live(11, TEN_MINUTES_MS, (world) => log.observe(world));
    for (const person of log.persons) {
      const [queue, checkout] = [person.queue, person.checkout];
      if (person.outcome === 'completed') expect([queue.length, checkout.length]).toEqual([1, 1]);
      if (person.outcome === 'abandoned') expect([queue.length, checkout.length]).toEqual([1, 0]);
      if (person.outcome === 'passedBy') {
        for (const [entered, left] of queue) expect((left ?? entered) - entered).toBeLessThan(2.5);
        expect(checkout).toEqual([]);
      }
    }
  });

  test('the zones lie well inside the frame', () => {
    for (const zone of [SHOP_ZONES.queueZone, SHOP_ZONES.checkoutZone]) {
      for (const [x, y] of zone.points) {
        expect(x).toBeGreaterThan(0.02);
        expect(x).toBeLessThan(0.98);
        expect(y).toBeGreaterThan(0.02);
        expect(y).toBeLessThan(0.98);
      }
    }
  });
});
