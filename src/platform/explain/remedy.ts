import type { z } from 'zod';
import { closest } from './closest.ts';
import { isSecret, quoted } from './received.ts';

/** A fault and the value that has it. */
export interface Fault {
  readonly issue: z.core.$ZodIssue;
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** Functions that know what to do about a fault; undefined if they do not. The first answer counts. */
const REMEDIES: readonly ((fault: Fault) => string | undefined)[] = [
  ofNull,
  ofChoice,
  ofType,
  ofUnit,
  ofId,
  ofTime,
];

/** A sentence that says what to do; undefined if the message of the fault is enough. */
export function remedy(fault: Fault): string | undefined {
  if (isSecret(fault.path, fault.value)) return undefined;
  for (const of of REMEDIES) {
    const sentence = of(fault);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

function ofNull({ value }: Fault): string | undefined {
  return value === null ? 'Leave the field out instead' : undefined;
}

function ofChoice({ issue, value }: Fault): string | undefined {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return undefined;
  // In a text that holds a list, the wrong part is not known here.
  const near = closest(value, issue.values.map(String));
  return near === undefined || near === value ? undefined : `Did you mean ${quoted(near)}?`;
}

function ofType({ issue, value }: Fault): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  const { expected } = issue;
  if (Array.isArray(value) && value.length > 1 && value.every((part) => typeof part === 'string'))
    return 'Give it once';
  if (typeof value === 'string') {
    const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
    if (isNumber && (expected === 'number' || expected === 'int')) return 'Send it without quotes';
    if (/^(true|false)$/.test(value) && expected === 'boolean') return 'Send it without quotes';
    if (/^\s*[[{]/.test(value)) return 'Send it as JSON, not as a text that holds JSON';
  }
  if (expected === 'string' && typeof value === 'number') return 'Send it in quotes';
  if (expected === 'array' && (typeof value === 'string' || typeof value === 'number'))
    return `Send ${JSON.stringify([value]).slice(0, 80)}`;
  if (expected === 'array' && typeof value === 'object' && value !== null) return 'Put it in a list: [{ … }]';
  return undefined;
}

/** Only these may be converted: an object of the caller may have a `toString` that is not a function. */
const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const clean = (value: number): string => String(Number(value.toPrecision(6)));

/** A number in another unit than that of the field: thousandths, seconds for minutes, percent for fractions. */
function ofUnit({ issue, path, value }: Fault): string | undefined {
  if (!isScalar(value)) return undefined;
  const number = Number(value);
  const name = String(path.findLast((part) => typeof part === 'string') ?? '');
  if (value === '' || !Number.isFinite(number)) return undefined;
  if (issue.code === 'too_small' && /Ms$/.test(name) && number > 0 && number <= 60)
    return `The unit is milliseconds: did you mean ${clean(number * 1000)}?`;
  if (issue.code !== 'too_big') return undefined;
  const { maximum } = issue;
  if (/Seconds$/.test(name) && number >= 1000 && number / 1000 <= Number(maximum))
    return `The unit is seconds: did you mean ${clean(number / 1000)}?`;
  if (/Minutes$/.test(name) && number / 60 <= Number(maximum))
    return `The unit is minutes: did you mean ${clean(number / 60)}?`;
  if (Number(maximum) === 1 && name !== 'points' && number <= 100)
    return `It is a fraction, not percent: did you mean ${clean(number / 100)}?`;
  return undefined;
}

const UUID = '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d03';

function ofId({ issue, value }: Fault): string | undefined {
  if (issue.code !== 'invalid_format' || issue.format !== 'guid' || typeof value !== 'string')
    return undefined;
  if (/^(undefined|null|NaN|\[object .*\])$/.test(value)) return 'The client program had no id to send';
  if (/^[{:<].*/.test(value)) return 'Put the id itself in its place';
  if (value.includes(',')) return 'Give one id';
  const digits = value.replace(/[^0-9a-f]/gi, '');
  if (digits.length > 24 && /^[0-9a-f-{}]+$/i.test(value))
    return `A UUID has 32 hexadecimal digits like ${UUID}, this has ${digits.length}`;
  return `An id looks like ${UUID}`;
}

/** A time without a zone, a number of seconds or milliseconds, or parts in another order. */
function ofTime({ issue, value }: Fault): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  if (!isScalar(value)) return undefined;
  const text = String(value);
  const zoneless = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z?)$/.exec(text);
  if (zoneless) {
    const [, day = '', clock = '', zone] = zoneless;
    const full = clock.length === 5 ? `${clock}:00` : clock;
    const written = `${day}T${full}Z`;
    if (!isDay(day) || Number.isNaN(Date.parse(written))) return 'There is no such day or time';
    return zone === 'Z'
      ? `Write it as ${written}`
      : `A zone is missing: ${written} is UTC, ${day}T${full}+02:00 is two hours ahead`;
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:?\d\d$/.test(text)) return 'Write + as %2B in an address';
  if (/^\d{9,13}$/.test(text)) {
    const ms = text.length > 11 ? Number(text) : Number(text) * 1000;
    return `Send ${new Date(ms).toISOString()} instead of a number`;
  }
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{4}/.test(text)) return 'Write the year first: 2026-01-31';
  if (/^\d{4}-\d\d-\d\d/.test(text) && !isDay(text.slice(0, 10))) return 'There is no such day';
  return undefined;
}

/** Whether a date exists: JavaScript turns dates like February 30 into others. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
