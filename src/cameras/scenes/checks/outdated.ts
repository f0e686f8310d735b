import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { storedConfig, storedZones } from '../../../vision/stored-config.ts';

const storedWarnings = z.array(z.object({ reason: z.string(), since: z.string() }));

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
  if (!isDeepStrictEqual(storedZones.parse(zones), storedConfig.parse(config).zones)) return 'zones_changed';
  const hasMoved = storedWarnings
    .parse(warnings)
    .some((warning) => warning.reason === 'view_changed' && new Date(warning.since) > since);
  return hasMoved || movedAt !== null ? 'view_changed' : null;
}
