import type { DateTime } from 'luxon';
import {
  AGO_AFTER,
  AGO_BEFORE,
  AND,
  BETWEEN,
  DAY_WITH_PART,
  DAYS,
  DIRECTIONS,
  type Direction,
  DUTCH_AFTER,
  LAST_AFTER,
  LAST_BEFORE,
  LESS_THAN,
  lengthOfPeriod,
  MORE_THAN,
  PERIODS,
  ROLLING_AFTER,
  ROLLING_BEFORE,
  startOfPeriod,
  THIS_BEFORE,
  UNITS,
  type Unit,
} from '../lexicon/date-words.ts';
import { NUMBER, numberOf } from '../lexicon/numbers.ts';
import { readCalendar, readDottedDates, type Span } from './calendar.ts';
import { atMinute, type ClockRange, clockOf, readClock } from './clock.ts';
import { phrase, type QueryText } from './query-text.ts';

/** `[start, end)`; a missing bound is open. */
export interface DateRange {
  readonly start?: DateTime | undefined;
  readonly end?: DateTime | undefined;
}

const entries = <Key extends string>(table: Readonly<Record<Key, string>>) =>
  Object.entries(table) as [Key, string][];

const N = `(?<n>${NUMBER})`;
const MORE_OR_LESS = `(?:(?:(?<more>${MORE_THAN})|(?<less>${LESS_THAN})) )?`;
const ROLLING = entries(UNITS).map(([unit, source]): [Unit, RegExp[]] => [
  unit,
  [
    phrase(`(?:(?:in|over|during|within|for) )?(?:the )?(?:${ROLLING_BEFORE})\\s*${N}\\s*(?:${source})`),
    phrase(`${N} (?:${ROLLING_AFTER}) (?:${source})`),
    // "Last hour" ends now; "last week" is a week of the calendar.
    phrase(
      `(?:${unit === 'minute' || unit === 'hour' ? 'past|last|letzten?|laatste|afgelopen' : 'past'}) (?:${source})`,
    ),
  ],
]);
const AGO = entries(UNITS).map(([unit, source]): [Unit, RegExp[]] => [
  unit,
  [
    phrase(`(?:${AGO_BEFORE}) ${MORE_OR_LESS}${N} (?:${source})`),
    phrase(`${MORE_OR_LESS}${N}\\s*(?:${source})\\s*(?:${AGO_AFTER})`),
  ],
]);
const CALENDAR = entries(PERIODS).flatMap(([period, source]): [keyof typeof PERIODS, number, RegExp][] => [
  [period, -1, phrase(`(?:(?:in|im|am|the|la|el|l'|en) ?)?(?:${LAST_BEFORE})\\s*(?:${source})`)],
  [period, -1, phrase(`(?:${source}) (?:${LAST_AFTER})`)],
  [period, 0, phrase(`(?:${THIS_BEFORE})\\s*(?:${source})`)],
]);
const WEEKEND = phrase(PERIODS.weekend);

/** The time range of a query. */
export interface ReadDates extends DateRange {
  /**
   * A time of day that cannot become a filter, since it belongs to no day or to several. All other words are blanked
   * out.
   */
  readonly unusedClock: QueryText | null;
}

/** Reads the time range of a query. @param now in the time zone of the query */
export function readDates(text: QueryText, now: DateTime): ReadDates {
  const rolling = readRolling(text, now);
  if (rolling) return { ...rolling, unusedClock: null };
  const whole = text.plain;
  const [dayAndPart] = readDayWithPart(text, now);
  if (dayAndPart) return { ...dayAndPart, unusedClock: null };
  const spans = [...readAgo(text, now), ...readDays(text, now), ...readPeriods(text, now)];
  spans.push(...readDottedDates(text, now));
  const before = text.within(0, text.plain.length);
  const clock = readClock(text);
  const afterClock = text.within(0, text.plain.length);
  spans.push(...readCalendar(text, now));
  const range = combine(text, { whole, spans: spans.toSorted((a, b) => a.at - b.at) });
  if (!clock) return { ...range, unusedClock: null };
  const narrowed = withinDay(range, clock, now);
  return { ...narrowed, unusedClock: narrowed === range ? before.without(afterClock) : null };
}

function readRolling(text: QueryText, now: DateTime): DateRange | null {
  for (const [unit, patterns] of ROLLING) {
    for (const pattern of patterns) {
      const match = text.take(pattern);
      if (match) return { start: now.minus({ [`${unit}s`]: numberOf(match.groups?.n ?? '1') }) };
    }
  }
  return null;
}

function readDayWithPart(text: QueryText, now: DateTime): DateRange[] {
  for (const [source, offset, part] of DAY_WITH_PART) {
    if (text.take(phrase(source))) return [onDay(now.plus({ days: offset }), clockOf(part))];
  }
  return [];
}

