const KEY = 'reloaded';
/** A page that would reload again within this time shows what it has instead. */
const QUIET_MS = 10 * 60_000;

/**
 * Loads the page again, at most once in ten minutes for each reason, so that a fault that a reload does not mend never
 * becomes a loop.
 * @returns whether it reloads
 */
export function reloadOnce(reason: string): boolean {
  const key = `${KEY}:${reason}`;
  const last = Number(sessionStorage.getItem(key) ?? Number.NaN);
  if (Date.now() - last < QUIET_MS) return false;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}
