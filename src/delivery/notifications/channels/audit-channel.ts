import { type Actor, recordAudit } from '../../../audit/record-audit.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { Channel } from './channel.store.ts';

/** Whose channel it is, and who calls. */
export interface Owner {
  readonly userId: string;
  readonly by: Actor;
}

interface Done {
  readonly by: Actor;
  readonly action:
    | 'notification_channel_created'
    | 'notification_channel_confirmed'
    | 'notification_channel_removed';
  readonly at: Date;
}

/** Adds to the audit log what was done with a channel, in the same transaction. */
export const auditChannel = (
  tx: Tx,
  { id, userId, kind, address }: Channel,
  { by, action, at }: Done,
): Promise<void> =>
  recordAudit(tx, {
    ...{ userId, actor: by, action, at },
    target: { kind: 'notification_channel', id },
    details: { kind, address },
  });
