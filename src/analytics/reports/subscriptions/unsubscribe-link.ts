import { createHmac } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { publicAddress } from '../../../platform/public-address.ts';
import { isSameSignature } from '../../../platform/same-signature.ts';

/** A channel of a subscription of reports. */
export interface Receiver {
  readonly subscriptionId: string;
  readonly channelId: string;
}

type LinkContext = Pick<Context, 'config' | 'urlSigningKey'>;

/** The address with which anybody who has a report can end its delivery to his channel, without signing in. It does not expire. */
export function unsubscribeUrl(context: LinkContext, receiver: Receiver): string {
  const { subscriptionId, channelId } = receiver;
  const signature = signatureOf(context, receiver).toString('base64url');
  return `${publicAddress(context.config)}/api/v1/reports/unsubscribe/${subscriptionId}?channel=${channelId}&signature=${signature}`;
}

export function isSigned(
  context: Pick<Context, 'urlSigningKey'>,
  receiver: Receiver,
  signature: string,
): boolean {
  return isSameSignature(signature, signatureOf(context, receiver));
}

const signatureOf = (
  { urlSigningKey }: Pick<Context, 'urlSigningKey'>,
  { subscriptionId, channelId }: Receiver,
): Buffer =>
  createHmac('sha256', urlSigningKey).update(`unsubscribe report\n${subscriptionId}\n${channelId}`).digest();
