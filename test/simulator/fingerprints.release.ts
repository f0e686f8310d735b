import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Scenario } from '../../src/simulator/scenario.ts';
import { ShopLog } from '../../src/simulator/shop-log.ts';
import { ShopWorld, STEP_MS } from '../../src/simulator/shop-world.ts';

/** Everything about everybody at each step of five minutes, and the log. */
function fingerprint(scenario: Scenario, seed: number): string {
  const world = new ShopWorld(seed, scenario);
  const log = new ShopLog();
  const hash = createHash('sha256');
  for (let timeMs = STEP_MS; timeMs <= 300_000; timeMs += STEP_MS) {
    world.advanceTo(timeMs);
    log.observe(world);
    const people = world.people.map((person) => {
      const { id, x, z, heading, standing, inLine, outcome, costume } = person;
      return [id, x, z, heading, standing, inLine, outcome, costume];
    });
    hash.update(JSON.stringify(people));
  }
  return hash.update(JSON.stringify(log.persons)).digest('hex');
}

// `scenarios.release` says what the shops are like. Run it before you write down another shop than these.
test.each([
  ['classic', 1, 'd430704a80286f1f89950dd1bd721432b81d4538e23ccb34034e1bc0fae280a9'],
  ['classic', 85, '1bda1bc2fb3007f32cbf7f87dca4ca8754a2f0ca033be0c1ef0ad7c75427e1f9'],
  ['passers', 1, '2d4fefbe7d13b44e53f6171e52ac91b0d287b461a48b0511246f2ba9173e2e37'],
  ['groups', 1, '20efc1966d7bda8c81cc344e59e8f48e8012d5745b97c987fe76501c7b4e5930'],
  ['uniform', 1, '0898ec4a947eb27e561b39ef7a49e47338058c380042400bd28ad91e73a21e3b'],
  ['crowd', 1, '5bdcb139ec86cd88cb5848f1d1d98faf4dc25e08469ad853e8a6562094103acf'],
] as const)('the shop %p of seed %i has not changed', (scenario, seed, expected) => {
  expect(fingerprint(scenario, seed)).toBe(expected);
});
