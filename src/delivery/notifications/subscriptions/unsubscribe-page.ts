import { Binary } from '../../../http/route.ts';
import { escapeHtml } from '../../../platform/mail/html.ts';
import type { Language } from '../texts/language.ts';

/** A page that asks before it unsubscribes: mail programs open addresses by themselves, but send no forms. */
export function askPage({ texts, locale }: Language): Binary {
  const { title, question, button } = texts.unsubscribePage;
  const form = `<form method="post"><button>${escapeHtml(button)}</button></form>`;
  return page(locale, title, `<p>${escapeHtml(question)}</p>${form}`);
}

export const donePage = ({ texts, locale }: Language): Binary =>
  page(locale, texts.unsubscribePage.title, `<p>${escapeHtml(texts.unsubscribePage.done)}</p>`);

const page = (locale: string, title: string, body: string): Binary =>
  new Binary(
    Buffer.from(
      `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1>${body}</body>
</html>
`,
    ),
  );
