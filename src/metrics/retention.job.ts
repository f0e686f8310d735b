import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database/db.ts';
import { removeOldRecords } from './retention.store.ts';

const DAY_MS = 86_400_000;
/** Small enough that nobody waits for the locks of one statement. */
const BATCH = 5_000;

/** Removes snapshots and rolling records past their time, a batch at a time. */
export async function removeOldMetrics({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  await inBatches(db, 'MetricSnapshot', before(config.snapshotRetentionDays));
  await inBatches(db, 'RollingRecord', before(config.rollingRetentionDays));
}

async function inBatches(db: Db, table: 'MetricSnapshot' | 'RollingRecord', before: Date): Promise<void> {
  while ((await removeOldRecords(db, table, { before, atMost: BATCH })) === BATCH);
}
