import { existing } from '../../../catalogue/items/items.ts';
import type { Context } from '../../../platform/context.ts';
import { mayPass } from '../../../platform/database/database-away.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../../../platform/images/image-url.ts';
import { MailFailure } from '../../../platform/mail/mail-failure.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { retryAfterSeconds } from '../../../platform/network/retry-after.ts';
import { placeOf, type TracedWork, traced } from '../../../platform/tracing/tracing.ts';
import { retryDelaySeconds } from '../../outbox/retry.ts';
import type { Sender } from '../../outbox/send.ts';
import { CODE_MINUTES, hashCode, isSameHash } from '../channels/code.ts';
import { pushKeys } from '../channels/push-keys.ts';
import { openBrowser, pushRequest } from '../channels/push-request.ts';
import { pageUrl, unsubscribeUrl } from '../messages/links.ts';
import { readMessage } from '../messages/load-message.ts';
import { type MailContent, mailOf } from '../messages/mail-message.ts';
import { type PushContent, pushOf, pushPayload } from '../messages/push-message.ts';
import type { WrittenMessage } from '../messages/write-message.ts';
import { languageOf } from '../texts/language.ts';
import type { Attempt, Outcome } from './attempt.store.ts';
import { openContent } from './content.ts';

export interface AttemptTools
  extends Pick<Context, 'config' | 'db' | 'clock' | 'logger' | 'sealer' | 'images' | 'urlSigningKey'> {
  /** Null where the operator has not set up e-mail. */
  readonly mailer: Pick<Mailer, 'send'> | null;
  readonly sender: Pick<Sender, 'send'>;
  /** Random number from 0 to 1 for the jitter. */
  readonly random: () => number;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/** Time limit of a request to a push service. */
export const PUSH_MS = 10_000;
/** The service keeps a message for a browser that is switched off. */
const PUSH_KEPT_SECONDS = 86_400;

const OBSTACLES = {
  deleted: 'The user was deleted.',
  unconfirmed: 'The channel is not confirmed.',
  confirmed: 'The address is confirmed already.',
  expired: 'The code is no longer valid.',
  disabled: 'The channel was disabled before this attempt.',
  unsubscribed: 'The subscription was ended before this attempt.',
} as const;

const NOT_MADE = {
  status: 'failed',
  responseCode: null,
  responseTimeMs: null,
  responseBody: null,
  attemptedAt: null,
  nextDueAt: null,
  disable: null,
  isAboutChannel: false,
} as const;

/** Makes an attempt. @returns its result @throws the reason of `signal` */
export async function makeAttempt(attempt: Attempt, tools: AttemptTools): Promise<Outcome> {
  if (attempt.obstacle) return { ...NOT_MADE, errorMessage: OBSTACLES[attempt.obstacle] };
  try {
    return await writeAndSend(attempt, tools);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (mayPass(error)) throw error;
    // It counts as an attempt: a message that can never be sent would be tried for ever.
    tools.logger.error({ err: error, notificationId: attempt.id }, 'a message could not be made');
    return tryLater(attempt, tools, 'The message could not be made: please tell the operator.');
  }
}

async function writeAndSend(attempt: Attempt, tools: AttemptTools): Promise<Outcome> {
  const written = await write(attempt, tools);
  if (written === null) return { ...NOT_MADE, errorMessage: 'What it was about has been erased.' };
  if (written === 'replaced') return { ...NOT_MADE, errorMessage: 'Another code was asked for.' };
  if (written === 'sealed')
    return tryLater(attempt, tools, 'Our key to this message is missing: please tell the operator.');
  return attempt.channelKind === 'email' ? mail(attempt, written, tools) : push(attempt, written, tools);
}

/** A message for both kinds of channels; only what is needed is made. */
interface Written {
  mail(): Promise<MailContent>;
  push(): PushContent;
}

async function write(attempt: Attempt, tools: AttemptTools): Promise<Written | null | 'replaced' | 'sealed'> {
  const url = pageUrl(tools, attempt);
  if (attempt.contentEncrypted !== null) return writeContent(attempt, url, tools);
  if (attempt.eventCount === 0) {
    const language = languageOf(attempt.locale);
    return both({ ...language.texts.test, rows: [], earlier: [], more: null, language }, { url });
  }
  const read = await readMessage(tools, attempt);
  if (read === null) return null;
  const { message, pictureKey } = read;
  return {
    mail: async () =>
      mailOf(message, {
        url,
        unsubscribeUrl: unsubscribeUrl(tools, existing(attempt.subscriptionId, 'subscription id')),
        // Without its picture a message is still worth sending.
        picture: pictureKey === null ? null : await tools.images.get(pictureKey).catch(() => null),
      }),
    push: () =>
      pushOf(message, {
        url,
        image: pictureKey && imageUrl(tools, pictureKey, { ttlSeconds: IN_WEBHOOKS_SECONDS }),
        severity: attempt.severity,
      }),
  };
}

const both = (message: WrittenMessage, { url }: { url: string }): Written => ({
  mail: async () => mailOf(message, { url, unsubscribeUrl: null, picture: null }),
  push: () => pushOf(message, { url, image: null, severity: null }),
});

function writeContent(attempt: Attempt, url: string, tools: AttemptTools): Written | 'replaced' | 'sealed' {
  let content: ReturnType<typeof openContent>;
  try {
    content = openContent(
      tools.sealer,
      attempt.messageId,
      existing(attempt.contentEncrypted, 'content encrypted'),
    );
  } catch {
    return 'sealed';
  }
  if ('code' in content) {
    const { channelId, codeHash } = attempt;
    // Another one was asked for while this one was being sent.
    if (!codeHash || !isSameHash(codeHash, hashCode(tools, channelId, content.code))) return 'replaced';
    const language = languageOf(attempt.locale);
    const { title, sentence, ignore } = language.texts.confirmation;
    const text = `${sentence(content.code, CODE_MINUTES)} ${ignore}`;
    return both({ title, sentence: text, rows: [], earlier: [], more: null, language }, { url });
  }
  const { mail: prepared, push: pushed } = content;
  const attachments = prepared.attachments.map(({ contentId, ...part }) => ({
    ...part,
    content: Buffer.from(part.content, 'base64'),
    ...(contentId !== undefined && { contentId }),
  }));
  return { mail: async () => ({ ...prepared, attachments }), push: () => pushed };
}

/** An attempt belongs to the trace of its alert event; of other events it belongs to that of the first one. */
function spanOf(attempt: Attempt): TracedWork {
  const { id, kind, channelId, channelKind, alertEventId, eventIds, attemptNumber } = attempt;
  const eventId = alertEventId ?? eventIds[0];
  return {
    ...{ name: channelKind, kind: 'client' },
    attributes: {
      ...{ 'notification.id': id, 'notification.kind': kind, 'notification.attempt': attemptNumber },
      ...{ 'notification.events': eventIds.length, 'notification.channel.id': channelId },
      ...{ 'user.id': attempt.userId, 'device.id': attempt.deviceId ?? undefined },
      'alert.event.id': alertEventId ?? undefined,
    },
    // A code or a test message is in no trace.
    ...(eventId !== undefined && { parent: placeOf(eventId) }),
  };
}

async function mail(attempt: Attempt, written: Written, tools: AttemptTools): Promise<Outcome> {
  const { mailer } = tools;
  if (mailer === null) return tryLater(attempt, tools, 'The operator has not set up e-mail (SMTP_URL).');
  const content = await written.mail();
  const attemptedAt = tools.clock.now();
  const began = performance.now();
  const seen = () => ({ attemptedAt, responseTimeMs: Math.round(performance.now() - began) });
  try {
    const mail = { ...content, to: attempt.address, messageId: attempt.messageId };
    const { response } = await traced(spanOf(attempt), () => mailer.send(mail, tools.signal));
    const responseCode = Number.parseInt(response, 10) || null;
    return {
      ...NOT_MADE,
      ...seen(),
      status: 'success',
      responseCode,
      responseBody: shortened(response),
      errorMessage: null,
      isAboutChannel: true,
    };
  } catch (error) {
    tools.signal.throwIfAborted();
    if (!(error instanceof MailFailure)) throw error;
    const { message: errorMessage, responseCode, isFinal } = error;
    const nextDueAt = isFinal ? null : nextTime(attempt, 0, tools);
    return {
      ...NOT_MADE,
      ...seen(),
      responseCode,
      errorMessage,
      nextDueAt,
      isAboutChannel: responseCode !== null,
    };
  }
}

/** What a push service says about a browser that is gone. */
const GONE = new Set([404, 410]);
/** It would say the same about the next attempt. */
const REFUSED = new Set([400, 413]);

async function push(attempt: Attempt, written: Written, tools: AttemptTools): Promise<Outcome> {
  const keys = await pushKeys(tools);
  const browser = openBrowser(
    tools.sealer,
    attempt.userId,
    existing(attempt.subscriptionEncrypted, 'subscription encrypted'),
  );
  if (keys === null || browser === null)
    return tryLater(attempt, tools, 'Our key to this browser is missing: please tell the operator.');
  const attemptedAt = tools.clock.now();
  const request = pushRequest(tools, {
    browser,
    keys,
    payload: pushPayload(written.push(), attempt.messageId),
    keptSeconds: PUSH_KEPT_SECONDS,
    isUrgent: attempt.severity === 'critical',
  });
  const answer = await traced(spanOf(attempt), async (span) => {
    const received = await tools.sender.send({ ...request, timeoutMs: PUSH_MS }, tools.signal);
    span.add({ 'http.response.status_code': received.httpStatusCode ?? undefined });
    return received;
  });
  const { httpStatusCode: responseCode, responseTimeMs, responseBody } = answer;
  const seen = {
    ...{ attemptedAt, responseCode, responseTimeMs, isAboutChannel: true },
    responseBody: responseBody && shortened(responseBody),
  };
  const code = responseCode ?? 0;
  if (answer.errorMessage === null && code >= 200 && code < 300)
    return { ...NOT_MADE, ...seen, status: 'success', errorMessage: null };
  const errorMessage = answer.errorMessage ?? `The push service answered ${code}.`;
  const disable = GONE.has(code)
    ? `The push service answered ${code}: the browser has ended its subscription.`
    : null;
  const isFinal = disable !== null || REFUSED.has(code);
  const nextDueAt = isFinal
    ? null
    : nextTime(attempt, retryAfterSeconds(answer.retryAfter, tools.clock.now()), tools);
  return { ...NOT_MADE, ...seen, errorMessage, disable, nextDueAt };
}

const MOST_BODY = 2_000;
const shortened = (text: string): string => [...text].slice(0, MOST_BODY).join('');

/** Nothing was sent. The operator may have corrected it by the next attempt. */
const tryLater = (attempt: Attempt, tools: AttemptTools, errorMessage: string): Outcome => ({
  ...NOT_MADE,
  errorMessage,
  nextDueAt: nextTime(attempt, 0, tools),
});

function nextTime(attempt: Attempt, retryAfter: number, { clock, random }: AttemptTools): Date | null {
  if (attempt.attemptNumber >= attempt.maxAttempts) return null;
  const seconds = Math.max(retryDelaySeconds(attempt.attemptNumber, random), retryAfter);
  return new Date(clock.now().getTime() + seconds * 1000);
}
