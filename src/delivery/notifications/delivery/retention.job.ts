import type { Context } from '../../../platform/context.ts';
import { daysBefore } from '../../../platform/database/remove-old.ts';
import { removeOldNotifications } from './delivery.store.ts';

const ATTEMPT_DAYS = 30;

/** Removes attempts after 30 days, as those to webhooks. */
export const removeOldMessages = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  removeOldNotifications(db, daysBefore(clock.now(), ATTEMPT_DAYS));
