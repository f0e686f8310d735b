import type { z } from 'zod';
import { expected, suggestedIn, unknownFields } from './expected.ts';
import { received, shownName, valueAt } from './received.ts';
import { type Fault, remedy } from './remedy.ts';

export interface Explained {
  /** Parts separated by dots; empty for the whole input. */
  readonly path: string;
  /** Without the name of the field: `must be a UUID; received "7"`. */
  readonly message: string;
}

/** Unknown names that are looked at, because each is compared with all known ones. */
const MOST_UNKNOWN = 20;
/** Other faults that are told. */
const MOST_OTHERS = 100;

/** Options for one `safeParse`, so that `explain` gets our messages. */
export function explained(): { readonly error: (issue: z.core.$ZodRawIssue) => string } {
  let left = MOST_UNKNOWN;
  return {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return expected(issue);
      const keys = issue.keys.slice(0, left);
      left -= keys.length;
      return unknownFields(keys, issue.inst);
    },
  };
}

/**
 * Describes the faults of an input, the first of many: what was expected, what was received and, if possible, what to do. Unknown names come
 * first; a field that is missing because its name was misspelled is not reported a second time.
 * @param issues of `safeParse(input, explained())`
 * @param found faults that were found before the schema check
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
    .slice(0, MOST_OTHERS)
    .map((issue) => ({ path: pathOf(input, issue.path), message: messageOf({ issue, input }) }));
  return [...unknown, ...others];
}

const isMissing = (input: unknown, path: readonly PropertyKey[], meant: ReadonlySet<string | undefined>) =>
  meant.has(path.join('.')) && valueAt(input, path) === undefined;

/** The path of the field that the caller most likely meant with an unknown name. */
function meantPath({ path, message }: Explained): string | undefined {
  const name = suggestedIn(message);
  return name && [...path.split('.').slice(0, -1), name].join('.');
}

/** The message of the issue has one line for each key that was looked at. */
function unknownKeys({ path, keys, message }: z.core.$ZodIssueUnrecognizedKeys): Explained[] {
  const lines = message === '' ? [] : message.split('\n');
  return keys.flatMap((key, at) => {
    const line = lines[at];
    return line === undefined ? [] : [{ path: [...path, shownName(key)].join('.'), message: line }];
  });
}

/** The path of the fault; for a part of a text that was split, the path of the text. */
function pathOf(input: unknown, path: readonly PropertyKey[]): string {
  const whole = path.findIndex((_, at) => typeof valueAt(input, path.slice(0, at)) === 'string');
  return (whole < 0 ? path : path.slice(0, whole)).join('.');
}

/** The message; what was received is inserted after the first sentence of the schema's message. */
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

/** What was received; of a text that is too long or too short only the length. */
function sizeOf({ issue, path, value }: Fault): string {
  const isSize = issue.code === 'too_big' || issue.code === 'too_small';
  return isSize && typeof value === 'string' && value !== '' && issue.origin === 'string'
    ? `${value.length}`
    : received(value, path);
}

/**
 * The first fault as a sentence, followed by the number of the others.
 * @param whole subject of a fault without a path: `The body`
 */
export function sentence(faults: readonly Explained[], whole: string): string {
  const first = faults[0]!;
  const text = first.path === '' ? `${whole} ${first.message}` : `${first.path}: ${first.message}`;
  const others = faults.length - 1;
  if (others === 0) return text;
  const end = /[.?]$/.test(text) ? '' : '.';
  return `${text}${end} ${others} more ${others === 1 ? 'fault is' : 'faults are'} listed in error.details`;
}
