import { describe, expect, test } from '@jest/globals';
import { bodyBox, perfectDetections, visibleBodies } from '../../src/simulator/faults/script-boxes.ts';
import { carriedBlock, silhouette, visiblePart } from '../../src/simulator/furniture.ts';
import type { Person } from '../../src/simulator/person.ts';
import type { FURNISHED } from '../../src/simulator/scenario.ts';
import { ShopLog } from '../../src/simulator/shop-log.ts';
import { ShopWorld } from '../../src/simulator/shop-world.ts';
import { height } from '../../src/vision/geometry.ts';

/** Calls with the shop twice a second for some minutes. */
function live(
  scenario: (typeof FURNISHED)[number],
  minutes: number,
  see: (world: ShopWorld) => void,
): ShopLog {
  const world = new ShopWorld(1, scenario);
  const log = new ShopLog();
  for (let timeMs = 500; timeMs <= minutes * 60_000; timeMs += 500) {
    world.advanceTo(timeMs);
    log.observe(world);
    see(world);
  }
  return log;
}

const share = (part: number, whole: number): number => part / whole;

describe('the till', () => {
  test('has legs that counters, trolleys and baskets hide, and feet that stay where they are', () => {
    let seen = 0;
    let cut = 0;
    const cutBy = new Set<string | null>();
    live('till', 4, ({ people, place }) => {
      for (const { person, box, foot } of visibleBodies(people, place)) {
        const whole = bodyBox(person, place.view);
        seen++;
        expect([box.top, foot]).toEqual([whole.top, whole.bottom]);
        if (height(box) > 0.95 * height(whole)) continue;
        cut++;
        cutBy.add(person.isStaff ? 'staff' : person.carries);
      }
    });
    expect(share(cut, seen)).toBeGreaterThan(0.2);
    expect([...cutBy]).toEqual(expect.arrayContaining(['staff', 'trolley', null]));
  });

  test('has staff all the time, seated and standing, within a metre of customers, and no visit of theirs is true', () => {
    const staff = new Set<number>();
    let near = 0;
    const log = live('till', 4, ({ people }) => {
      const working = people.filter(({ isStaff }) => isStaff);
      for (const { id } of working) staff.add(id);
      expect(working.map(({ seatedMetres }) => seatedMetres > 0)).toEqual([true, true, false]);
      const customers = people.filter(({ isStaff }) => !isStaff);
      const isNear = (a: Person) => customers.some((b) => b.standing && Math.hypot(a.x - b.x, a.z - b.z) < 1);
      if (working.some(isNear)) near++;
    });
    expect(near).toBeGreaterThan(120);
    expect(staff.size).toBe(3);
    for (const { id, queue, checkout } of log.persons)
      if (staff.has(id)) expect([queue, checkout]).toEqual([[], []]);
  });
});

describe('the line that faces the camera', () => {
  test('has all heads at about one height of the picture, near and far', () => {
    const tops: number[] = [];
    const heights: number[] = [];
    live('facing', 4, ({ people, place }) => {
      for (const person of people.filter(({ inLine, standing }) => inLine && standing)) {
        const box = bodyBox(person, place.view);
        tops.push(box.top);
        heights.push(height(box));
      }
    });
    expect(Math.max(...heights) / Math.min(...heights)).toBeGreaterThan(1.8);
    const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
    expect(spread(tops)).toBeLessThan(0.4 * spread(heights));
  });

  test('is left past people who wait: some out of the picture at the edge next to the camera', () => {
    const left = new Set<number>();
    live('facing', 6, ({ people, place }) => {
      const waiting = people.filter(({ inLine }) => inLine).map((person) => bodyBox(person, place.view));
      for (const person of people.filter(({ outcome }) => outcome === 'completed')) {
        const box = bodyBox(person, place.view);
        const covers = waiting.some(
          (other) => other.bottom < box.bottom && other.right > box.left && other.left < box.right,
        );
        if (covers) left.add(person.id);
      }
    });
    expect(left.size).toBeGreaterThanOrEqual(5);
  });
});

describe('what furniture hides', () => {
  const world = new ShopWorld(1, 'till');
  const { view } = world.place;
  const box = { left: 0.4, right: 0.5, top: 0.2, bottom: 0.6 };
  const wall = (changes: object) => ({ left: -3, right: 3, front: 6, back: 6.2, height: 1, ...changes });

  test('is the lower part behind it, never the head, and nothing of who stands before it', () => {
    const cut = visiblePart(box, 8, [wall({})], view)!;
    expect(cut.bottom).toBeLessThan(0.6);
    expect(cut.bottom).toBeGreaterThan(silhouette(wall({}), view).top - 0.03);
    expect(visiblePart(box, 5, [wall({})], view)).toEqual(box);
    expect(visiblePart(box, 8, [wall({ right: -2 })], view)).toEqual(box);
  });

  test('is everything behind a wall, so that even a perfect detector finds nobody there', () => {
    expect(visiblePart(box, 8, [wall({ height: 2.6 })], view)).toBeNull();
    const people = world.people.filter(({ isStaff }) => isStaff);
    const hidden = { ...world.place, furniture: [wall({ height: 2.6, left: -9, right: 9 })] };
    expect(perfectDetections(people, hidden)).toEqual([]);
  });

  test('a basket stands on the floor only while its owner stands', () => {
    const person = { ...world.people[0]!, carries: 'basket' as const, standing: false };
    expect(carriedBlock(person)).toBeNull();
    expect(carriedBlock({ ...person, standing: true })).not.toBeNull();
  });
});
