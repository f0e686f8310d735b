import type { Context } from '../platform/context.ts';
import { throwFirst } from '../platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../platform/database/partitions/remove-old-partitions.store.ts';
import { daysBefore } from '../platform/database/remove-old.ts';
import { removeOldHours } from './packed/pack.store.ts';
import { PACKED_ROLLING, PACKED_SNAPSHOTS } from './packed/packed-tables.store.ts';
import { ROLLING_RECORDS, SNAPSHOTS } from './partitions.ts';

/** Removes snapshots and rolling records after their days of retention. @throws Error why old partitions stay */
export async function removeOldMetrics({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  await removeOldHours(db, PACKED_SNAPSHOTS, before(config.snapshotRetentionDays));
  await removeOldHours(db, PACKED_ROLLING, before(config.rollingRetentionDays));
  throwFirst([
    await removeOldPartitions(db, SNAPSHOTS, before(config.snapshotRetentionDays)),
    await removeOldPartitions(db, ROLLING_RECORDS, before(config.rollingRetentionDays)),
  ]);
}
