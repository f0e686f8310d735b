import type { Context } from '../../platform/context.ts';
import { removeEnded } from './session.store.ts';

/** Removes sessions a week after they ended, and codes that were not used in time. */
export const removeOldSessions = ({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<void> =>
  removeEnded(db, clock.now());
