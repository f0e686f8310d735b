import type { Context } from '../platform/context.ts';
import { daysBefore } from '../platform/database/remove-old.ts';
import { removeDeletedEvents, removeOldEvents } from './event.store.ts';

/** After this time nothing looks for images of a deleted event any more. */
const DELETED_DAYS = 30;

/** Removes alert events with their insights after ALERT_RETENTION_DAYS, and the rows of those that users deleted. */
export async function removeOldAlerts({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> {
  const { alertRetentionDays } = config;
  await removeDeletedEvents(db, daysBefore(clock.now(), DELETED_DAYS));
  if (alertRetentionDays !== undefined)
    await removeOldEvents(db, daysBefore(clock.now(), alertRetentionDays));
}
