import type { ChatAnswer } from './chat.ts';
import { type Mended, mendJson } from './mend-json.ts';
import { parseJson } from './parse-json.ts';

/** Wrappers in wrappers are read so deep. */
const DEEPEST = 4;
/** The most characters that are looked at in search of objects, so that a text of braces costs no time. */
const MOST_STEPS = 1_000_000;
/** The end of a model's thoughts. What stands before it is a draft. */
const THOUGHT =
  /^[\s\S]*(?:<\/(?:think|thinking|thought|thoughts|reasoning|reflection|seed:think)>|\[\/THINK\]|◁\/think▷|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>)/i;
/** Thoughts that have no end, because the answer was cut off. */
const UNENDED = /(?:<(?:think|thinking|thought|thoughts|reasoning|seed:think)>|\[THINK\]|◁think▷)[\s\S]*$/i;

/** What objects are looked for in. */
export type Said = Pick<ChatAnswer, 'tools' | 'text' | 'reasoning'> & Partial<Pick<ChatAnswer, 'isCut'>>;

/** The objects in an answer, the most likely first: arguments of a tool, then the text, then what stands in its thoughts. */
export function* objectsIn({ tools, text, reasoning, isCut }: Said) {
  for (const part of [...tools, text]) yield* objectsInText(part);
  // Thoughts that were cut off hold drafts only.
  if (isCut) return;
  yield* objectsInText(reasoning);
  const unended = UNENDED.exec(text.replace(THOUGHT, ''))?.[0] ?? '';
  // A model that forgets to end its thoughts ends with its answer.
  if (ANSWER_LAST.test(unended))
    for (const object of topObjects(unended).toReversed()) yield* withInner(object, 0);
}

/** An object, perhaps in a fence, at the end of a text. */
const ANSWER_LAST = /\}\s{0,9}(?:```)?\s{0,9}$/;

/** The objects in a text: the whole text, else the last object after the thoughts, the one before it, and so on. */
export function* objectsInText(text: string, depth = 0): Generator<object> {
  if (depth > DEEPEST) return;
  const bare = withoutFence(text.trim());
  // JSON that was escaped as if it stood in quotes.
  const whole = parseJson(/^\{\s*\\"/.test(bare) ? `"${bare}"` : bare);
  if (typeof whole === 'string') {
    yield* objectsInText(whole, depth + 1);
    return;
  }
  const found = isObject(whole) ? [whole] : topObjects(text.replace(THOUGHT, '').replace(UNENDED, ''));
  for (const object of found.toReversed()) yield* withInner(object, depth);
}

const withoutFence = (text: string): string =>
  text.startsWith('```') && text.endsWith('```') ? text.slice(3, -3).replace(/^json\b/i, '') : text;

/** An object, then the objects that it wraps, also as text. */
function* withInner(object: object, depth: number): Generator<object> {
  if (!Array.isArray(object)) yield object;
  if (depth >= DEEPEST) return;
  for (const value of Object.values(object).toReversed() as unknown[]) {
    if (isObject(value)) yield* withInner(value, depth + 1);
    else if (typeof value === 'string' && value.includes('{')) yield* objectsInText(value, depth + 1);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The objects of a text that are in no other object, in their order. */
function topObjects(text: string): object[] {
  const found: object[] = [];
  let steps = 0;
  for (let at = text.indexOf('{'); at >= 0 && steps < MOST_STEPS; at = text.indexOf('{', at)) {
    const { value, end } = objectAt(text, at);
    steps += end - at;
    if (isObject(value)) found.push(value);
    // Braces of prose: an object may begin inside.
    at = isObject(value) ? end : at + 1;
  }
  return found;
}

/** The object that begins at a brace, as JSON, else mended. */
function objectAt(text: string, from: number): Mended {
  const end = endOf(text, from);
  if (end !== null) {
    const value = parseJson(text.slice(from, end));
    if (isObject(value)) return { value, end };
  }
  const mended = mendJson(text, from);
  return isObject(mended.value)
    ? mended
    : { value: undefined, end: Math.max(mended.end, end ?? text.length) };
}

/** The position after the brace that closes the one at `from`; null without one. */
function endOf(text: string, from: number): number | null {
  let [open, isQuoted] = [0, false];
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{') open += 1;
    else if (character === '}') open -= 1;
    if (open === 0) return at + 1;
  }
  return null;
}