/** "Two hours ago" is about that time, "three days ago" that day, "a month ago" that month. */
function readAgo(text: QueryText, now: DateTime): Span[] {
  for (const [unit, patterns] of AGO) {
    for (const pattern of patterns) {
      const match = text.take(pattern);
      if (!match) continue;
      const then = now.minus({ [`${unit}s`]: numberOf(match.groups!.n!) });
      const place = { at: match.index, length: match[0].length };
      const bound = match.groups!.more ? 'before' : match.groups!.less ? 'since' : undefined;
      if (bound) return [{ start: then, end: then, direction: bound, ...place }];
      if (unit === 'minute')
        return [{ start: then.minus({ minutes: 5 }), end: then.plus({ minutes: 5 }), ...place }];
      if (unit === 'hour')
        return [{ start: then.minus({ minutes: 30 }), end: then.plus({ minutes: 30 }), ...place }];
      const whole = unit === 'week' ? 'day' : unit;
      return [{ start: then.startOf(whole), end: then.startOf(whole).plus({ [`${whole}s`]: 1 }), ...place }];
    }
  }
  return [];
}

function readDays(text: QueryText, now: DateTime): Span[] {
  return DAYS.flatMap(([source, offset]) =>
    text.takeAll(phrase(source)).map((match) => {
      const start = now.startOf('day').plus({ days: offset });
      return { start, end: start.plus({ days: 1 }), at: match.index, length: match[0].length };
    }),
  );
}

function readPeriods(text: QueryText, now: DateTime): Span[] {
  const spanOf = (period: keyof typeof PERIODS, offset: number, match: RegExpExecArray): Span => {
    const at = period === 'weekend' ? now.plus({ weeks: offset }) : now.plus({ [`${period}s`]: offset });
    const start = startOfPeriod(at, period);
    return { start, end: start.plus(lengthOfPeriod(period)), at: match.index, length: match[0].length };
  };
  for (const [period, offset, pattern] of CALENDAR) {
    const match = text.take(pattern);
    if (match) return [spanOf(period, offset, match)];
  }
  const weekend = text.take(WEEKEND);
  // The current weekend, or the last one.
  return weekend ? [spanOf('weekend', now.weekday >= 6 ? 0 : -1, weekend)] : [];
}

const ARTICLE = '(?: (?:the|on|den|dem|der|le|la|el|il|lo|o|a))?';
const DIRECTION_BEFORE = [...DIRECTIONS, DUTCH_AFTER].map(
  ([source, direction, only]) =>
    [direction, new RegExp(`${phrase(source).source}${ARTICLE}\\s*$`, 'u'), only] as const,
);
const BETWEEN_BEFORE = new RegExp(`${phrase(BETWEEN).source}${ARTICLE}\\s*$`, 'u');
const AND_BETWEEN = new RegExp(`^\\s*(?:${AND})${ARTICLE}\\s*$`, 'u');

/** Combines the spans with the words around them: "since", "between … and …". */
function combine(text: QueryText, { whole, spans }: { whole: string; spans: readonly Span[] }): DateRange {
  const [first, second] = spans;
  if (!first) return {};
  const cutBefore = (pattern: RegExp, at: number): boolean => {
    const match = pattern.exec(whole.slice(0, at));
    if (match) text.cut(match.index, match[0].length);
    return match !== null;
  };
  if (second && AND_BETWEEN.test(whole.slice(first.at + first.length, second.at))) {
    if (cutBefore(BETWEEN_BEFORE, first.at) || spans.length === 2)
      return { start: first.start, end: after(first, second) };
  }
  let range: DateRange = {};
  for (const span of spans) {
    const direction =
      span.direction ??
      DIRECTION_BEFORE.find(
        ([, pattern, only]) => (!only || span.language === only) && cutBefore(pattern, span.at),
      )?.[0];
    range = intersect(range, directed(span, direction));
  }
  return range;
}

/** Each day was read as a past day. In "between Monday and Friday" the Friday follows that Monday. */
function after({ start }: Span, { end }: Span): DateTime {
  if (end > start) return end;
  const aWeekOn = end.plus({ weeks: 1 });
  return aWeekOn > start ? aWeekOn : end.plus({ years: 1 });
}

function directed({ start, end }: Span, direction: Direction | undefined): DateRange {
  if (direction === 'since') return { start };
  if (direction === 'after') return { start: end };
  if (direction === 'until') return { end };
  if (direction === 'before') return { end: start };
  return { start, end };
}

const intersect = (a: DateRange, b: DateRange): DateRange => ({
  start: !a.start || (b.start && b.start > a.start) ? b.start : a.start,
  end: !a.end || (b.end && b.end < a.end) ? b.end : a.end,
});

const onDay = (day: DateTime, { fromMinute, toMinute }: ClockRange): DateRange => ({
  start: atMinute(day, fromMinute),
  end: atMinute(day, toMinute),
});

/** A time of day narrows a single day. With several days, or none, it cannot be one range. */
function withinDay(range: DateRange, clock: ClockRange, now: DateTime): DateRange {
  const { start, end } = range;
  if (start && end) return end.diff(start, 'hours').hours <= 25 ? onDay(start, clock) : range;
  if (start || end || clock.ofSomeDay) return range;
  const today = onDay(now, clock);
  return today.start && today.start > now ? onDay(now.minus({ days: 1 }), clock) : today;
}
