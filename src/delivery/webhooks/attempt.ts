import type { Clock } from '../../platform/clock.ts';
import type { Sealer } from '../../platform/crypto.ts';
import { retryAfterSeconds } from '../../platform/network/retry-after.ts';
import { placeOf, traced } from '../../platform/tracing/tracing.ts';
import { retryDelaySeconds } from '../outbox/retry.ts';
import type { Answer, Sender } from '../outbox/send.ts';
import type { Attempt, Outcome } from './attempt.store.ts';
import { openSecret } from './secret.ts';
import { signedHeaders } from './sign.ts';

export interface AttemptTools {
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly sender: Pick<Sender, 'send'>;
  /** Random number from 0 to 1 for the jitter. */
  readonly random: () => number;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

const OBSTACLES = {
  deleted: 'The webhook was deleted.',
  disabled: 'The webhook was disabled before this attempt.',
} as const;

const GONE = 410;

/** Makes an attempt. @returns its result @throws the reason of `signal` */
export async function makeAttempt(attempt: Attempt, tools: AttemptTools): Promise<Outcome> {
  const { obstacle } = attempt;
  if (obstacle) return { ...NOTHING, errorMessage: OBSTACLES[obstacle] };
  const attemptedAt = tools.clock.now();
  const headers = headersOf(attempt, attemptedAt, tools.sealer);
  if (headers === null) {
    // The operator may have corrected this by the next attempt.
    const errorMessage = 'Our key to this webhook’s secret is missing: please tell the operator.';
    return { ...NOTHING, errorMessage, nextDueAt: nextTime(attempt, null, tools) };
  }
  const answer = await traced(spanOf(attempt), async (span) => {
    const { url, body, timeoutMs } = attempt;
    const all = span.traceparent ? { ...headers, traceparent: span.traceparent } : headers;
    const received = await tools.sender.send({ url, body, headers: all, timeoutMs }, tools.signal);
    span.add({ 'http.response.status_code': received.httpStatusCode ?? undefined });
    return received;
  });
  return { ...outcomeOf(answer, attempt, tools), attemptedAt };
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

const NOTHING = {
  status: 'failed',
  httpStatusCode: null,
  responseTimeMs: null,
  responseBody: null,
  attemptedAt: null,
  nextDueAt: null,
  disable: null,
} as const;

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

function outcomeOf(answer: Answer, attempt: Attempt, tools: AttemptTools): Omit<Outcome, 'attemptedAt'> {
  const { retryAfter, ...seen } = answer;
  const code = answer.httpStatusCode ?? 0;
  if (answer.errorMessage === null && code >= 200 && code < 300) {
    return { ...seen, status: 'success', nextDueAt: null, disable: null };
  }
  const errorMessage = answer.errorMessage ?? refusal(code);
  const disable = code === GONE ? 'The receiver answered 410 Gone.' : null;
  const nextDueAt = disable ? null : nextTime(attempt, retryAfter, tools);
  return { ...seen, status: 'failed', errorMessage, nextDueAt, disable };
}

const refusal = (code: number): string =>
  code >= 300 && code < 400
    ? `The receiver answered ${code}: redirects are not followed.`
    : `The receiver answered ${code}.`;

function nextTime(attempt: Attempt, retryAfter: string | null, { clock, random }: AttemptTools): Date | null {
  if (attempt.attemptNumber >= attempt.maxAttempts) return null;
  const now = clock.now();
  const seconds = Math.max(
    retryDelaySeconds(attempt.attemptNumber, random),
    retryAfterSeconds(retryAfter, now),
  );
  return new Date(now.getTime() + seconds * 1000);
}
