import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { removeOldEvents } from '../events/event.store.ts';
import { removeOldAttempts } from './delivery.store.ts';

const ATTEMPT_DAYS = 30;
/** Longer than a month, because an event's `dedupeKey` must prevent a second report within a month. */
const EVENT_DAYS = 62;

/** Removes attempts after 30 days, and events after 62 days unless an attempt still belongs to them. */
export async function removeOldDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removeOldAttempts(db, daysBefore(clock.now(), ATTEMPT_DAYS));
  await removeOldEvents(db, daysBefore(clock.now(), EVENT_DAYS));
}
