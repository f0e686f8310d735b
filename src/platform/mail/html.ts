/** The first one first: the others have its sign. */
const ENTITIES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
] as const;

/** Text as HTML shows it, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  ENTITIES.reduce((escaped, [sign, entity]) => escaped.replaceAll(sign, entity), text);
