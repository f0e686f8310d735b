import { z } from 'zod';
import { closest } from './closest.ts';
import { quoted } from './received.ts';

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  date: 'a time',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address like ada@example.com',
  guid: 'a UUID',
  uuid: 'a UUID',
  base64: 'base64',
};

/** The message for issues whose schema has no message of its own: `must be …`. */
export function expected(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      return `must ${bound(issue.origin, Number(issue.minimum), issue.inclusive ? 'at least' : 'more than')}`;
    case 'too_big':
      return `must ${bound(issue.origin, Number(issue.maximum), issue.inclusive ? 'at most' : 'less than')}`;
    case 'invalid_value':
      return `must be ${choice(issue.values)}`;
    case 'invalid_format':
      return `must be ${formatOf(issue)}`;
    default:
      return 'is not valid here';
  }
}

function bound(origin: string, value: number, relation: string): string {
  if (origin === 'string') return `have ${relation} ${value} ${value === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `have ${relation} ${value} ${value === 1 ? 'entry' : 'entries'}`;
  return `be ${relation} ${value}`;
}

/** In a query, `true` and `false` are texts for the library. */
function choice(values: readonly z.core.util.Primitive[]): string {
  if (values.includes('true') && values.includes('false')) return 'true or false';
  const shown = values.map(String).join(', ');
  return values.length === 1 ? quoted(shown) : `one of ${shown}`;
}

function formatOf({ format, inst }: { format: string; inst?: unknown }): string {
  if (format === 'url') {
    const { protocol } = (inst as { _zod: { def: { protocol?: RegExp } } })._zod.def;
    return protocol?.test('http') === false ? 'an https address' : 'an address like https://example.com';
  }
  return FORMATS[format] ?? `a text of the format ${format}`;
}

const knownFields = (inst: unknown): string[] =>
  inst instanceof z.core.$ZodObject ? Object.keys(inst._zod.def.shape) : [];

/** One line for each unknown key. @param inst the schema */
export function unknownFields(keys: readonly string[], inst: unknown): string {
  const known = knownFields(inst);
  return keys.map((key) => unknownName(key, { kind: 'field', known })).join('\n');
}

/** The name suggested in a message of `unknownName`. */
export const suggestedIn = (message: string): string | undefined =>
  /Did you mean (\w+)\?$/.exec(message)?.[1];

/** The message for an unknown name, with the most similar known name. @param about `kind`: field or query parameter */
export function unknownName(
  name: string,
  { kind, known }: { kind: string; known: readonly string[] },
): string {
  const near = closest(name, known);
  if (near !== undefined) return `is not a ${kind} here. Did you mean ${near}?`;
  if (known.length === 0) return `is not a ${kind} here; there are none`;
  return `is not a ${kind} here; there are ${known.join(', ')}`;
}
