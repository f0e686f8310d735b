import { escapeHtml } from '../../../platform/mail/html.ts';
import type { Mail, MailAttachment } from '../../../platform/mail/mailer.ts';
import type { WrittenMessage } from './write-message.ts';

/** An e-mail without its receiver. */
export type MailContent = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments' | 'headers'>;

interface MailParts {
  /** Where the page shows it. */
  readonly url: string;
  /** Null for a message that no subscription caused. */
  readonly unsubscribeUrl: string | null;
  /** JPEG. */
  readonly picture: Uint8Array | null;
}

const PICTURE_ID = 'picture';

/** A message as an e-mail, with its text twice: plain and as HTML. */
export function mailOf(message: WrittenMessage, { url, unsubscribeUrl, picture }: MailParts): MailContent {
  const { title, sentence, rows, earlier, more, language } = message;
  const { texts } = language;
  const attachments: MailAttachment[] = picture
    ? [{ filename: 'picture.jpg', contentType: 'image/jpeg', content: picture, contentId: PICTURE_ID }]
    : [];
  const also = [...(more ? [more] : []), ...earlier];
  const text = [
    title,
    '',
    sentence,
    ...rows.map(([name, value]) => `${name}: ${value}`),
    ...(also.length > 0 ? ['', `${texts.also}:`, ...also.map((line) => `- ${line}`)] : []),
    '',
    `${texts.open}: ${url}`,
    ...(unsubscribeUrl ? ['', '-- ', texts.why, `${texts.unsubscribe}: ${unsubscribeUrl}`] : []),
    '',
  ];
  const list = also.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  const html = [
    `<h1 style="font-size:18px">${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...rows.map(([name, value]) => `<p>${escapeHtml(name)}: <strong>${escapeHtml(value)}</strong></p>`),
    ...(picture ? [`<p><img src="cid:${PICTURE_ID}" alt="" style="max-width:100%"></p>`] : []),
    ...(also.length > 0 ? [`<p>${escapeHtml(texts.also)}:</p><ul>${list}</ul>`] : []),
    `<p><a href="${escapeHtml(url)}">${escapeHtml(texts.open)}</a></p>`,
    ...(unsubscribeUrl
      ? [
          `<hr><p style="font-size:12px">${escapeHtml(texts.why)} <a href="${escapeHtml(unsubscribeUrl)}">${escapeHtml(texts.unsubscribe)}</a></p>`,
        ]
      : []),
  ];
  return {
    subject: title,
    text: text.join('\n'),
    html: page(language.locale, html.join('\n')),
    attachments,
    headers: {
      // Answers of holidays are not wanted.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

const page = (locale: string, body: string): string =>
  `<!doctype html>\n<html lang="${escapeHtml(locale)}"><head><meta charset="utf-8"></head><body>\n${body}\n</body></html>\n`;
