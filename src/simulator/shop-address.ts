import { SCENARIOS, type Scenario } from './scenario.ts';

/** Further on it would take long to catch up: the world walks to its start step by step. */
const MAX_START_SECONDS = 3600;

/** What an address that is refused should have been. */
export const WANTED_SHOP_ADDRESS = `must be sim:shop, and may have ?seed=N, &start=SECONDS (0-${MAX_START_SECONDS}) and &scenario=${SCENARIOS.join('|')}`;

/** A simulated shop: its seed, how long it has been open when the camera is switched on (ms), and what happens there. */
export interface ShopAddress {
  readonly seed: number;
  readonly startMs: number;
  readonly scenario: Scenario;
}

/** @returns null if `url` names no simulated shop; `WANTED_SHOP_ADDRESS` says what would */
export function parseShopAddress(url: string): ShopAddress | null {
  const query = /^sim:shop(?:\?(.*))?$/.exec(url)?.[1] ?? (url === 'sim:shop' ? '' : null);
  if (query === null) return null;
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { seed = '1', start = '0', scenario: wanted = 'classic', ...others } = parameters;
  const scenario = SCENARIOS.find((known) => known === wanted);
  const known = /^\d{1,9}$/.test(seed) && /^\d{1,4}$/.test(start) && Object.keys(others).length === 0;
  if (!known || !scenario || Number(start) > MAX_START_SECONDS) return null;
  return { seed: Number(seed), startMs: Number(start) * 1000, scenario };
}
