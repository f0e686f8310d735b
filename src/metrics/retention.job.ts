import type { Context } from '../platform/context.ts';
import { createPartitions } from '../platform/database/partitions/create-partitions.store.ts';
import { removeOldPartitions } from '../platform/database/partitions/remove-old-partitions.store.ts';
import { daysBefore } from '../platform/database/remove-old.ts';
import { PARTITIONED, ROLLING_RECORDS, SNAPSHOTS } from './partitions.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock'>;

/** Makes the partitions of the next days. @throws Error why they are missing: rows go into the default partition meanwhile */
export async function makeMetricPartitions({ db, clock }: JobContext): Promise<void> {
  const refusals: (string | null)[] = [];
  for (const spec of PARTITIONED) refusals.push(await createPartitions(db, spec, clock.now()));
  throwFirst(refusals);
}

/** Removes snapshots and rolling records after their days of retention. @throws Error why old partitions stay */
export async function removeOldMetrics({ config, db, clock }: JobContext): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  throwFirst([
    await removeOldPartitions(db, SNAPSHOTS, before(config.snapshotRetentionDays)),
    await removeOldPartitions(db, ROLLING_RECORDS, before(config.rollingRetentionDays)),
  ]);
}

function throwFirst(refusals: readonly (string | null)[]): void {
  const refusal = refusals.find((each) => each !== null);
  if (refusal) throw new Error(refusal);
}
