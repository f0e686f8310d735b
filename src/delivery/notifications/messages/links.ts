import { createHmac } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { NotificationKind } from '../../../platform/prisma-client/client.ts';
import { publicAddress } from '../../../platform/public-address.ts';
import { isSameSignature } from '../../../platform/same-signature.ts';

type LinkContext = Pick<Context, 'config' | 'urlSigningKey'>;

interface LinkedMessage {
  readonly kind: NotificationKind;
  readonly deviceId: string | null;
  readonly alertEventId: string | null;
}

/** The place in the web page that a message is about. The part behind `#` is for the page alone. */
export function pageUrl({ config }: Pick<Context, 'config'>, message: LinkedMessage): string {
  const { kind, deviceId, alertEventId } = message;
  return `${publicAddress(config)}/#/${placeOf(kind, deviceId, alertEventId)}`;
}

function placeOf(kind: NotificationKind, deviceId: string | null, alertEventId: string | null): string {
  if (alertEventId !== null) return `feed/${alertEventId}`;
  if (kind === 'quota_warning' || kind === 'quota_exceeded') return 'usage';
  return deviceId === null ? 'notifications' : `cameras/${deviceId}`;
}

/** The address with which anybody who has a message can end its subscription, without signing in. It does not expire. */
export const unsubscribeUrl = (context: LinkContext, subscriptionId: string): string =>
  `${publicAddress(context.config)}/api/v1/notifications/unsubscribe/${subscriptionId}?signature=${signatureOf(context, subscriptionId).toString('base64url')}`;

export function isSigned(
  context: Pick<Context, 'urlSigningKey'>,
  { subscriptionId, signature }: { subscriptionId: string; signature: string },
): boolean {
  return isSameSignature(signature, signatureOf(context, subscriptionId));
}

const signatureOf = ({ urlSigningKey }: Pick<Context, 'urlSigningKey'>, subscriptionId: string): Buffer =>
  createHmac('sha256', urlSigningKey).update(`unsubscribe\n${subscriptionId}`).digest();
