import { isDeepStrictEqual } from 'node:util';

/** Why a check no longer tells about its scene; null while it does. */
export function outdatedBy({
  zones,
  config,
  warnings,
  since,
}: {
  /** At the start of the check. */
  readonly zones: unknown;
  /** Of the scene now. */
  readonly config: unknown;
  /** Of the device now. */
  readonly warnings: unknown;
  readonly since: Date;
}): 'zones_changed' | 'view_changed' | null {
  if (!isDeepStrictEqual(zones, (config as { zones: unknown }).zones)) return 'zones_changed';
  const hasMoved = (warnings as { reason: string; since: string }[]).some(
    (warning) => warning.reason === 'view_changed' && new Date(warning.since) > since,
  );
  return hasMoved ? 'view_changed' : null;
}
