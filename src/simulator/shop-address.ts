import { DRAWN_SCENARIOS, type DrawnScenario } from './scenario.ts';

/** The world simulates every step up to its start, so a later start would take long. */
const MAX_START_SECONDS = 3600;

/** The error message for any other address. */
export const SHOP_ADDRESS_HINT = `must be sim:shop, and may have ?seed=N, &start=SECONDS (0-${MAX_START_SECONDS}) and &scenario=${DRAWN_SCENARIOS.join('|')}`;

export interface ShopAddress {
  readonly seed: number;
  /** How long the shop has been open at the first frame. */
  readonly startMs: number;
  readonly scenario: DrawnScenario;
}

/** @returns null if `url` is no valid address of a simulated shop */
export function parseShopAddress(url: string): ShopAddress | null {
  const query = /^sim:shop(?:\?(.*))?$/.exec(url)?.[1] ?? (url === 'sim:shop' ? '' : null);
  if (query === null) return null;
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { seed = '1', start = '0', scenario: name = 'classic', ...others } = parameters;
  const scenario = DRAWN_SCENARIOS.find((known) => known === name);
  const known = /^\d{1,9}$/.test(seed) && /^\d{1,4}$/.test(start) && Object.keys(others).length === 0;
  if (!known || !scenario || Number(start) > MAX_START_SECONDS) return null;
  return { seed: Number(seed), startMs: Number(start) * 1000, scenario };
}
