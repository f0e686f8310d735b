import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SHOP_VIEW } from '../../src/simulator/camera.ts';
import type { Person } from '../../src/simulator/person.ts';
import { SCENARIOS, type Scenario } from '../../src/simulator/scenario.ts';
import { ShopLog } from '../../src/simulator/shop-log.ts';
import { ShopWorld, STEP_MS } from '../../src/simulator/shop-world.ts';

const TEN_MINUTES_MS = 600_000;
const SEEDS = [1, 2, 3];
const NEW = SCENARIOS.filter((scenario) => scenario !== 'classic');
const EVERY_CASE = NEW.flatMap((scenario) => SEEDS.map((seed) => [scenario, seed] as const));

function live(
  scenario: Scenario,
  seed: number,
  { untilMs = TEN_MINUTES_MS, eachStep }: { untilMs?: number; eachStep: (world: ShopWorld) => void },
): void {
  const world = new ShopWorld(seed, scenario);
  const name = nameOf(scenario, seed);
  const log = untilMs === TEN_MINUTES_MS && !logs.has(name) ? new ShopLog() : null;
  for (let timeMs = STEP_MS; timeMs <= untilMs; timeMs += STEP_MS) {
    world.advanceTo(timeMs);
    log?.observe(world);
    eachStep(world);
  }
  if (log) logs.set(name, log);
}

/** Of the shops that have lived for ten minutes already, so that none lives again for its log alone. */
const logs = new Map<string, ShopLog>();
const nameOf = (scenario: Scenario, seed: number) => `${scenario} ${seed}`;

function logOf(scenario: Scenario, seed: number): ShopLog {
  const name = nameOf(scenario, seed);
  if (!logs.has(name)) live(scenario, seed, { eachStep: () => undefined });
  return logs.get(name)!;
}

const apart = (a: Person, b: Person) => Math.hypot(a.x - b.x, a.z - b.z);
const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(part * values.length)]!;
const isInView = ({ x, z }: Person) => Math.abs(x) < SHOP_VIEW.halfViewWidth(z);

/** Everything about everybody at each step, and the log. */
function fingerprint(scenario: Scenario, seed: number, untilMs: number): string {
  const hash = createHash('sha256');
  const log = new ShopLog();
  live(scenario, seed, {
    untilMs,
    eachStep: (world) => {
      log.observe(world);
      const people = world.people.map((person) => {
        const { id, x, z, heading, standing, inLine, outcome, costume } = person;
        return [id, x, z, heading, standing, inLine, outcome, costume];
      });
      hash.update(JSON.stringify(people));
    },
  });
  return hash.update(JSON.stringify(log.persons)).digest('hex');
}

test('each scenario and each seed give another shop, always the same', () => {
  const printsOf = (seed: number) => SCENARIOS.map((scenario) => fingerprint(scenario, seed, 120_000));
  const prints = printsOf(7);
  expect(printsOf(7)).toEqual(prints);
  expect(new Set([...prints, ...printsOf(8)]).size).toBe(2 * SCENARIOS.length);
});

describe.each(EVERY_CASE)('%s, seed %i', (scenario, seed) => {
  test('each person is present once, without jumps, returns or an endless stay', () => {
    const last = new Map<number, { x: number; z: number; timeMs: number; sinceMs: number }>();
    let longestStep = 0;
    let longestStayMs = 0;
    let isOnceEach = true;
    let isWithoutReturn = true;
    live(scenario, seed, {
      eachStep: ({ people, timeMs }) => {
        isOnceEach &&= new Set(people.map(({ id }) => id)).size === people.length;
        for (const { id, x, z, isStaff } of people) {
          const before = last.get(id);
          if (before) {
            longestStep = Math.max(longestStep, Math.hypot(x - before.x, z - before.z));
            isWithoutReturn &&= before.timeMs === timeMs - STEP_MS;
          }
          const sinceMs = before?.sinceMs ?? timeMs;
          // Staff stay all day.
          if (!isStaff) longestStayMs = Math.max(longestStayMs, timeMs - sinceMs);
          last.set(id, { x, z, timeMs, sinceMs });
        }
      },
    });
    expect(isOnceEach).toBe(true);
    expect(isWithoutReturn).toBe(true);
    // Two metres a second.
    expect(longestStep).toBeLessThan((2 * STEP_MS) / 1000);
    expect(longestStayMs).toBeLessThan(4 * 60_000);
  });

  test('the outcomes of the script agree with the times in the zones', () => {
    const log = logOf(scenario, seed);
    const { persons } = log;
    const lasting = (spans: readonly (readonly [number, number | null])[]) =>
      spans.some(([from, to]) => (to ?? TEN_MINUTES_MS / 1000) - from >= 3);
    // Somebody of a group may join the line when it is the group's turn already.
    const contrary = persons.filter(({ outcome, queue, checkout }) => {
      if (outcome === 'completed') return !lasting(queue) || !lasting(checkout);
      return outcome === 'abandoned' && (!lasting(queue) || lasting(checkout));
    });
    expect(contrary.length).toBeLessThanOrEqual(scenario === 'groups' ? 2 : 0);
    const passing = persons.filter(({ outcome }) => outcome === 'passedBy');
    const lingering = passing.filter(({ queue, checkout }) => lasting(queue) || lasting(checkout));
    expect(lingering.length / passing.length).toBeLessThan(0.06);
    expect(log.statistics().visits).toBeGreaterThanOrEqual(60);
  });
});

