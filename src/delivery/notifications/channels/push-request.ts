import { ECDH } from 'node:crypto';
import webPush from 'web-push';
import { z } from 'zod';
import { VERSION } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sealer } from '../../../platform/crypto.ts';
import type { SealedColumn } from '../../../platform/database/reseal.store.ts';
import type { PushKeys } from './push-keys.ts';

const browser = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });

/** What a browser's `PushSubscription` holds. */
export type Browser = z.output<typeof browser>;

const bindingOf = (userId: string): string => `push:${userId}`;

export const SEALED_BROWSER: SealedColumn = {
  ...{ table: 'NotificationChannel', column: 'subscriptionEncrypted', boundTo: 'userId' },
  bindingOf,
};

export const sealBrowser = (sealer: Sealer, userId: string, value: Browser): string =>
  sealer.seal(JSON.stringify(value), bindingOf(userId));

/** @returns null when ENCRYPTION_KEYS lacks the key that sealed it */
export function openBrowser(sealer: Sealer, userId: string, sealed: string): Browser | null {
  let text: string;
  try {
    text = sealer.open(sealed, bindingOf(userId));
  } catch {
    return null;
  }
  return browser.parse(JSON.parse(text));
}

/** A point of the curve P-256, uncompressed, in base64url without padding. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 65 || bytes[0] !== 4 || bytes.toString('base64url') !== text) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** 16 bytes in base64url without padding. */
export function isAuthSecret(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 16 && bytes.toString('base64url') === text;
}

interface PushMessage {
  readonly browser: Browser;
  readonly keys: PushKeys;
  /** JSON for the service worker of the page. */
  readonly payload: string;
  /** The push service keeps the message for so long. */
  readonly keptSeconds: number;
  readonly isUrgent: boolean;
}

/** The encrypted and signed request of a push message (RFC 8030, 8291, 8292). */
export function pushRequest(
  { config }: Pick<Context, 'config'>,
  { browser: to, keys, payload, keptSeconds, isUrgent }: PushMessage,
): { readonly url: string; readonly body: Uint8Array; readonly headers: Record<string, string> } {
  const { endpoint, p256dh, auth } = to;
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject: subjectOf(config), ...keys },
    TTL: keptSeconds,
    urgency: isUrgent ? 'high' : 'normal',
    contentEncoding: 'aes128gcm',
  });
  const headers = Object.fromEntries(
    Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    url: endpoint,
    body: details.body,
    headers: { ...headers, 'User-Agent': `video-analytics-push/${VERSION}` },
  };
}

/** Whom the push service can ask about these messages. */
function subjectOf({ publicUrl, mailFrom }: Context['config']): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return `mailto:${mailFrom?.address ?? 'nobody@example.com'}`;
}
