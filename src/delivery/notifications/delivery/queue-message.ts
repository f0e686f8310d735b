import { randomUUID } from 'node:crypto';
import type { Sealer } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { ChannelKind } from '../../../platform/prisma-client/client.ts';
import { MAX_ATTEMPTS } from '../messages/make-messages.ts';
import { type Content, sealContent } from './content.ts';
import { type Delivery, insertMessage } from './delivery.store.ts';

interface Receiver {
  readonly id: string;
  readonly userId: string;
  readonly kind: ChannelKind;
}

export interface QueuedMessage {
  readonly kind: 'confirmation' | 'test' | 'report';
  /** Absent for a test: its words are always the same. */
  readonly content?: Content;
  /** The record of the report; a trigger tells it when all its messages have failed. */
  readonly reportId?: string;
  /** Attempts; the first and those after failures. */
  readonly maxAttempts?: number;
}

/**
 * Stores a message that is not about events, in the transaction that causes it. It is sent as all others are: at once, at least
 * once, tried again after failures, with a record of each attempt.
 * @param channel of a user; it is not sent unless it is enabled, except its own code
 */
export function queueMessage(
  { sealer }: { readonly sealer: Sealer },
  tx: Tx,
  channel: Receiver,
  { kind, content, reportId, maxAttempts = MAX_ATTEMPTS }: QueuedMessage,
): Promise<Delivery> {
  const messageId = randomUUID();
  return insertMessage(tx, {
    userId: channel.userId,
    channelId: channel.id,
    channelKind: channel.kind,
    messageId,
    kind,
    reportId: reportId ?? null,
    maxAttempts,
    isFinalAttempt: maxAttempts === 1,
    contentEncrypted: content ? sealContent(sealer, messageId, content) : null,
  });
}
