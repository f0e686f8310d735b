import type { Context } from '../../platform/context.ts';
import { addMonths, periodOf, periodStart } from '../period.ts';
import {
  beginFolding,
  findUnfinished,
  findUnfolded,
  finishFolding,
  foldBatch,
  type OldMonth,
} from './fold.store.ts';

/** Small enough that a statement takes less than a second. */
const EVENTS_AT_ONCE = 2_000;
const MONTHS_AT_ONCE = 50;

/**
 * Removes the usage events of months that ended USAGE_RETENTION_MONTHS ago, and the ledger rows that charged them. Their
 * sums move to `FoldedQuota` in the same statement, so that the ledger audit passes after each batch and after a kill.
 */
export async function foldMonths({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = periodOf(addMonths(periodStart(periodOf(now)), -config.usageRetentionMonths));
  const fold = async (month: OldMonth) => {
    while ((await foldBatch(db, month, EVENTS_AT_ONCE)) > 0);
    await finishFolding(db, month, now);
  };
  for (const month of await findUnfinished(db, MONTHS_AT_ONCE)) await fold(month);
  for (;;) {
    const months = await findUnfolded(db, before, MONTHS_AT_ONCE);
    if (months.length === 0) return;
    for (const month of months) {
      await beginFolding(db, month);
      await fold(month);
    }
  }
}
