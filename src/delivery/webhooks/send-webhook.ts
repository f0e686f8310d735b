import type { Sealer } from '../../platform/crypto.ts';
import { placeOf } from '../../platform/tracing/tracing.ts';
import { type AttemptTools, type Meaning, post, tryLater } from '../outbox/outcome.ts';
import type { Outcome } from '../outbox/record.store.ts';
import type { Sender } from '../outbox/send.ts';
import { openSecret } from './secret.ts';
import { signedHeaders } from './sign.ts';
import type { Attempt } from './webhook-table.store.ts';

export interface WebhookTools extends AttemptTools {
  readonly sealer: Sealer;
  readonly sender: Pick<Sender, 'send'>;
}

export const WEBHOOK_OBSTACLES: Readonly<Record<NonNullable<Attempt['obstacle']>, string>> = {
  deleted: 'The webhook was deleted.',
  disabled: 'The webhook was disabled before this attempt.',
};

const MEANING: Meaning = {
  refusal: (code) =>
    code >= 300 && code < 400
      ? `The receiver answered ${code}: redirects are not followed.`
      : `The receiver answered ${code}.`,
  disables: (code) => (code === 410 ? 'The receiver answered 410 Gone.' : null),
};

/** Sends an event to a webhook. @returns the result @throws the reason of `signal` */
export async function sendWebhook(attempt: Attempt, tools: WebhookTools): Promise<Outcome> {
  const headers = headersOf(attempt, tools.clock.now(), tools.sealer);
  if (headers === null)
    return tryLater(attempt, 'Our key to this webhook’s secret is missing: please tell the operator.', tools);
  const { url, body, timeoutMs } = attempt;
  const send = (traceparent: string | null) => ({
    ...{ url, body, timeoutMs },
    headers: traceparent ? { ...headers, traceparent } : headers,
  });
  return post(attempt, { span: spanOf(attempt), meaning: MEANING, send }, tools);
}

/** An attempt belongs to the trace of its alert event; of another event it belongs to that event's. */
function spanOf({ id, userId, eventId, eventType, alertEventId, attemptNumber, url }: Attempt) {
  const attributes = {
    ...{ 'user.id': userId, 'alert.event.id': alertEventId ?? undefined },
    ...{ 'webhook.delivery.id': id, 'webhook.event.id': eventId, 'webhook.event.type': eventType },
    ...{ 'webhook.attempt': attemptNumber, 'server.address': new URL(url).hostname },
    'http.request.method': 'POST',
  };
  return { name: 'webhook', kind: 'client', attributes, parent: placeOf(alertEventId ?? eventId) } as const;
}

/** @returns null when the secret cannot be opened */
function headersOf(attempt: Attempt, at: Date, sealer: Sealer): Record<string, string> | null {
  const { previousSecretEncrypted: previous, previousSecretValidUntil: until } = attempt;
  try {
    return signedHeaders({
      body: attempt.body,
      eventId: attempt.eventId,
      eventType: attempt.eventType,
      deliveryId: attempt.id,
      at,
      secret: openSecret(sealer, attempt.secretEncrypted),
      previousSecret: previous && until && until > at ? openSecret(sealer, previous) : null,
    });
  } catch {
    return null;
  }
}
