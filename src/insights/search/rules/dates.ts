import { DateTime, type DurationLikeObject } from 'luxon';
import type { Sense } from '../lexicon.ts';
import { atMinute, clockOf, type Direction } from './clock.ts';
import { numberAt } from './numbers.ts';
import { Pattern, type Reader, type Values } from './pattern.ts';
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

interface Place {
  readonly sentence: Sentence;
  readonly at: number;
  /** The next token. */
  readonly end: number;
}

type Read = (values: Values, context: DateContext, place: Place) => Span | null;

/** The last of "first, second, … last". */
const LAST = -1;

const year: Reader = ({ tokens }, at) =>
  /^20\d\d$/.test(tokens[at]?.plain ?? '') ? { value: Number(tokens[at]!.plain), length: 1 } : undefined;
/** A year of two digits directly after "12.03.". */
const shortYear: Reader = ({ tokens }, at) => {
  const [before, token] = [tokens[at - 1]!, tokens[at]];
  const isJoined = token && before.at + before.length === token.at && /^\d\d$/.test(token.plain);
  return isJoined ? { value: 2000 + Number(token.plain), length: 1 } : undefined;
};
const inDigits =
  (pattern: RegExp): Reader =>
  ({ tokens }, at): Sense<number[]> | undefined => {
    const found = pattern.exec(tokens[at]?.plain ?? '');
    return found
      ? { value: found.slice(1).flatMap((part) => (part ? [Number(part)] : [])), length: 1 }
      : undefined;
  };
const wholeNumber: Reader = (sentence, at) =>
  /^\d{1,2}$/.test(sentence.tokens[at]?.plain ?? '') ? numberAt(sentence, at) : undefined;
const smallUnit: Reader = (sentence, at) => {
  const unit = sentence.senseAt<string>('unit', at);
  return unit && ['minute', 'hour'].includes(unit.value) ? unit : undefined;
};
const READERS = {
  ...{ smallUnit, year, shortYear, wholeNumber, number: numberAt },
  iso: inDigits(/^(\d{4})-(\d\d)-(\d\d)$/),
  slashed: inDigits(/^(\d{1,2})\/(\d{1,2})(?:\/(\d+))?$/),
  dotted: inDigits(/^(\d{1,2})\.(\d{1,2})$/),
};

const lasting = (start: DateTime, length: DurationLikeObject): Span => ({ start, end: start.plus(length) });
const backFrom = (now: DateTime, unit: string, amount = 1) => now.minus({ [`${unit}s`]: amount });

/** A range that ends now. */
const rolling: Read = ({ n, unit }, { now }) => ({
  ...lasting(backFrom(now, unit, n), {}),
  direction: 'since',
});

/** "Two hours ago" is about that time, "three days ago" that day, "a month ago" that month. */
const ago: Read = ({ compare, n, unit }, { now }) => {
  const then = backFrom(now, unit, n);
  if (compare === 'GT' || compare === 'LT')
    return { ...lasting(then, {}), direction: compare === 'GT' ? 'before' : 'since' };
  const minutes = { minute: 5, hour: 30 }[unit as string];
  if (minutes) return { start: then.minus({ minutes }), end: then.plus({ minutes }) };
  const whole = unit === 'week' ? 'day' : unit;
  return lasting(then.startOf(whole), { [`${whole}s`]: 1 });
};

/** "Last night"; "heute Nacht" is the latest that has begun. */
const night: Read = ({ night: said }, { now }, { sentence }) => {
  const { fromMinute, toMinute } = sentence.language === 'en' ? EVENING_AND_NIGHT : clockOf('night');
  const latest = atMinute(now, fromMinute) <= now ? 0 : -1;
  const day = now.startOf('day').plus({ days: said === 'latest' ? latest : said });
  return { start: atMinute(day, fromMinute), end: atMinute(day, toMinute) };
};
const EVENING_AND_NIGHT = { fromMinute: 18 * 60, toMinute: 30 * 60 };

/** A day of the calendar; without a year the latest that has begun. */
function dayOf(
  { now }: DateContext,
  [year, month, day]: readonly [number | undefined, number, number],
  to = day,
): Span | null {
  const inYear = (of: number) => DateTime.fromObject({ year: of, month, day }, { zone: now.zone });
  const given = inYear(year ?? now.year);
  const start = year === undefined && given > now ? inYear(now.year - 1) : given;
  const end = start.set({ day: to }).plus({ days: 1 });
  if (!start.isValid || end <= start || !end.isValid) return null;
  return { start, end, open: year === undefined ? 'year' : undefined };
}

