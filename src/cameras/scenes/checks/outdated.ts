import { isDeepStrictEqual } from 'node:util';

/** Why a check no longer tells about its scene; null while it does. */
export function outdatedBy({
  zones,
  config,
  warnings,
  since,
  movedAt = null,
}: {
  /** At the start of the check. */
  readonly zones: unknown;
  /** Of the scene now. */
  readonly config: unknown;
  /** Of the device now. */
  readonly warnings: unknown;
  readonly since: Date;
  /** When the view was seen to have moved; the warning may have passed. */
  readonly movedAt?: Date | null;
}): 'zones_changed' | 'view_changed' | null {
  if (!isDeepStrictEqual(zones, (config as { zones: unknown }).zones)) return 'zones_changed';
  const hasMoved = (warnings as { reason: string; since: string }[]).some(
    (warning) => warning.reason === 'view_changed' && new Date(warning.since) > since,
  );
  return hasMoved || movedAt !== null ? 'view_changed' : null;
}
