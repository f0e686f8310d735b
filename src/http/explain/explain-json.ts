/** What is often written that JSON does not know; the first that a text holds is named. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'It is empty'],
  [/^\s*<\?xml|^\s*<\w/, 'It looks like XML or HTML'],
  [/^\s*[\w[\]%.]+=/, 'It looks like a form: send JSON, like {"name": "Till 3"}'],
  [/^\uFEFF/, 'It begins with a byte order mark: leave it out'],
  [/,\s*[}\]]/, 'There is a comma before a closing bracket'],
  [/[{,]\s*'/, 'Names and texts stand in double quotes'],
  [/:\s*'/, 'Names and texts stand in double quotes'],
  [/[{,]\s*[A-Za-z_]\w*\s*:/, 'Names stand in double quotes'],
  [/[:[,]\s*(True|False|None)\b/, 'Write true, false and null'],
  [/[:[,]\s*(NaN|-?Infinity|undefined)\b/, 'NaN, Infinity and undefined are not JSON: send null or nothing'],
  [/\/\/|\/\*/, 'JSON has no comments'],
];

/**
 * Says why a text is not JSON, without repeating any of it: it may hold secrets.
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
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
