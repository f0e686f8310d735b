import { DateTime, type DurationLikeObject } from 'luxon';
import { atMinute, clockOf, type Direction } from './clock.ts';
import { oneOf, pattern, type Reader, rulesOf, type Values } from './pattern.ts';
import type { Sentence } from './sentence.ts';

/** Days, months or years of the calendar, `[start, end)`. */
export interface Span {
  readonly start: DateTime;
  readonly end: DateTime;
  /** Set where the phrase itself gives the direction: "more than 2 days ago". */
  readonly direction?: Direction | undefined;
  /** What the query leaves open: the week of a weekday, the year of a month. Another span may say it. */
  readonly open?: 'week' | 'year' | undefined;
}

export interface DateContext {
  /** In the time zone of the query. */
  readonly now: DateTime;
  /** Of dates with slashes: 03/12/2026. */
  readonly monthFirst: boolean;
}

type Read = (
  values: Values,
  context: DateContext,
  place: { readonly sentence: Sentence; readonly at: number; readonly end: number },
) => Span | null;

/** The last of "first, second, … last". */
const LAST = -1;

/** A token in digits, as the numbers of its groups. */
const inDigits =
  (digits: RegExp): Reader =>
  ({ plainAt }, at) => {
    const found = digits.exec(plainAt(at));
    const value = found?.slice(1).flatMap((part) => (part ? [Number(part)] : []));
    return value && { value, length: 1 };
  };
const wholeNumber: Reader = (sentence, at) =>
  /^\d{1,2}$/.test(sentence.plainAt(at)) ? sentence.numberAt(at) : undefined;
/** A year of two digits directly after "12.03.". */
const shortYear: Reader = ({ tokens }, at) => {
  const [before, token] = [tokens[at - 1], tokens[at]];
  const isJoined = before && token && before.at + before.length === token.at && /^\d\d$/.test(token.plain);
  return isJoined ? { value: 2000 + Number(token.plain), length: 1 } : undefined;
};
const year: Reader = ({ plainAt }, at) =>
  /^20\d\d$/.test(plainAt(at)) ? { value: Number(plainAt(at)), length: 1 } : undefined;
const ordinal: Reader = (sentence, at) => {
  const number = sentence.is(at + 1, 'nthMark') && wholeNumber(sentence, at);
  return number ? { value: (number.value as number) - 1, length: 2 } : undefined;
};
const smallUnit: Reader = (sentence, at) => {
  const unit = sentence.senseAt<string>('unit', at);
  return /minute|hour/.test(unit?.value ?? '') ? unit : undefined;
};
const PARTS = [
  'third of*',
  ...['unit:period', 'halves', 'weekday'].map((unit) => `nth:nth|last|ordinal ${unit} of*`),
];
const READERS = {
  ...{ wholeNumber, shortYear, year, smallUnit },
  part: oneOf(PARTS.map((source) => pattern(source, { ordinal }))),
  iso: inDigits(/^(\d{4})-(\d\d)-(\d\d)$/),
  slashed: inDigits(/^(\d{1,2})\/(\d{1,2})(?:\/(\d+))?$/),
  dotted: inDigits(/^(\d{1,2})\.(\d{1,2})$/),
};

const lasting = (start: DateTime, length: DurationLikeObject): Span => ({ start, end: start.plus(length) });
const aDay = (start: DateTime): Span => lasting(start, { day: 1 });

/** A range that ends now. */
const rolling: Read = ({ n = 1, unit }, { now }) => {
  const start = now.minus({ [unit]: n });
  return { start, end: start, direction: 'since' };
};

/** "Two hours ago" is about that time, "three days ago" that day, "a month ago" that month. */
const ago: Read = ({ compare, n, unit }, { now }) => {
  const then = now.minus({ [unit]: n });
  if (/^[GL]T$/.test(compare))
    return { start: then, end: then, direction: compare === 'GT' ? 'before' : 'since' };
  const minutes = { minute: 5, hour: 30 }[unit as string];
  if (minutes) return { start: then.minus({ minutes }), end: then.plus({ minutes }) };
  const whole = unit === 'week' ? 'day' : unit;
  return lasting(then.startOf(whole), { [whole]: 1 });
};

/** "Last night" in English begins in the evening; "heute Nacht" is the latest that has begun. */
const night: Read = ({ night: said }, { now }, { sentence }) => {
  const { fromMinute, toMinute } = clockOf('night');
  const from = sentence.language === 'en' ? clockOf('evening').fromMinute : fromMinute;
  const days = said === 'latest' ? (atMinute(now, from) <= now ? 0 : -1) : said;
  const day = now.startOf('day').plus({ days });
  return { start: atMinute(day, from), end: atMinute(day, toMinute) };
};

