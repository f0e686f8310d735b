import type { Context } from '../platform/context.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';
import { removeOldHours, removeOldTracks } from './erase.store.ts';

/** A track that lasts longer than this would be counted twice. */
const TRACK_DAYS = 7;
/** Statistics reach back so far. */
const HOUR_DAYS = 800;

/** Removes attribute records after their days of retention, and the rows that only serve to count them. */
export async function removeOldAttributes({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  await removeOld(db, { table: 'AttributeRecord', before: before(config.attributeRetentionDays) });
  await removeOldTracks(db, before(TRACK_DAYS));
  await removeOldHours(db, before(HOUR_DAYS));
}
