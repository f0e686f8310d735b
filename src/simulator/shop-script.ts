import { type ArrivalSource, Arrivals } from './arrivals.ts';
import { Standers, ZonePassers } from './crossing-arrivals.ts';
import { type Costume, randomCostume, uniformCostume } from './draw/costume.ts';
import { inGroups } from './groups.ts';
import { CLASSIC_LINE, DENSE_LINE, type LineLayout } from './layout.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';

/** The parts of a scenario. */
interface Script {
  readonly line: LineLayout;
  readonly costumeOf: (random: Random) => Costume;
  readonly sources: readonly ArrivalSource[];
}

export function scriptOf(scenario: Scenario, seed: number): Script {
  const customers = new Arrivals(createRandom(seed, 1), scenario === 'crowd' ? 0.75 : 1);
  const classic: Script = { line: CLASSIC_LINE, costumeOf: randomCostume, sources: [customers] };
  const others = createRandom(seed, 4);
  switch (scenario) {
    case 'classic':
      return classic;
    case 'passers':
      return { ...classic, sources: [customers, new ZonePassers(others)] };
    case 'groups':
      return { ...classic, sources: [inGroups(customers, others)] };
    case 'uniform':
      return { ...classic, costumeOf: uniformCostume };
    case 'crowd':
      return { ...classic, line: DENSE_LINE, sources: [customers, new Standers(others)] };
  }
}
