import type { z } from 'zod';
import { EVENT_TYPES } from '../events/catalogue.ts';
import { presentAttempt } from '../outbox/attempt.ts';
import type { Delivery } from './delivery.store.ts';
import type { delivery, webhook, webhookSecret } from './schema.ts';
import type { Webhook } from './webhook.store.ts';

/** A webhook in answers of the API, without its secret. */
export const presentWebhook = (row: Webhook): z.input<typeof webhook> => ({
  id: row.id,
  url: row.url,
  name: row.name,
  secretLast4: row.secretLast4,
  subscribedTypes: row.subscribedTypes.length === 0 ? [...EVENT_TYPES] : row.subscribedTypes,
  timeoutMs: row.timeoutMs,
  maxRetries: row.maxRetries,
  status: row.status,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** @param secret decrypted */
export function presentSecret(row: Webhook, secret: string, now: Date): z.input<typeof webhookSecret> {
  const until = row.previousSecretValidUntil;
  return { secret, previousSecretValidUntil: until && until > now ? until.toISOString() : null };
}

/** An attempt that was made or is scheduled. */
export const presentDelivery = (row: Delivery): z.input<typeof delivery> => ({
  id: row.id,
  webhookUrl: row.webhookUrl,
  notificationId: row.eventId,
  alertEventId: row.alertEventId,
  notificationType: row.notificationType,
  severity: row.severity,
  deviceId: row.deviceId,
  sceneId: row.sceneId,
  payload: JSON.parse(Buffer.from(row.event.body).toString('utf8')),
  status: row.status,
  httpStatusCode: row.httpStatusCode,
  ...presentAttempt(row),
});