describe('what each scenario adds', () => {
  test.each(SEEDS)(
    'passers: five times as many people cross the zones as in the classic shop, seed %i',
    (seed) => {
      const crossing = (scenario: Scenario) =>
        logOf(scenario, seed).persons.filter(
          ({ outcome, queue, checkout }) => outcome === 'passedBy' && queue.length + checkout.length > 0,
        ).length;
      expect(crossing('passers')).toBeGreaterThanOrEqual(5 * crossing('classic'));
    },
  );

  test.each(SEEDS)('groups: people who wait or walk together stay together, seed %i', (seed) => {
    const sizes = new Map<number, Set<number>>();
    const waiting = new Set<number>();
    const distances: number[] = [];
    const abreast: number[] = [];
    live('groups', seed, {
      eachStep: ({ people }) => {
        const known = new Map(people.map((person) => [person.id, person]));
        for (const person of people) {
          if (person.group === null || person.group === person.id) continue;
          sizes.set(person.group, (sizes.get(person.group) ?? new Set([person.group])).add(person.id));
          const leader = known.get(person.group);
          if (!leader || !isInView(person) || !isInView(leader)) continue;
          if (person.inLine && leader.inLine) {
            waiting.add(person.id);
            distances.push(apart(person, leader));
          } else if (leader.outcome === 'passedBy') abreast.push(apart(person, leader));
        }
      },
    });
    const members = [...sizes.values()].map((group) => group.size);
    expect(Math.min(...members)).toBe(2);
    expect(Math.max(...members)).toBe(4);
    expect(members.length).toBeGreaterThanOrEqual(20);
    expect(waiting.size).toBeGreaterThanOrEqual(10);
    // Who goes around somebody falls behind for a moment.
    for (const all of [distances, abreast]) {
      expect(Math.max(...all)).toBeLessThan(4);
      expect(quantile(all, 0.98)).toBeLessThan(2);
    }
    expect(quantile(abreast, 0.5)).toBeGreaterThan(0.4);
    expect(quantile(abreast, 0.5)).toBeLessThan(1);
  });

  test('uniform: there are two kinds of clothes, and most wear the same', () => {
    const costumes = new Map<number, Person['costume']>();
    live('uniform', 1, {
      eachStep: ({ people }) => {
        for (const { id, costume } of people) costumes.set(id, costume);
      },
    });
    const clothes = [...costumes.values()].map(({ upper, lower }) => `${upper} ${lower}`);
    const counts = [...new Set(clothes)].map((worn) => clothes.filter((one) => one === worn).length);
    expect(counts).toHaveLength(2);
    expect(Math.max(...counts) / clothes.length).toBeGreaterThan(0.6);
  });

  test.each(SEEDS)('crowd: a longer line, and people who stand near it all the time, seed %i', (seed) => {
    const standing: number[] = [];
    live('crowd', seed, {
      eachStep: ({ people, timeMs }) => {
        if (timeMs > 120_000 && timeMs % 1000 === 0) {
          standing.push(people.filter((one) => one.standing && one.outcome === 'passedBy').length);
        }
      },
    });
    expect(Math.min(...standing)).toBeGreaterThanOrEqual(2);
    expect(standing.reduce((sum, one) => sum + one, 0) / standing.length).toBeGreaterThanOrEqual(4);
    const statistics = logOf('crowd', seed).statistics();
    expect(statistics.peakLine).toBeGreaterThanOrEqual(9);
    expect(statistics.occludedTimeShare).toBeGreaterThanOrEqual(0.7);
  });
});
