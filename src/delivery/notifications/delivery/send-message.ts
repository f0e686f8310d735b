import type { Context } from '../../../platform/context.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../../../platform/images/image-url.ts';
import { givenUp, tryLater } from '../../outbox/outcome.ts';
import type { Outcome } from '../../outbox/record.store.ts';
import { CODE_MINUTES, hashCode, isSameHash } from '../channels/code.ts';
import { pageUrl, unsubscribeUrl } from '../messages/links.ts';
import { readMessage } from '../messages/load-message.ts';
import { type MailContent, mailOf } from '../messages/mail-message.ts';
import { type PushContent, pushOf } from '../messages/push-message.ts';
import type { WrittenMessage } from '../messages/write-message.ts';
import { languageOf } from '../texts/language.ts';
import { openContent } from './content.ts';
import type { Attempt } from './message-table.store.ts';
import { type MailTools, sendMail } from './send-mail.ts';
import { type PushTools, sendPush } from './send-push.ts';

type SendTools = MailTools & PushTools & Pick<Context, 'images' | 'urlSigningKey'>;

export const MESSAGE_OBSTACLES: Readonly<Record<NonNullable<Attempt['obstacle']>, string>> = {
  deleted: 'The user was deleted.',
  unconfirmed: 'The channel is not confirmed.',
  confirmed: 'The address is confirmed already.',
  expired: 'The code is no longer valid.',
  disabled: 'The channel was disabled before this attempt.',
  unsubscribed: 'The subscription was ended before this attempt.',
};

/** Writes a message and sends it over its channel. @returns the result @throws the reason of the signal */
export async function sendMessage(attempt: Attempt, tools: SendTools): Promise<Outcome> {
  const written = await write(attempt, tools);
  if (written === null) return givenUp('What it was about has been erased.');
  if (written === 'replaced') return givenUp('Another code was asked for.');
  if (written === 'sealed')
    return tryLater(attempt, 'Our key to this message is missing: please tell the operator.', tools);
  return attempt.channelKind === 'email'
    ? sendMail(attempt, written.mail, tools)
    : sendPush(attempt, written.push(), tools);
}

/** A message for both kinds of channels; only what is needed is made. */
interface Written {
  readonly mail: () => Promise<MailContent>;
  readonly push: () => PushContent;
}

async function write(attempt: Attempt, tools: SendTools): Promise<Written | null | 'replaced' | 'sealed'> {
  const url = pageUrl(tools, attempt);
  const { contentEncrypted } = attempt;
  if (contentEncrypted !== null) return writeContent(attempt, contentEncrypted, { url, tools });
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
        unsubscribeUrl: unsubscribeUrl(tools, attempt.subscriptionId!),
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

function writeContent(
  attempt: Attempt,
  encrypted: NonNullable<Attempt['contentEncrypted']>,
  { url, tools }: { readonly url: string; readonly tools: SendTools },
): Written | 'replaced' | 'sealed' {
  let content: ReturnType<typeof openContent>;
  try {
    content = openContent(tools.sealer, attempt.messageId, encrypted);
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
