import type { Context } from '../platform/context.ts';
import { removeOldAttempts, removeOldEvents } from './retention.store.ts';

const DAY_MS = 86_400_000;
const ATTEMPT_DAYS = 30;
/** Longer than the month in which an event may be told once. */
const EVENT_DAYS = 62;
/** Small enough that nobody waits for the locks of one statement. */
const BATCH = 2_000;

/** Removes attempts after 30 days, and events once they are of no use to anybody. */
export async function removeOldDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  while ((await removeOldAttempts(db, { before: before(ATTEMPT_DAYS), atMost: BATCH })) === BATCH);
  while ((await removeOldEvents(db, { before: before(EVENT_DAYS), atMost: BATCH })) === BATCH);
}
