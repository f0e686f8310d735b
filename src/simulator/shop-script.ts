import { type ArrivalSource, Arrivals } from './arrivals/arrivals.ts';
import { Standers, ZonePassers } from './arrivals/crossing-arrivals.ts';
import { facingArrivals } from './arrivals/facing-arrivals.ts';
import { type Costume, randomCostume, uniformCostume } from './draw/costume.ts';
import { inGroups } from './groups.ts';
import type { Carried } from './person.ts';
import { createRandom, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';

/** The parts of a scenario. */
interface Script {
  readonly costumeOf: (random: Random) => Costume;
  /** What a customer pushes or carries. */
  readonly carriedBy: (random: Random) => Carried | null;
  readonly sources: readonly ArrivalSource[];
}

const TROLLEY_SHARE = 0.4;
const BASKET_SHARE = 0.3;

function shopping(random: Random): Carried | null {
  const drawn = random.next();
  if (drawn < TROLLEY_SHARE) return 'trolley';
  return drawn < TROLLEY_SHARE + BASKET_SHARE ? 'basket' : null;
}

export function scriptOf(scenario: Scenario, seed: number): Script {
  const customers = new Arrivals(createRandom(seed, 1), scenario === 'crowd' ? 0.75 : 1);
  const classic: Script = { costumeOf: randomCostume, carriedBy: () => null, sources: [customers] };
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
      return { ...classic, sources: [customers, new Standers(others)] };
    case 'till':
      return { ...classic, carriedBy: shopping };
    case 'facing':
      return { ...classic, carriedBy: shopping, sources: [facingArrivals(createRandom(seed, 1))] };
  }
}