/** Days of the calendar; without a year the latest that have begun. */
const days: Read = ({ n, to, month, year: said }, { now }) => {
  const inYear = (of: number) => DateTime.fromObject({ year: of, month, day: n }, { zone: now.zone });
  const given = inYear(said ?? now.year);
  const start = said === undefined && given > now ? inYear(now.year - 1) : given;
  const { end } = aDay(start.set({ day: to ?? n }));
  if (!start.isValid || end <= start || !end.isValid) return null;
  return { start, end, open: said === undefined ? 'year' : undefined };
};
/** A date in digits leaves nothing open. */
const closedDay: Read = (values, ...more) => {
  const found = days(values, ...more);
  return found && { ...found, open: undefined };
};
const slashed: Read = ({ slashed: [first, second, said] }, context, place) => {
  const given = said === undefined || said > 99 ? said : 2000 + said;
  const inOrder = (n: number, month: number) => closedDay({ n, month, year: given }, context, place);
  const [usual, turned] = [inOrder(second, first), inOrder(first, second)];
  return context.monthFirst ? (usual ?? turned) : (turned ?? usual);
};
/** "12.3." or, after a word for a date, "12.03", which is else a time of day or a number. */
const dotted: Read = ({ dotted: [n, month], point, year: said }, context, place) =>
  point || place.sentence.before('dayLead', place.at)
    ? closedDay({ n, month, year: said }, context, place)
    : null;

/** "The 3rd" of a month, or the first of several days of it. */
const MONTH_AFTER = ["'of? month|shortMonth", 'joined article? wholeNumber'].map((source) =>
  pattern(source, READERS),
);
/** "On the 3rd": the latest such day. */
const dayOfMonth: Read = ({ n }, { now }, { sentence, at, end }) => {
  if (!sentence.before('dayLead', at) || MONTH_AFTER.some((read) => read(sentence, end))) return null;
  const starts = [0, 1, 2].map((months) => now.startOf('month').minus({ months }).set({ day: n }));
  const start = starts.find((one) => one.day === n && one <= now);
  return start ? aDay(start) : null;
};

/** "Friday": the latest one; "last Friday" is not today. A short name ("Sat") needs a word of time beside it. */
const weekday: Read = ({ which, weekday: day, short }, { now }, { sentence, at, end }) => {
  const next = sentence.plainAt(end) === '.' ? end + 1 : end;
  const isTold =
    which !== undefined ||
    sentence.before('beforeShort', at) ||
    (!(sentence.language === 'de' && short === 7) &&
      (sentence.tokens[next]?.kind === 'number' || sentence.is(next, 'part', 'atTime', 'partLead')));
  if (short && !isTold) return null;
  const since = (now.weekday - (day ?? short) + 7) % 7;
  const start = now.startOf('day').minus({ days: since === 0 && which === -1 ? 7 : since });
  return { ...aDay(start), open: 'week' };
};

/** A month or a part of it: the latest that has begun. */
const month: Read = (values, { now }, { sentence, at }) => {
  const { month: said, short, year: given, part } = values;
  const isTold = given !== undefined || part?.third !== undefined || sentence.before('beforeShort', at);
  if (short && !isTold) return null;
  const inYear = (of: number) => {
    const start = DateTime.fromObject({ year: of, month: said ?? short }, { zone: now.zone });
    return partOf(lasting(start, { month: 1 }), 'month', values);
  };
  if (given) return inYear(given);
  const thisYear = inYear(now.year);
  return { ...(thisYear.start > now ? inYear(now.year - 1) : thisYear), open: 'year' };
};

/** "Last week", "the week before last", "end of the month". The weekend alone is the current one, else the last. */
const period: Read = (values, { now }) => {
  const { period: said, which, part } = values;
  const isWeekend = said === 'weekend';
  if (which === undefined && !part && !isWeekend) return null;
  const back = which ?? (isWeekend && now.weekday < 6 ? -1 : 0);
  const unit = isWeekend ? 'week' : said;
  const whole = lasting(now.plus({ [unit]: back }).startOf(unit), { [unit]: 1 });
  return partOf(isWeekend ? { ...whole, start: whole.start.plus({ days: 5 }) } : whole, said, values);
};

const week: Read = ({ n }, { now }) => {
  const inYear = (weekYear: number) => DateTime.fromObject({ weekYear, weekNumber: n }, { zone: now.zone });
  const start = inYear(now.weekYear) > now ? inYear(now.weekYear - 1) : inYear(now.weekYear);
  return start.isValid ? lasting(start, { week: 1 }) : null;
};

/** Where the early part of a period ends, and where the late one begins. */
const EDGES = {
  year: [{ months: 3 }, { months: 9 }],
  quarter: [{ months: 1 }, { months: 2 }],
  month: [{ days: 10 }, { days: 20 }],
  week: [{ days: 2 }, { days: 4 }],
  weekend: [{ days: 1 }, { days: 1 }],
} as const;

