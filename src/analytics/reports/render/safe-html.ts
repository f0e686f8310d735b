import { escapeHtml } from '../../../platform/mail/html.ts';

/** HTML whose texts are escaped. */
export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may contain: texts are escaped, lists are joined, and null stands for nothing. */
export type HtmlValue = SafeHtml | string | number | null | undefined | false | readonly HtmlValue[];

/** Characters that documents may not contain, and those that would turn the text around a name. */
const UNWANTED = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** The text without line breaks and characters that do not show. */
export const oneLine = (text: string): string => text.replace(UNWANTED, '').replace(/\s+/g, ' ').trim();

const escapeText = (text: string): string => escapeHtml(text.replace(UNWANTED, ''));

function shown(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map(shown).join('');
  return escapeText(String(value));
}

/** A template of HTML: values are escaped, for texts and for attributes in quotes, unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  return new SafeHtml(
    strings.map((part, at) => part + (at < values.length ? shown(values[at]) : '')).join(''),
  );
}
