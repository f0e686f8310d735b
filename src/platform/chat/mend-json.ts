import { parseJson } from './parse-json.ts';

/** A text in any quotes. It ends at a quote after which no text can go on, so an apostrophe is part of it. */
const END = String.raw`(?=\s*(?:[,:}\]#]|\/[/*]|$)|[ \t]*[\r\n])`;
const quoted = (open: string, close: string): string =>
  String.raw`[${open}](?:[^\\${close}]|\\[\s\S]|[${close}](?!${END}))*[${close}]${END}`;
const TOKEN = new RegExp(
  [
    String.raw`\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/`,
    `(${quoted('"', '"')}|${quoted("'", "'")}|${quoted('“”„', '“”')})`,
    String.raw`([{}[\],:])`,
    String.raw`([\w.+-]+)`,
  ].join('|'),
  'y',
);
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** Words for a value, in JSON. */
const VALUES: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  undefined: 'null',
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
};

export interface Mended {
  /** The object; undefined where it cannot be mended. */
  readonly value: unknown;
  /** The position after the last character that was looked at. */
  readonly end: number;
}

/**
 * The object that begins at a brace, where it is almost JSON: comments, other quotes, keys without quotes, a comma too
 * much or too few, line breaks in texts, NaN.
 */
export function mendJson(text: string, from: number): Mended {
  const tokens: string[] = [];
  let depth = 0;
  TOKEN.lastIndex = from;
  for (let at = from; ; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    // Another character, or a text without end: nothing that a reader could be sure of. It has looked at all of the rest.
    if (!found) return { value: undefined, end: /["'“”„/]/.test(text[at] ?? '') ? text.length : at + 1 };
    const [, string, mark, word] = found;
    const token = string ? asJson(string) : (mark ?? word);
    if (!token) continue;
    add(tokens, token);
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return { value: parseJson(tokens.join('')), end: TOKEN.lastIndex };
  }
}

/** Adds a token as JSON has it after the tokens before it. */
function add(tokens: string[], token: string): void {
  const last = tokens.at(-1) ?? '{';
  const isClosing = token === '}' || token === ']';
  if (isClosing && last === ',') tokens.pop();
  else if (token === ':' && /^[A-Za-z_]/.test(last)) tokens[tokens.length - 1] = JSON.stringify(last);
  else if (!isClosing && !/^[,:]$/.test(token) && !/^[{[,:]$/.test(last)) tokens.push(',');
  tokens.push((last === ':' && VALUES[token]) || token);
}

/** A text in double quotes, with its characters escaped as JSON wants them. */
function asJson(quotedText: string): string {
  const inner = quotedText
    .slice(1, -1)
    .replace(/\\([\s\S])|"/g, (whole, escaped?: string) => {
      if (escaped === undefined) return '\\"';
      return /["\\/bfnrtu]/.test(escaped) ? whole : escaped;
    })
    .replace(/\p{Cc}/gu, (control) => ESCAPES[control] ?? ' ');
  return `"${inner}"`;
}
