import { ATTRIBUTE_RECORDS } from './attributes/partitions.ts';
import { MINUTES, ROLLING_RECORDS, SNAPSHOTS } from './metrics/partitions.ts';
import { requireDirectDatabaseUrl } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { fillIndexes } from './platform/database/fill-indexes.store.ts';
import { createPartitions } from './platform/database/partitions/create-partitions.store.ts';
import { type PartitionedTable, throwFirst } from './platform/database/partitions/partitions.store.ts';

/** Every table with partitions; a test compares the list with the database. */
export const PARTITIONED: readonly PartitionedTable[] = [
  SNAPSHOTS,
  ROLLING_RECORDS,
  MINUTES,
  ATTRIBUTE_RECORDS,
];

/** Makes the partitions of the next days and months. @throws Error why they are missing: rows go into the default partition meanwhile */
export async function makePartitions({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const refusals: (string | null)[] = [];
  for (const spec of PARTITIONED) refusals.push(await createPartitions(db, spec, clock.now()));
  throwFirst(refusals);
}

/**
 * Tables whose rows come in the order of time and lie by scene, run or user first: their indexes get rows in the middle. Those that are
 * packed after a day are none of them.
 */
export const FILLED: readonly string[] = [
  ATTRIBUTE_RECORDS.table,
  'Visit',
  'OccupancyQuarter',
  'AttributeTrack',
  'QuotaTransaction',
  'UsageEvent',
];

/** Builds the indexes again whose pages are half empty. */
export const fillAllIndexes = ({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<number> =>
  fillIndexes(db, requireDirectDatabaseUrl(config), { tables: FILLED, now: clock.now() });
