import type { Context } from '../platform/context.ts';
import { removeOldHours, removeOldRecords, removeOldTracks } from './retention.store.ts';

const DAY_MS = 86_400_000;
/** Small enough that nobody waits for the locks of one statement. */
const BATCH = 5_000;
/** A track that is still followed after so long would be counted a second time. */
const TRACK_DAYS = 7;
/** As far back as stats may be asked for. */
const HOUR_DAYS = 800;

/** Removes attribute records past their time, and what only served to count them. */
export async function removeOldAttributes({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  for (const [remove, days] of [
    [removeOldRecords, config.attributeRetentionDays],
    [removeOldTracks, TRACK_DAYS],
    [removeOldHours, HOUR_DAYS],
  ] as const) {
    while ((await remove(db, { before: before(days), atMost: BATCH })) === BATCH);
  }
}
