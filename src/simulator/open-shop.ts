import { type DrawnScenario, TILL_SCENARIOS, type TillScenario } from './scenario.ts';
import { ShopWorld } from './shop-world.ts';
import { TillWorld } from './tills/till-world.ts';

/** A shop with one line and two terminals, or one with a row of tills. */
export type Shop = ShopWorld | TillWorld;

const hasTills = (scenario: DrawnScenario): scenario is TillScenario =>
  TILL_SCENARIOS.some((known) => known === scenario);

/** The shop of a seed, empty at opening. */
export const openShop = (seed: number, scenario: DrawnScenario = 'classic'): Shop =>
  hasTills(scenario) ? new TillWorld(seed, scenario) : new ShopWorld(seed, scenario);