/** The part of a period that the words before it name; the whole period where none is named or there is no such part. */
function partOf(whole: Span, kind: keyof typeof EDGES, values: Values): Span {
  const said: Values & { readonly third?: 0 | 1 | 2 } = { ...values, ...values.part };
  const { third, nth, unit, halves, weekday: day } = said;
  const { start, end } = whole;
  let part = whole;
  if (third !== undefined) {
    const [early, late] = [start.plus(EDGES[kind][0]), start.plus(EDGES[kind][1])];
    part = { start: ([start, early, late] as const)[third], end: ([early, late, end] as const)[third] };
  } else if (halves) {
    const half = Math.floor(Math.round(end.diff(start, 'days').days) / 2);
    const middle = start.plus(kind === 'year' ? { months: 6 } : { days: half });
    part = nth === 0 ? { start, end: middle } : { start: middle, end };
  } else if (unit === 'week') {
    const first = nth === LAST ? end.minus({ weeks: 1 }) : start.plus({ weeks: nth });
    part = { start: first, end: DateTime.min(first.plus({ weeks: 1 }), end) };
  } else if (day || unit === 'weekend') {
    const lastDay = end.minus({ days: 1 });
    const wanted = day ?? 6;
    const back = { days: (lastDay.weekday - wanted + 7) % 7 };
    const first =
      nth === LAST ? lastDay.minus(back) : start.plus({ days: (wanted - start.weekday + 7) % 7, weeks: nth });
    part = lasting(first, { days: day ? 1 : 2 });
  }
  return part.start < part.end && part.start < end ? part : whole;
}

const each = rulesOf<Read>(READERS);
/** The phrases of days, in the order in which they are tried at a token. `part` is said before a period: "end of", "1. Woche im". */
const SPANS = [
  ...each(ago, 'compare? n:halfOf|number|one unit ago', 'agoBefore compare? one? n:halfOf|number|one unit'),
  ...each(rolling, 'article? past n:number|halfOf unit', "'since n:number|halfOf unit"),
  ...each(rolling, "'seit n:number unit", "'seit one? n:halfOf unit"),
  ...each(rolling, 'article? pastOne unit', 'article? past unit:smallUnit'),
  ...each(night, 'night'),
  ...each(({ day }, { now }) => aDay(now.startOf('day').plus({ days: day })), 'day'),
  ...each(month, 'part month year?', 'part short:shortMonth year?', 'month third'),
  ...each(month, 'nth:nth|last month unit:period', 'nth:nth|last month halves'),
  ...each(week, 'weekNumber n:wholeNumber'),
  ...each(period, 'part? which:lastButOne period', 'part? period which:lastButOne'),
  ...each(period, 'part? which:last|this|next? period'),
  ...each(({ iso: [year, month, n] }, ...more) => days({ year, month, n }, ...more), 'iso'),
  ...each(slashed, 'slashed'),
  ...each(dotted, "dotted point:'. year:year|shortYear?", 'dotted'),
  ...each(
    days,
    "n:wholeNumber nthMark? joined article? to:wholeNumber nthMark? 'of? month:month|shortMonth year?",
    "n:wholeNumber nthMark? 'of? month:month|shortMonth year?",
    'month:month|shortMonth n:wholeNumber nthMark? joined to:wholeNumber nthMark? year?',
    "month:month|shortMonth n:wholeNumber nthMark? ',? year?",
  ),
  ...each(month, 'month year?', 'short:shortMonth year?'),
  ...each(dayOfMonth, 'n:wholeNumber nthMark'),
  ...each(weekday, 'which:last|this? weekday', 'which:last|this? short:shortDay'),
  ...each(
    ({ year }, { now }) => lasting(DateTime.fromObject({ year }, { zone: now.zone }), { year: 1 }),
    'year',
  ),
];
const WEEK_OF = pattern('week:weekOf|monthOf article?');

/** The days that a phrase at a token names. "The week of 2 November" is the whole week, "the month of October" is October. */
export function spanAt(
  sentence: Sentence,
  at: number,
  context: DateContext,
): (Span & { from: number; next: number }) | null {
  const lead = sentence.is(at, 'weekOf', 'monthOf') ? WEEK_OF(sentence, at) : null;
  const inner = lead && spanAt(sentence, lead.end, context);
  const isDay = inner && isOneDay(inner);
  if (isDay && sentence.is(at, 'weekOf'))
    return { ...inner, ...lasting(inner.start.startOf('week'), { week: 1 }), from: at };
  if (inner && !isDay && sentence.is(at, 'monthOf')) return { ...inner, from: at };
  for (const [read, meaning] of SPANS) {
    const match = read(sentence, at);
    const found = match && meaning(match.values, context, { sentence, at, end: match.end });
    if (found) return { ...found, from: at, next: match.end };
  }
  return null;
}

export const isOneDay = ({ start, end }: { [Bound in 'start' | 'end']?: DateTime | undefined }): boolean =>
  start !== undefined && end !== undefined && end.diff(start, 'hours').hours <= 25;
