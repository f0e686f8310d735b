import type { z } from 'zod';
import { expected, suggestedIn } from './expected.ts';
import { received, shownName, valueAt } from './received.ts';
import { type Fault, remedy } from './remedy.ts';

export interface Explained {
  /** Parts separated by dots; empty for the whole. */
  readonly path: string;
  /** Without the field's name: `must be a UUID; received "7"`. */
  readonly message: string;
}

/** What a schema is parsed with, so that `explain` can say what was expected. */
export const EXPLAINED = { error: expected } as const;

/**
 * Every fault of an input in words: what was expected, what was received, and what to do where that can be told. Unknown
 * names come first, and a field that is missing because its name was misspelt is not told twice.
 * @param issues of `safeParse(input, EXPLAINED)`
 * @param found faults that were found before the schema was asked
 */
export function explain(
  issues: readonly z.core.$ZodIssue[],
  { input, found = [] }: { input: unknown; found?: readonly Explained[] },
): Explained[] {
  const unknown = [
    ...found,
    ...issues.flatMap((i) => (i.code === 'unrecognized_keys' ? unknownKeys(i) : [])),
  ];
  const meant = new Set(unknown.map(meantPath));
  const others = issues
    .filter(({ code, path }) => code !== 'unrecognized_keys' && !isMissing(input, path, meant))
    .map((issue) => ({ path: pathOf(input, issue.path), message: messageOf({ issue, input }) }));
  return [...unknown, ...others];
}

const isMissing = (input: unknown, path: readonly PropertyKey[], meant: ReadonlySet<string | undefined>) =>
  meant.has(path.join('.')) && valueAt(input, path) === undefined;

/** The path of the field that an unknown name most likely means. */
function meantPath({ path, message }: Explained): string | undefined {
  const name = suggestedIn(message);
  return name && [...path.split('.').slice(0, -1), name].join('.');
}

/** The message has a line for each key. */
function unknownKeys({ path, keys, message }: z.core.$ZodIssueUnrecognizedKeys): Explained[] {
  const lines = message.split('\n');
  return keys.slice(0, 20).map((key, at) => ({
    path: [...path, shownName(key)].join('.'),
    message: lines[at] ?? message,
  }));
}

/** Of a text that was split into parts the path of the text. */
function pathOf(input: unknown, path: readonly PropertyKey[]): string {
  const whole = path.findIndex((_, at) => typeof valueAt(input, path.slice(0, at)) === 'string');
  return (whole < 0 ? path : path.slice(0, whole)).join('.');
}

/** A schema may say what to do behind its first sentence: what was received stands between the two. */
function messageOf({ issue, input }: { issue: z.core.$ZodIssue; input: unknown }): string {
  const { path } = issue;
  const value = valueAt(input, path);
  const [, wanted = issue.message, advice] = /^(.+?)\. (.+)$/s.exec(issue.message) ?? [];
  if (value === undefined && path.length > 0) return `is required: it ${wanted}`;
  const isWhole = issue.code === 'custom' && typeof value === 'object' && value !== null;
  const what = isWhole ? wanted : `${wanted}; received ${sizeOf({ issue, path, value })}`;
  const hint = advice ?? remedy({ issue, path, value });
  return hint === undefined ? what : `${what}. ${hint}`;
}

/** Of a text that is too long or short its length says more than its beginning. */
function sizeOf({ issue, path, value }: Fault): string {
  const isSize = issue.code === 'too_big' || issue.code === 'too_small';
  return isSize && typeof value === 'string' && value !== '' && issue.origin === 'string'
    ? `${value.length}`
    : received(value, path);
}

/**
 * The first fault as a sentence for people; how many more there are stands behind it.
 * @param whole what a fault without a path is about: `The body`
 */
export function sentence(faults: readonly Explained[], whole: string): string {
  const first = faults[0]!;
  const text = first.path === '' ? `${whole} ${first.message}` : `${first.path}: ${first.message}`;
  const others = faults.length - 1;
  if (others === 0) return text;
  const end = /[.?]$/.test(text) ? '' : '.';
  return `${text}${end} ${others} more ${others === 1 ? 'fault is' : 'faults are'} listed in error.details`;
}
