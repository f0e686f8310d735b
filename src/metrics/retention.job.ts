import type { Context } from '../platform/context.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';

/** Removes snapshots and rolling records after their days of retention. */
export async function removeOldMetrics({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  await removeOld(db, { table: 'MetricSnapshot', before: before(config.snapshotRetentionDays) });
  await removeOld(db, { table: 'RollingRecord', before: before(config.rollingRetentionDays) });
}
