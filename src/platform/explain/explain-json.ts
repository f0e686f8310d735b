/** Frequent mistakes in JSON, with a hint; the first that matches is used. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'It is empty'],
  [/^\s*<\?xml|^\s*<\w/, 'It looks like XML or HTML'],
  [/^\s*[\w[\]%.]+=/, 'It looks like a form: send JSON, like {"name": "Till 3"}'],
  [/^\uFEFF/, 'It begins with a byte order mark: remove it'],
  [/,\s*[}\]]/, 'There is a comma before a closing bracket'],
  [/[{,]\s*'/, 'Put names and texts in double quotes'],
  [/:\s*'/, 'Put names and texts in double quotes'],
  [/[{,]\s*[A-Za-z_]\w*\s*:/, 'Put names in double quotes'],
  [/[:[,]\s*(True|False|None)\b/, 'Write true, false and null'],
  [/[:[,]\s*(NaN|-?Infinity|undefined)\b/, 'NaN, Infinity and undefined are not JSON: send null or nothing'],
  [/\/\/|\/\*/, 'JSON has no comments'],
];

/**
 * Explains why a text is not JSON, without repeating any of it, because it may contain secrets.
 * @param reason message of JSON.parse
 */
export function explainJson(text: string, reason: string): string {
  const position = /position (\d+)/.exec(reason)?.[1];
  const place = position === undefined ? '' : ` at ${lineAndColumn(text, Number(position))}`;
  const ends = /end of JSON input|Unterminated/.test(reason);
  const habit = HABITS.find(([pattern]) => pattern.test(text.slice(0, 20_000)))?.[1];
  const remedy = habit ?? (ends ? 'It ends too early' : undefined);
  return `The body is not valid JSON${place}${remedy === undefined ? '' : `. ${remedy}`}`;
}

function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position);
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;
}
