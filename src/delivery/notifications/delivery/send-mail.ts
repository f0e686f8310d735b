import { MailFailure } from '../../../platform/mail/mail-failure.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { traced } from '../../../platform/tracing/tracing.ts';
import { type AttemptTools, nextTime, tryLater } from '../../outbox/outcome.ts';
import type { Outcome } from '../../outbox/record.store.ts';
import type { MailContent } from '../messages/mail-message.ts';
import type { Attempt } from './message-table.store.ts';
import { shortened, spanOf } from './seen.ts';

export interface MailTools extends AttemptTools {
  /** Null where the operator has not set up e-mail. */
  readonly mailer: Pick<Mailer, 'send'> | null;
}

/** Sends an e-mail. @returns the result @throws the reason of `signal` */
export async function sendMail(
  attempt: Attempt,
  write: () => Promise<MailContent>,
  tools: MailTools,
): Promise<Outcome> {
  const { mailer, signal } = tools;
  if (mailer === null) return tryLater(attempt, 'The operator has not set up e-mail (SMTP_URL).', tools);
  const mail = { ...(await write()), to: attempt.address, messageId: attempt.messageId };
  const attemptedAt = tools.clock.now();
  const began = performance.now();
  const seen = () => ({
    ...{ attemptedAt, disable: null },
    responseTimeMs: Math.round(performance.now() - began),
  });
  try {
    const { response } = await traced(spanOf(attempt), () => mailer.send(mail, signal));
    return {
      ...{ ...seen(), status: 'success', errorMessage: null, nextDueAt: null, isAboutReceiver: true },
      responseCode: Number.parseInt(response, 10) || null,
      responseBody: shortened(response),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MailFailure)) throw error;
    const { message: errorMessage, responseCode, isFinal } = error;
    return {
      ...{ ...seen(), status: 'failed', errorMessage, responseCode, responseBody: null },
      nextDueAt: isFinal ? null : nextTime(attempt, tools),
      isAboutReceiver: responseCode !== null,
    };
  }
}
