import type { Db, Tx } from '../../platform/database/db.ts';
import {
  attempt,
  explain,
  listPartitions,
  PATIENCE_DAYS,
  type Partition,
} from '../../platform/database/partitions/partitions.store.ts';
import { drop, within } from '../../platform/database/partitions/remove-old-partitions.store.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { MINUTES } from '../partitions.ts';

/** What is left of the removal of minutes. */
export interface LeftMinutes {
  /** The rows before this time are to be removed one by one. */
  readonly before: Date;
  /** Why old partitions stay, in one sentence; null where none does. */
  readonly reason: string | null;
}

/**
 * Drops the months of minutes before a time. A month with minutes of a recording stays, because they go with the recording: its other
 * rows are left, and so are those of the default partition, of a partition without a beginning, and of partitions that may not be dropped. What
 * the next call can drop is not left.
 * @param before the start of a UTC month
 */
export async function dropOldMonths(db: Db, before: Date): Promise<LeftMinutes> {
  let left = before;
  let reason: string | null = null;
  for (const partition of await listPartitions(db, MINUTES)) {
    const { from, to, isDefault } = partition;
    if (isDefault || to === null || to > before) continue;
    const refusal = await attempt(db, (tx) => drop(tx, MINUTES, partition, () => mayGo(tx, partition)));
    if (refusal === null) continue;
    if (refusal === 'no right' || (refusal === 'busy' && to < daysBefore(before, PATIENCE_DAYS)))
      reason ??= explain(refusal, MINUTES);
    if (refusal !== 'no right' && from && from < left) left = from;
  }
  return { before: left, reason };
}

/** Notes for each scene of a partition that its minutes are gone. @returns false where a recording has some: nothing is noted */
async function mayGo(tx: Tx, partition: Partition): Promise<boolean> {
  const [{ isRecorded }] = await tx.$queryRaw<[{ isRecorded: boolean }]>`
    SELECT EXISTS (
      SELECT FROM "Recording" r WHERE EXISTS (
        SELECT FROM "OccupancyMinute" t WHERE t."sceneId" = r."sceneId" AND ${within(MINUTES, partition)})) AS "isRecorded"`;
  if (isRecorded) return false;
  await tx.$executeRaw`
    UPDATE "SceneTotals" s SET "minutesSince" = greatest("minutesSince", ${partition.to}) WHERE EXISTS (
      SELECT FROM "OccupancyMinute" t WHERE t."sceneId" = s."sceneId" AND ${within(MINUTES, partition)})`;
  return true;
}
