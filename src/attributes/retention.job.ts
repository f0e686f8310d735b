import type { Context } from '../platform/context.ts';
import { throwFirst } from '../platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../platform/database/partitions/remove-old-partitions.store.ts';
import { daysBefore } from '../platform/database/remove-old.ts';
import { removeOldHours, removeOldTracks } from './erase.store.ts';
import { ATTRIBUTE_RECORDS } from './partitions.ts';

/** A track that lasts longer than this would be counted twice. */
const TRACK_DAYS = 7;
/** Statistics reach back so far. */
const HOUR_DAYS = 800;

/** Removes attribute records after their days of retention, and the rows that only serve to count them. @throws Error why old partitions stay */
export async function removeOldAttributes({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  const reason = await removeOldPartitions(db, ATTRIBUTE_RECORDS, before(config.attributeRetentionDays));
  await removeOldTracks(db, before(TRACK_DAYS));
  await removeOldHours(db, before(HOUR_DAYS));
  throwFirst([reason]);
}
