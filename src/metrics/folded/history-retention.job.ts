import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { findOldHistory, foldVisits, removeOldestDay, startOfDay } from './fold.store.ts';

/**
 * Removes visits after VISIT_RETENTION_DAYS and minutes after MINUTE_RETENTION_DAYS. Sums of quarters of an hour stay: visits move
 * there in the statement that removes them, and those of minutes were written with them. So a job that is killed, and two at once,
 * count nothing twice.
 */
export async function removeOldHistory({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => startOfDay(daysBefore(clock.now(), days));
  const times = {
    visits: before(config.visitRetentionDays),
    minutes: before(config.minuteRetentionDays),
  };
  for (const { sceneId, hasVisits, hasMinutes } of await findOldHistory(db, times)) {
    if (hasVisits) while (await foldVisits(db, sceneId, times.visits));
    if (hasMinutes) while (await removeOldestDay(db, sceneId, times.minutes));
  }
}
