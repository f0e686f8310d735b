import type { Context } from '../../platform/context.ts';
import { startOf } from '../../platform/database/partitions/partitions.store.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { dropEmptyPartitions, findUnpacked, packDay } from './pack.store.ts';
import { PACKED } from './packed-tables.ts';

/**
 * Packs the minutes, snapshots and rolling records of the days before yesterday. Each transaction packs a day of a scene: a job that is
 * killed, and two at once, pack nothing twice.
 */
export async function packRows({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = startOf('day', daysBefore(clock.now(), 1));
  for (const spec of PACKED) {
    for (;;) {
      const scenes = await findUnpacked(db, spec, before);
      let packed = 0;
      for (const scene of scenes) packed += await packDay(db, spec, scene);
      if (packed === 0) break;
    }
    await dropEmptyPartitions(db, spec, before);
  }
}
