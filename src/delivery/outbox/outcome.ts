import type { Clock } from '../../platform/clock.ts';
import { retryAfterSeconds } from '../../platform/network/retry-after.ts';
import { type TracedWork, traced } from '../../platform/tracing/tracing.ts';
import type { ClaimedAttempt } from './claim.store.ts';
import type { Outcome } from './record.store.ts';
import { retryDelaySeconds } from './retry.ts';
import type { Answer, Outgoing, Sender } from './send.ts';

export interface AttemptTools {
  readonly clock: Clock;
  /** Random number from 0 to 1 for the jitter. */
  readonly random: () => number;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/** The part of an attempt that says whether another one follows. */
type Counted = Pick<ClaimedAttempt, 'attemptNumber' | 'maxAttempts'>;

const NOTHING = {
  status: 'failed',
  responseCode: null,
  responseTimeMs: null,
  responseBody: null,
  attemptedAt: null,
  nextDueAt: null,
  disable: null,
  isAboutReceiver: false,
} as const;

/** An attempt that will never be made. */
export const givenUp = (errorMessage: string): Outcome => ({ ...NOTHING, errorMessage });

/** Nothing was sent. The operator may have corrected it by the next attempt. */
export const tryLater = (attempt: Counted, errorMessage: string, tools: AttemptTools): Outcome => ({
  ...NOTHING,
  errorMessage,
  nextDueAt: nextTime(attempt, tools),
});

/** The time of the next attempt after a failure; null after the last one. */
export function nextTime(
  { attemptNumber, maxAttempts }: Counted,
  { clock, random }: AttemptTools,
  retryAfter: string | null = null,
): Date | null {
  if (attemptNumber >= maxAttempts) return null;
  const now = clock.now();
  const seconds = Math.max(retryDelaySeconds(attemptNumber, random), retryAfterSeconds(retryAfter, now));
  return new Date(now.getTime() + seconds * 1000);
}

/** What receivers of a kind mean by their answers. Codes from 200 to 299 mean success. */
export interface Meaning {
  /** What any other code says, in a sentence. */
  readonly refusal: (code: number) => string;
  /** Why a receiver that answers with this code is disabled; null when it is not. */
  readonly disables: (code: number) => string | null;
  /** Whether the next attempt would get the same answer. */
  readonly isFinal?: (code: number) => boolean;
}

/**
 * Sends a request and says what its answer means.
 * @param send the request as it is sent at a place of a trace
 * @throws the reason of the signal
 */
export async function post(
  attempt: Counted,
  {
    span,
    meaning,
    send,
  }: { span: TracedWork; meaning: Meaning; send: (traceparent: string | null) => Outgoing },
  tools: AttemptTools & { readonly sender: Pick<Sender, 'send'> },
): Promise<Outcome> {
  const attemptedAt = tools.clock.now();
  const answer = await traced(span, async (traced) => {
    const received = await tools.sender.send(send(traced.traceparent), tools.signal);
    traced.add({ 'http.response.status_code': received.httpStatusCode ?? undefined });
    return received;
  });
  return { ...outcomeOf(attempt, answer, meaning, tools), attemptedAt };
}

function outcomeOf(attempt: Counted, answer: Answer, meaning: Meaning, tools: AttemptTools): Outcome {
  const { httpStatusCode: responseCode, responseTimeMs, responseBody, retryAfter } = answer;
  const seen = { ...NOTHING, responseCode, responseTimeMs, responseBody, isAboutReceiver: true };
  const code = responseCode ?? 0;
  if (answer.errorMessage === null && code >= 200 && code < 300)
    return { ...seen, status: 'success', errorMessage: null };
  const disable = meaning.disables(code);
  const isFinal = disable !== null || meaning.isFinal?.(code) === true;
  return {
    ...seen,
    errorMessage: answer.errorMessage ?? meaning.refusal(code),
    disable,
    nextDueAt: isFinal ? null : nextTime(attempt, tools, retryAfter),
  };
}
