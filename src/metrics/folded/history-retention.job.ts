import type { Context } from '../../platform/context.ts';
import { startOf, throwFirst } from '../../platform/database/partitions/partitions.store.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { removeOldMinutes } from '../packed/pack.store.ts';
import { removeOldSpans } from '../tills/till.store.ts';
import { findOldHistory, foldVisits, removeOldestDay } from './fold.store.ts';
import { dropOldMonths } from './old-minutes.store.ts';

/**
 * Removes visits after VISIT_RETENTION_DAYS, and minutes when their whole UTC month is older than MINUTE_RETENTION_DAYS. Sums of
 * quarters of an hour stay: visits move there in the statement that removes them, and those of minutes were written with them. So a job
 * that is killed, and two at once, count nothing twice.
 * @throws Error why old partitions of minutes stay
 */
export async function removeOldHistory({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  const left = await dropOldMonths(db, startOf('month', before(config.minuteRetentionDays)));
  // Whole days: no quarter of an hour keeps a part of its rows.
  const times = { visits: startOf('day', before(config.visitRetentionDays)), minutes: left.before };
  for (const { sceneId, hasVisits, hasMinutes } of await findOldHistory(db, times)) {
    if (hasVisits) while (await foldVisits(db, sceneId, times.visits));
    if (hasMinutes) while (await removeOldestDay(db, sceneId, times.minutes));
  }
  // After the rows: what another program has packed meanwhile is noted and removed here.
  await removeOldMinutes(db, times.minutes);
  await removeOldSpans(db, startOf('day', before(config.minuteRetentionDays)));
  throwFirst([left.reason]);
}
