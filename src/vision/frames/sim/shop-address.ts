/** Further on it would take long to catch up: the world walks to its start step by step. */
const MAX_START_SECONDS = 3600;

/** What an address that is refused should have been. */
export const WANTED_SHOP_ADDRESS = `must be sim:shop, sim:shop?seed=N or sim:shop?seed=N&start=SECONDS (0-${MAX_START_SECONDS})`;

/** A simulated shop: its seed, and how long it has been open when the camera is switched on, in ms. */
export interface ShopAddress {
  readonly seed: number;
  readonly startMs: number;
}

/** @returns null if `url` names no simulated shop; `WANTED_SHOP_ADDRESS` says what would */
export function parseShopAddress(url: string): ShopAddress | null {
  const query = /^sim:shop(?:\?(.*))?$/.exec(url)?.[1] ?? (url === 'sim:shop' ? '' : null);
  if (query === null) return null;
  const { seed = '1', start = '0', ...others } = Object.fromEntries(new URLSearchParams(query));
  const known = /^\d{1,9}$/.test(seed) && /^\d{1,4}$/.test(start) && Object.keys(others).length === 0;
  if (!known || Number(start) > MAX_START_SECONDS) return null;
  return { seed: Number(seed), startMs: Number(start) * 1000 };
}
