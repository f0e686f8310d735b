import { dropEmptyPartitions, findUnpacked, packDay } from '../../../src/metrics/packed/pack.store.ts';
import { PACKED_AFTER_DAYS, PACKED_MINUTES } from '../../../src/metrics/packed/packed-tables.store.ts';
import type { Context } from '../../../src/platform/context.ts';
import { startOf } from '../../../src/platform/database/partitions/partitions.store.ts';
import { daysBefore } from '../../../src/platform/database/remove-old.ts';

/** Packs the minutes of all past days of all cameras, as the job does in its turns. The cameras were measured until now. */
export async function packMinutes({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.scene.updateMany({ data: { metricsUpdatedAt: now } });
  const before = startOf('day', daysBefore(now, PACKED_AFTER_DAYS));
  const unpacked = () => findUnpacked(db, PACKED_MINUTES, before, 50);
  for (let days = await unpacked(); days.length > 0; days = await unpacked())
    for (const day of days) await packDay(db, PACKED_MINUTES, day);
  await dropEmptyPartitions(db, PACKED_MINUTES, before);
}