const slashed: Read = ({ slashed: [first, second, said] }, context) => {
  const given = said === undefined || said > 99 ? said : 2000 + said;
  const [usual, turned] = [dayOf(context, [given, first, second]), dayOf(context, [given, second, first])];
  const found = context.monthFirst ? (usual ?? turned) : (turned ?? usual);
  return found && { ...found, open: undefined };
};
/** "12.3." or, after a word for a date, "12.03", which is else a time of day or a number. */
const dotted: Read = ({ dotted: [day, month], point, year: said }, context, { sentence, at }) => {
  if (!point && !sentence.before('dayLead', at)) return null;
  const found = dayOf(context, [said, month, day]);
  return found && { ...found, open: undefined };
};

/** "On the 3rd": the latest such day. */
const dayOfMonth: Read = ({ n }, { now }, { sentence, at, end }) => {
  if (!sentence.before('dayLead', at)) return null;
  if (MONTH_AFTER.some((pattern) => pattern.at(sentence, end))) return null;
  for (let months = 0; months < 3; months += 1) {
    const start = now.startOf('month').minus({ months }).set({ day: n });
    if (start.day === n && start <= now) return lasting(start, { days: 1 });
  }
  return null;
};

const days: Read = ({ n, to, month, year: said }, context) => dayOf(context, [said, month, n], to);

/** "Friday": the latest one; "last Friday" is not today. A short name ("Sat") needs a word of time beside it. */
const weekday: Read = ({ which, weekday: day, short }, { now }, { sentence, at, end }) => {
  const next = sentence.tokens[end]?.plain === '.' ? end + 1 : end;
  const isTold =
    which !== undefined ||
    sentence.before('beforeShort', at) ||
    (!(sentence.language === 'de' && short === 7) &&
      (sentence.tokens[next]?.kind === 'number' ||
        ['part', 'atTime', 'partLead'].some((kind) => sentence.senseAt(kind, next))));
  if (short && !isTold) return null;
  const since = (now.weekday - (day ?? short) + 7) % 7;
  const start = now.startOf('day').minus({ days: since === 0 && which === -1 ? 7 : since });
  return { ...lasting(start, { days: 1 }), open: 'week' };
};

/** A month or a part of it: the latest that has begun. */
const month: Read = (values, { now }, { sentence, at }) => {
  const { month: said, short, year: given } = values;
  if (short && given === undefined && values.third === undefined && !sentence.before('beforeShort', at))
    return null;
  const inYear = (of: number) =>
    partOf(
      lasting(DateTime.fromObject({ year: of, month: said ?? short }, { zone: now.zone }), { months: 1 }),
      values,
    );
  if (given) return inYear(given);
  const thisYear = inYear(now.year);
  return { ...(thisYear.start > now ? inYear(now.year - 1) : thisYear), open: 'year' };
};

/** "Last week", "the week before last", "end of the month". The weekend alone is the current one, else the last. */
const period: Read = (values, { now }) => {
  const { period: said, which, third, nth } = values;
  const isPart = third !== undefined || nth !== undefined;
  if (which === undefined && !isPart && said !== 'weekend') return null;
  const back = which ?? (said !== 'weekend' || now.weekday >= 6 ? 0 : -1);
  if (said === 'weekend')
    return partOf(lasting(now.plus({ weeks: back }).startOf('week').plus({ days: 5 }), { days: 2 }), values);
  return partOf(lasting(now.plus({ [`${said}s`]: back }).startOf(said), { [`${said}s`]: 1 }), values);
};

const week: Read = ({ n }, { now }) => {
  const inYear = (weekYear: number) => DateTime.fromObject({ weekYear, weekNumber: n }, { zone: now.zone });
  const start = inYear(now.weekYear) > now ? inYear(now.weekYear - 1) : inYear(now.weekYear);
  return start.isValid ? lasting(start, { weeks: 1 }) : null;
};

/** "Early", "mid" and "late" by the least days of a period: where the early part ends and the late one begins. */
const EDGES: readonly (readonly [leastDays: number, early: DurationLikeObject, late: DurationLikeObject])[] =
  [
    [300, { months: 3 }, { months: 9 }],
    [80, { months: 1 }, { months: 2 }],
    [20, { days: 10 }, { days: 20 }],
    [5, { days: 2 }, { days: 4 }],
    [0, { days: 1 }, { days: 1 }],
  ];

