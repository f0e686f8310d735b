import { ApiError, invalidField, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { cancelCodes } from '../delivery/delivery.store.ts';
import { queueMessage } from '../delivery/queue-message.ts';
import { auditChannel, type Owner } from './audit-channel.ts';
import { type Channel, lockChannel, updateChannel } from './channel.store.ts';
import { CODE_MINUTES, CODE_TRIES, hashCode, isSameHash, makeCode, readCode } from './code.ts';
import { countMessage } from './message-limit.ts';
import { requireEmail } from './require-email.ts';

/** Makes a new code and stores the e-mail with it; the code before is no longer valid. */
export async function queueCode(context: Context, tx: Tx, channel: Channel): Promise<Channel> {
  const code = makeCode();
  await cancelCodes(tx, channel.id);
  await queueMessage(context, tx, channel, { kind: 'confirmation', content: { code } });
  return updateChannel(tx, channel.id, {
    codeHash: new Uint8Array(hashCode(context, channel.id, code)),
    codeExpiresAt: new Date(context.clock.now().getTime() + CODE_MINUTES * 60_000),
    codeTries: 0,
  });
}

/**
 * Sends another code to an e-mail address that is not confirmed, or whose channel was disabled.
 * @throws ApiError NOT_FOUND, CHANNEL_CONFIRMED, EMAIL_NOT_CONFIGURED, RATE_LIMITED
 */
export async function sendCode(
  context: Context,
  userId: string,
  id: string,
  lastStep: LastStep<Channel>,
): Promise<Channel> {
  await countMessage(context, userId);
  return context.db.$transaction(async (tx) => {
    const channel = orNotFound(await lockChannel(tx, { userId, id }), 'Channel');
    if (channel.kind === 'push')
      throw new ApiError(
        'CHANNEL_CONFIRMED',
        'A browser needs no code: delete the channel and subscribe the browser again',
      );
    if (channel.status === 'enabled')
      throw new ApiError('CHANNEL_CONFIRMED', 'The address is confirmed already');
    requireEmail(context);
    const sent = await queueCode(context, tx, channel);
    await lastStep(tx, sent);
    return sent;
  });
}

/**
 * Confirms an e-mail address by its code. A repeated call has the same result.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a wrong code, CODE_EXPIRED
 */
export async function confirmChannel(
  context: Context,
  { owner: { userId, by }, id }: { owner: Owner; id: string },
  typed: string,
): Promise<Channel> {
  const now = context.clock.now();
  // A wrong code is counted, so it may not undo the transaction.
  const result = await context.db.$transaction(
    async (tx): Promise<Channel | { triesLeft: number } | 'no code'> => {
      const channel = orNotFound(await lockChannel(tx, { userId, id }), 'Channel');
      if (channel.status === 'enabled') return channel;
      const { codeHash, codeExpiresAt, codeTries } = channel;
      if (!codeHash || !codeExpiresAt || codeExpiresAt <= now || codeTries >= CODE_TRIES) return 'no code';
      if (!isSameHash(codeHash, hashCode(context, id, readCode(typed)))) {
        await updateChannel(tx, id, { codeTries: codeTries + 1 });
        return { triesLeft: CODE_TRIES - codeTries - 1 };
      }
      await auditChannel(tx, channel, { by, action: 'notification_channel_confirmed', at: now });
      return updateChannel(tx, id, {
        ...{ status: 'enabled', confirmedAt: now, codeHash: null, codeExpiresAt: null, codeTries: 0 },
        ...{ disabledAt: null, disabledReason: null, failingSince: null },
      });
    },
  );
  if (result === 'no code')
    throw new ApiError(
      'CODE_EXPIRED',
      'There is no valid code any more: ask for a new one with POST /notifications/channels/{id}/code',
    );
  if (!('triesLeft' in result)) return result;
  throw invalidField(
    'code',
    result.triesLeft === 0
      ? 'is wrong, and this was the last try: ask for a new code'
      : `is wrong; ${result.triesLeft === 1 ? 'one try is' : `${result.triesLeft} tries are`} left`,
  );
}
