import type { Context } from '../../platform/context.ts';
import { startOf } from '../../platform/database/partitions/partitions.store.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { dropEmptyPartitions, findUnpacked, isUpgradeOver, packDay } from './pack.store.ts';
import { PACKED, PACKED_AFTER_DAYS } from './packed-tables.store.ts';

/** So many scenes of each table a turn, a day of each: the other timed jobs of the program wait meanwhile. */
const SCENES_AT_ONCE = 50;

/**
 * Packs the minutes, snapshots and rolling records of the days before yesterday. Each transaction packs a day of a
 * scene: a job that is killed, and two at once, pack nothing twice. What a turn leaves the next one packs.
 */
export async function packRows({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  if (!(await isUpgradeOver(db, daysBefore(now, 1)))) return;
  const before = startOf('day', daysBefore(now, PACKED_AFTER_DAYS));
  for (const spec of PACKED) {
    for (const scene of await findUnpacked(db, spec, before, SCENES_AT_ONCE)) await packDay(db, spec, scene);
    await dropEmptyPartitions(db, spec, before);
  }
}
