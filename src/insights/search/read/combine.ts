import type { DateTime } from 'luxon';
import { existing } from '../../../catalogue/items/items.ts';
import type { DateWords, Direction } from '../lexicon/date-words.ts';
import { atMinute, type Clock } from './clock.ts';
import { phrase, type QueryText } from './query-text.ts';
import type { Span } from './span.ts';

/** `[start, end)`; a missing bound is open. */
export interface DateRange {
  readonly start?: DateTime | undefined;
  readonly end?: DateTime | undefined;
}

export interface Combined extends DateRange {
  /** A time of day belongs to no day, or to several. */
  readonly isClockUnused: boolean;
}

interface Read {
  readonly text: QueryText;
  /** The text before anything was cut. */
  readonly whole: string;
  readonly now: DateTime;
  readonly words: DateWords;
}

/** "From 5 November onwards". */
const ONWARDS = /^ (?:onwards?|and later|or later|und spater|oder spater)\b/;
const HALF_DAY = 12 * 60;

/** Combines days and times of day with the words around them: "since", "between … and …". */
export function combine(found: readonly Span[], clocks: readonly Clock[], read: Read): Combined {
  const clock = oneClock(clocks);
  const spans = closed(found);
  if (spans.length === 2 && clocks.length === 2 && clocks.every(({ point }) => point !== undefined)) {
    const range = fromTimeToTime(spans, clocks, read);
    if (range) return { ...range, isClockUnused: false };
  }
  const [span] = spans;
  if (spans.length === 1 && span && clock && isDay(span)) {
    return { ...dayWithClock(span, clock, read), isClockUnused: false };
  }
  const range = combineSpans(spans, read);
  if (!clock) return { ...range, isClockUnused: clocks.length > 0 };
  const narrowed = withinDay(range, clock, read.now);
  return { ...narrowed, isClockUnused: narrowed === range };
}

/** A time and a part of the day say one time: "in the evening at 8". Two times are no single time. */
function oneClock(clocks: readonly Clock[]): Clock | null {
  const [clock, other] = clocks;
  if (!other || !clock) return clock ?? null;
  if (clocks.length > 2) return null;
  const part = [clock, other].find(({ ofSomeDay }) => ofSomeDay !== undefined);
  const time = [clock, other].find((one) => one !== part);
  if (!part || time?.ofSomeDay !== undefined || !time) return null;
  const isLate = part.fromMinute >= HALF_DAY && part.toMinute <= 2 * HALF_DAY;
  const isMovable = isLate && time.toMinute <= HALF_DAY + 60 && time.fromMinute < HALF_DAY;
  const moved = isMovable ? HALF_DAY : 0;
  return {
    ...time,
    ...(part.ofSomeDay === false && { ofSomeDay: false }),
    fromMinute: time.fromMinute + moved,
    toMinute: time.toMinute + moved,
  };
}

const isDay = ({ start, end }: DateRange): boolean =>
  start !== undefined && end !== undefined && end.diff(start, 'hours').hours <= 25;

/** "Monday last week", "March last year": what one span leaves open, a longer one says. */
function closed(spans: readonly Span[]): Span[] {
  // Luxon counts days slowly, and here each span is compared with each.
  const daysOf = new Map(spans.map((span) => [span, span.end.diff(span.start, 'days').days]));
  const says = (outer: Span, span: Span): boolean => {
    const [days, within] = [existing(daysOf.get(outer), 'entry'), existing(daysOf.get(span), 'entry')];
    if (outer.direction || outer.open) return false;
    if (span.open === 'week') return days > 6 && days < 9 && within < 2;
    return days > 360 && within < 40;
  };
  const open = spans.find((span) => span.open && spans.some((other) => says(other, span)));
  const outer = open && spans.find((other) => says(other, open));
  if (!open || !outer) return [...spans];
  const length = open.end.diff(open.start);
  const start =
    open.open === 'week'
      ? outer.start.plus({ days: (open.start.weekday - outer.start.weekday + 7) % 7 })
      : open.start.set({ year: outer.start.year });
  const span = { ...open, start, end: start.plus(length) };
  return spans.flatMap((one) => (one === open ? [span] : one === outer ? [] : [one]));
}

