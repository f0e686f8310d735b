import type { Tx } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';

/** Whoever follows the user's insights is told at commit that one is new or has changed. */
export const announceInsight = (tx: Tx, { userId, id }: { userId: string; id: string }): Promise<void> =>
  notify(tx, CHANNELS.insights, `${userId},${id}`);
