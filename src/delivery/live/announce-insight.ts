import type { Tx } from '../../platform/database/db.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';

/** Notifies the event streams of a user, at commit, that an insight is new or has changed. */
export const announceInsight = (tx: Tx, { userId, id }: { userId: string; id: string }): Promise<void> =>
  notify(tx, CHANNELS.insights, `${userId},${id}`);