/** "From yesterday 3 pm to today 10 am". */
function fromTimeToTime(
  [first, second]: readonly Span[],
  clocks: readonly Clock[],
  { text, whole, words }: Read,
): DateRange | null {
  const [one, two] = clocks.toSorted((a, b) => a.at - b.at);
  if (!first || !second || !one || !two || !isDay(first) || !isDay(second)) return null;
  const [from, to] = [
    atMinute(first.start, existing(one.point, 'point')),
    atMinute(second.start, existing(two.point, 'point')),
  ];
  const between = new RegExp(`${phrase(words.between).source}\\s*$`, 'u').exec(
    whole.slice(0, Math.min(first.at, one.at)),
  );
  if (between) text.cut(between.index, between[0].length);
  return from < to ? { start: from, end: to } : null;
}

function dayWithClock(span: Span, clock: Clock, read: Read): DateRange {
  const at = Math.min(span.at, clock.at);
  const direction =
    clock.direction && clock.at < span.at && clock.direction === 'since'
      ? 'since'
      : directionBefore(read, at === span.at ? span.at : clock.at);
  const day = onDay(span.start, clock);
  if (!direction) return day;
  const point = clock.point === undefined ? null : atMinute(span.start, clock.point);
  if (direction === 'since') return { start: point ?? day.start };
  if (direction === 'after') return { start: point ?? day.end };
  if (direction === 'until') return { end: point ?? day.end };
  return { end: point ?? day.start };
}

function directionBefore({ text, whole, words }: Read, at: number): Direction | undefined {
  for (const [source, direction] of words.directions) {
    const match = new RegExp(`${phrase(source).source}(?: (?:${words.article}))?\\s*$`, 'u').exec(
      whole.slice(0, at),
    );
    if (!match) continue;
    text.cut(match.index, match[0].length);
    return direction;
  }
  return undefined;
}

function combineSpans(spans: readonly Span[], read: Read): DateRange {
  const { text, whole, words } = read;
  const [first, second] = spans;
  if (!first) return {};
  const between = new RegExp(`${phrase(words.between).source}(?: (?:${words.article}))?\\s*$`, 'u');
  const and = new RegExp(`^\\s*(?:${words.and})(?: (?:${words.article}))?\\s*$`, 'u');
  if (second && and.test(whole.slice(first.at + first.length, second.at))) {
    text.cut(first.at + first.length, Math.max(0, second.at - first.at - first.length));
    const match = between.exec(whole.slice(0, first.at));
    if (match) text.cut(match.index, match[0].length);
    if (match || spans.length === 2) return bothOf(first, second, match !== null);
  }
  let range: DateRange = {};
  for (const span of spans) {
    const isOpen = ONWARDS.test(whole.slice(span.at + span.length));
    const direction = span.direction ?? (isOpen ? 'since' : directionBefore(read, span.at));
    range = intersect(range, directed(span, direction));
  }
  return range;
}

/** Each day was read as a past day. In "between Monday and Friday" the Friday follows that Monday. */
function bothOf(first: Span, second: Span, isRange: boolean): DateRange {
  if (second.end > first.start) return { start: earliest(first.start, second.start), end: second.end };
  if (!isRange || !second.open) return { start: second.start, end: first.end };
  const later = second.end.plus(second.open === 'week' ? { weeks: 1 } : { years: 1 });
  return { start: first.start, end: later };
}

const earliest = (a: DateTime, b: DateTime): DateTime => (a < b ? a : b);

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

const onDay = (day: DateTime, { fromMinute, toMinute }: Clock): DateRange => ({
  start: atMinute(day, fromMinute),
  end: atMinute(day, toMinute),
});

/** A time of day narrows a single day. With several days, or none, it cannot be one range. */
function withinDay(range: DateRange, clock: Clock, now: DateTime): DateRange {
  const { start, end } = range;
  if (start && end) return isDay(range) ? onDay(start, clock) : range;
  if (start || end || clock.ofSomeDay) return range;
  const today = onDay(now, clock);
  // "This evening" may be to come.
  const isToday = clock.ofSomeDay === false || !today.start || today.start <= now;
  const day = isToday ? today : onDay(now.minus({ days: 1 }), clock);
  return clock.direction === 'since' ? { start: day.start } : day;
}