/** The part of a period that the words before it name; the whole period where none is named or there is no such part. */
function partOf(whole: Span, values: Values): Span {
  const { start, end } = whole;
  const lastDay = end.minus({ days: 1 });
  const count = Math.round(end.diff(start, 'days').days);
  const {
    third,
    nth,
    unit,
    weekday: day,
  } = values as { third?: number; nth?: number; unit?: string; weekday?: number };
  let part: Span = whole;
  if (third !== undefined) {
    const [, early, late] = EDGES.find(([least]) => count >= least)!;
    const edges = [start, start.plus(early), start.plus(late), end];
    part = { start: edges[third]!, end: edges[third + 1]! };
  } else if (nth !== undefined && values.halves) {
    const middle = start.plus(count > 300 ? { months: 6 } : { days: Math.floor(count / 2) });
    part = nth === 0 ? { start, end: middle } : { start: middle, end };
  } else if (nth !== undefined && unit === 'week') {
    const first = nth === LAST ? end.minus({ weeks: 1 }) : start.plus({ weeks: nth });
    part = { start: first, end: DateTime.min(first.plus({ weeks: 1 }), end) };
  } else if (nth !== undefined && (day || unit === 'weekend')) {
    const wanted = day ?? 6;
    const first =
      nth === LAST
        ? lastDay.minus({ days: (lastDay.weekday - wanted + 7) % 7 })
        : start.plus({ days: (wanted - start.weekday + 7) % 7, weeks: nth });
    part = lasting(first, { days: day ? 1 : 2 });
  }
  return part.start < part.end && part.start < end ? part : whole;
}

const PART_UNIT = ['unit:period', 'halves', 'weekday'];
/** Words before a period: "end of", "first week of", "1. Woche im". */
const PARTS = [
  'third of*',
  ...PART_UNIT.flatMap((unit) => [`nth:nth|last ${unit} of*`, `nth:ordinal ${unit} of*`]),
];
const ordinal: Reader = (sentence, at) => {
  const number = wholeNumber(sentence, at);
  const mark = number && sentence.senseAt('nthMark', at + 1);
  return mark && { value: (number.value as number) - 1, length: 2 };
};
const each = (read: Read, ...sources: readonly string[]): (readonly [Pattern, Read])[] =>
  sources.map((source) => [new Pattern(source, { ...READERS, ordinal }), read]);

/** "The 3rd" of a month, or the first of several days of it. */
const MONTH_AFTER = ["'of? month|shortMonth", 'joined article? wholeNumber'].map(
  (source) => new Pattern(source, READERS),
);

/** The phrases of days, in the order in which they are tried at a token. */
export const SPANS: readonly (readonly [Pattern, Read])[] = [
  ...each(ago, 'compare? n:halfOf|number|one unit ago', 'agoBefore compare? one? n:halfOf|number|one unit'),
  ...each(
    rolling,
    'article? past n:number|halfOf unit',
    "'since n:number|halfOf unit",
    "'seit n:number unit",
    "'seit one? n:halfOf unit",
  ),
  ...each(rolling, 'article? pastOne unit', 'article? past unit:smallUnit'),
  ...each(night, 'night'),
  ...each(({ day }, { now }) => lasting(now.startOf('day').plus({ days: day }), { days: 1 }), 'day'),
  ...PARTS.flatMap((part) => [
    ...each(month, `${part} month year?`, `${part} short:shortMonth year?`),
    ...each(
      period,
      `${part} which:last|this|next? period`,
      `${part} which:lastButOne period`,
      `${part} period which:lastButOne`,
    ),
  ]),
  ...each(month, 'nth:nth|last month unit:period', 'nth:nth|last month halves', 'month third'),
  ...each(week, 'weekNumber n:wholeNumber'),
  ...each(
    period,
    'which:lastButOne period',
    'period which:lastButOne',
    'which:last|this|next period',
    'period',
  ),
  ...each(({ iso }, context) => dayOf(context, iso), 'iso'),
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
    ({ year: of }, { now }) => lasting(DateTime.fromObject({ year: of }, { zone: now.zone }), { years: 1 }),
    'year',
  ),
];

/** Words that make a week of a day: "the week of 2 November". */
export const widened = (span: Span): Span => {
  const start = span.start.startOf('week');
  return span.end.diff(span.start, 'days').days < 2
    ? { ...span, start, end: start.plus({ weeks: 1 }) }
    : span;
};
