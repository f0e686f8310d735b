import { DateTime } from 'luxon';
import { atMinute, CLOCKS, type Clock, type Direction, OPEN_CLOCKS } from './clock.ts';
import { type DateContext, SPANS, type Span, widened } from './dates.ts';
import { type Sentence, span } from './sentence.ts';

/** Where a time stands in the query. */
interface Placed {
  readonly from: number;
  /** The next token. */
  readonly next: number;
}
type PlacedSpan = Span & Placed;
type PlacedClock = Clock & Placed;
interface Times {
  readonly spans: PlacedSpan[];
  readonly clocks: PlacedClock[];
}

/** `[start, end)`; a missing bound is open. */
interface DateRange {
  readonly start?: DateTime | undefined;
  readonly end?: DateTime | undefined;
}

const HALF_DAY = 12 * 60;

/** Claims the time range of the query, and denied days one by one. */
export function readWhen(sentence: Sentence, context: DateContext): void {
  const all = timesIn(sentence, context);
  const isIn = (first: number, end: number) => (time: Placed) => time.from >= first && time.next <= end;
  let rest = all;
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const marker = sentence.free('except', at) ?? sentence.free('not', at);
    const clause = marker && deniedClause(sentence, at + marker.length, rest);
    if (!clause) continue;
    const denied = isIn(...clause);
    claimTimes(sentence, only(rest, denied), context.now);
    rest = only(rest, (time) => !denied(time));
  }
  claimTimes(sentence, rest, context.now);
}

const only = ({ spans, clocks }: Times, wanted: (time: Placed) => boolean): Times => ({
  spans: spans.filter(wanted),
  clocks: clocks.filter(wanted),
});

/** "Not yesterday": the clause after a denial if it begins with a day. */
function deniedClause(sentence: Sentence, from: number, { spans, clocks }: Times): [number, number] | null {
  const timeAt = (at: number) => [...spans, ...clocks].find((time) => time.from <= at && at < time.next);
  let first = from;
  while (!timeAt(first) && sentence.isFree(first) && sentence.isFiller(first)) first += 1;
  const begin = spans.find((time) => time.from <= first && first < time.next);
  if (!begin) return null;
  let end = first;
  while (timeAt(end) || (sentence.isFree(end) && !endsClause(sentence, end))) end += 1;
  return [from, end];
}

const endsClause = (sentence: Sentence, at: number): boolean =>
  sentence.tokens[at]!.kind === 'mark' ||
  ['but', 'only', 'except', 'not'].some((kind) => sentence.senseAt(kind, at) !== undefined);

/** All times of the query, taken from it. */
function timesIn(sentence: Sentence, context: DateContext): Times {
  const times: Times = { spans: [], clocks: [] };
  const scan = (read: (at: number) => Placed | null) => {
    for (let at = 0; at < sentence.tokens.length; at += 1) {
      const time = sentence.isFree(at) ? read(at) : null;
      if (time) sentence.take(span(at, time.next - at), 'marker');
      at = time ? time.next - 1 : at;
    }
  };
  const readClock = (rules: typeof CLOCKS) => (at: number) => {
    for (const [pattern, read] of rules) {
      const match = pattern.at(sentence, at);
      if (!match) continue;
      times.clocks.push({ ...read(match.values), from: at, next: match.end });
      return times.clocks.at(-1)!;
    }
    return null;
  };
  const readSpan = (at: number) => {
    for (const [pattern, read] of SPANS) {
      const match = pattern.at(sentence, at);
      const found = match && read(match.values, context, { sentence, at, end: match.end });
      if (!found) continue;
      times.spans.push({ ...found, from: at, next: match.end });
      return times.spans.at(-1)!;
    }
    return null;
  };
  scan((at) => readSpan(at) ?? readClock(CLOCKS)(at));
  if (times.spans.length > 0 || times.clocks.some(({ ofSomeDay }) => ofSomeDay === false))
    scan(readClock(OPEN_CLOCKS));
  return { spans: times.spans.map((found) => widenedAt(sentence, found)), clocks: times.clocks };
}

/** "The week of 2 November" is the whole week, "the month of October" is October. */
function widenedAt(sentence: Sentence, found: PlacedSpan): PlacedSpan {
  const before = skipBack(sentence, 'article', found.from);
  const isDay = isOneDay(found);
  const words = sentence.before(isDay ? 'weekOf' : 'monthOf', before);
  if (!words) return found;
  const from = before - words.length;
  sentence.take(span(from, found.from - from), 'marker');
  return { ...found, ...(isDay && widened(found)), from };
}

const skipBack = (sentence: Sentence, kind: string, at: number): number => {
  const word = sentence.before(kind, at);
  return word && sentence.areFree(at - word.length, word.length) ? at - word.length : at;
};

/** Claims times that belong together; a time of day that cannot become a filter, since it belongs to no day or to several, is left. */
function claimTimes(sentence: Sentence, { spans, clocks }: Times, now: DateTime): void {
  if (spans.length + clocks.length === 0) return;
  const byPlace = (a: Placed, b: Placed) => a.from - b.from;
  const combiner = new Combiner(sentence, now);
  const { isClockUnused, ...range } = combiner.combine(spans.toSorted(byPlace), clocks.toSorted(byPlace));
  const [start, end] = [dateOf(range.start), dateOf(range.end)];
  const tokensOf = (times: readonly Placed[]) =>
    times.flatMap((time) => span(time.from, time.next - time.from));
  const leave = (tokens: readonly number[]) =>
    sentence.take(
      tokens.filter((token) => !sentence.isFiller(token)),
      'unused',
    );
  if (isClockUnused || !(start || end)) leave(tokensOf(clocks));
  const said = [...combiner.connectors, ...tokensOf(spans), ...(isClockUnused ? [] : tokensOf(clocks))];
  // "9999 years ago" is before every insight and outside the range of API times: it becomes no filter.
  if (!(start || end)) leave(said);
  else if (said.length > 0)
    sentence.claim(withGaps(sentence, said), { kind: 'dates', dates: { start, end } });
}

/** Function words between words of time are of the same phrase. */
function withGaps(sentence: Sentence, tokens: readonly number[]): number[] {
  const all = new Set(tokens);
  for (const token of tokens) {
    let gap = token + 1;
    while (!all.has(gap) && sentence.isFree(gap) && sentence.isFiller(gap)) gap += 1;
    if (all.has(gap)) for (const one of span(token, gap - token)) all.add(one);
  }
  return [...all];
}

const dateOf = (time: DateTime | undefined): Date | undefined =>
  time?.isValid && time.year >= 1 && time.year <= 9999 ? time.toJSDate() : undefined;

const isOneDay = ({ start, end }: DateRange): boolean =>
  start !== undefined && end !== undefined && end.diff(start, 'hours').hours <= 25;

/** Combines days and times of day with the words around them: "since", "between … and …". */
class Combiner {
  readonly #sentence: Sentence;
  readonly #now: DateTime;
  /** Tokens of the words around the times. */
  readonly connectors: number[] = [];

  constructor(sentence: Sentence, now: DateTime) {
    [this.#sentence, this.#now] = [sentence, now];
  }

  combine(
    found: readonly PlacedSpan[],
    clocks: readonly PlacedClock[],
  ): DateRange & { isClockUnused: boolean } {
    const clock = oneClock(clocks);
    const spans = closed(found);
    if (spans.length === 2 && clocks.length === 2 && clocks.every(({ point }) => point !== undefined)) {
      const range = this.#fromTimeToTime(spans, clocks);
      if (range) return { ...range, isClockUnused: false };
    }
    const [first] = spans;
    if (spans.length === 1 && first && !first.direction && clock && isOneDay(first))
      return { ...this.#dayWithClock(first, clock), isClockUnused: false };
    const range = this.#combineSpans(spans);
    if (!clock) return { ...range, isClockUnused: clocks.length > 0 };
    const narrowed = withinDay(range, clock, this.#now);
    return { ...narrowed, isClockUnused: narrowed === range };
  }

  /** Takes a word directly before a token, from which only an article may separate it. */
  #wordBefore<Value>(kind: string, at: number): Value | undefined {
    for (const end of [at, skipBack(this.#sentence, 'article', at)]) {
      const word = this.#sentence.before<Value>(kind, end);
      if (!word || !this.#sentence.areFree(end - word.length, word.length)) continue;
      this.connectors.push(...span(end - word.length, at - end + word.length));
      return word.value;
    }
    return undefined;
  }

  /** "From yesterday 3 pm to today 10 am". */
  #fromTimeToTime(
    [first, second]: readonly PlacedSpan[],
    [one, two]: readonly PlacedClock[],
  ): DateRange | null {
    if (!isOneDay(first!) || !isOneDay(second!)) return null;
    const [from, to] = [atMinute(first!.start, one!.point!), atMinute(second!.start, two!.point!)];
    this.#wordBefore('between', Math.min(first!.from, one!.from));
    return from < to ? { start: from, end: to } : null;
  }

  #dayWithClock(day: PlacedSpan, clock: PlacedClock): DateRange {
    const isClockFirst = clock.from < day.from;
    const direction =
      isClockFirst && clock.direction === 'since'
        ? 'since'
        : this.#direction(isClockFirst ? clock.from : day.from);
    const whole = onDay(day.start, clock);
    if (!direction) return whole;
    const point = clock.point === undefined ? null : atMinute(day.start, clock.point);
    if (direction === 'since') return { start: point ?? whole.start };
    if (direction === 'after') return { start: point ?? whole.end };
    return { end: point ?? (direction === 'until' ? whole.end : whole.start) };
  }

  #direction(at: number): Direction | undefined {
    const direction = this.#wordBefore<Direction | 'from'>('direction', at);
    return direction === 'from' ? undefined : direction;
  }

  #combineSpans(spans: readonly PlacedSpan[]): DateRange {
    const [first, second] = spans;
    if (!first) return {};
    if (second && this.#isJoined(first.next, second.from)) {
      const isRange = this.#wordBefore('between', first.from) !== undefined;
      if (isRange || spans.length === 2) {
        this.connectors.push(...span(first.next, second.from - first.next));
        return bothOf(first, second, isRange);
      }
    }
    let range: DateRange = {};
    for (const one of spans) {
      const onwards = this.#sentence.free('onwards', one.next);
      if (onwards) this.connectors.push(...span(one.next, onwards.length));
      const direction = one.direction ?? (onwards ? 'since' : this.#direction(one.from));
      range = intersect(range, directed(one, direction));
    }
    return range;
  }

  /** Whether a word joins two times: "Monday to Friday", "3. und dem 5.". */
  #isJoined(end: number, from: number): boolean {
    const joined = this.#sentence.free('joined', end);
    if (!joined) return false;
    const next = end + joined.length;
    return next === from || (this.#sentence.free('article', next)?.length ?? 0) + next === from;
  }
}

/** A time and a part of the day say one time: "in the evening at 8". Two times are no single time. */
function oneClock(clocks: readonly PlacedClock[]): PlacedClock | null {
  const [clock, other] = clocks;
  if (!other || !clock) return clock ?? null;
  if (clocks.length > 2) return null;
  const part = [clock, other].find(({ ofSomeDay }) => ofSomeDay !== undefined);
  const time = [clock, other].find((one) => one !== part);
  if (!part || time?.ofSomeDay !== undefined || !time) return null;
  const isLate = part.fromMinute >= HALF_DAY && part.toMinute <= 2 * HALF_DAY;
  const moved = isLate && time.toMinute <= HALF_DAY + 60 && time.fromMinute < HALF_DAY ? HALF_DAY : 0;
  return {
    ...time,
    ...(part.ofSomeDay === false && { ofSomeDay: false }),
    fromMinute: time.fromMinute + moved,
    toMinute: time.toMinute + moved,
  };
}

/** "Monday last week", "March last year": what one span leaves open, a longer one says. */
function closed(spans: readonly PlacedSpan[]): PlacedSpan[] {
  // Luxon counts days slowly, and here each span is compared with each.
  const daysOf = new Map(spans.map((one) => [one, one.end.diff(one.start, 'days').days]));
  const says = (outer: Span, one: Span): boolean => {
    const [days, within] = [daysOf.get(outer as PlacedSpan)!, daysOf.get(one as PlacedSpan)!];
    if (outer.direction || outer.open) return false;
    if (one.open === 'week') return days > 6 && days < 9 && within < 2;
    return days > 360 && within < 40;
  };
  const open = spans.find((one) => one.open && spans.some((other) => says(other, one)));
  const outer = open && spans.find((other) => says(other, open));
  if (!open || !outer) return [...spans];
  const start =
    open.open === 'week'
      ? outer.start.plus({ days: (open.start.weekday - outer.start.weekday + 7) % 7 })
      : open.start.set({ year: outer.start.year });
  const known = { ...open, start, end: start.plus(open.end.diff(open.start)) };
  return spans.flatMap((one) => (one === open ? [known] : one === outer ? [] : [one]));
}

/** Each day was read as a past day. In "between Monday and Friday" the Friday follows that Monday. */
function bothOf(first: Span, second: Span, isRange: boolean): DateRange {
  if (second.end > first.start) return { start: DateTime.min(first.start, second.start), end: second.end };
  if (!isRange || !second.open) return { start: second.start, end: first.end };
  return { start: first.start, end: second.end.plus(second.open === 'week' ? { weeks: 1 } : { years: 1 }) };
}

function directed({ start, end }: Span, direction: Direction | undefined): DateRange {
  if (direction === 'since') return { start };
  if (direction === 'after') return { start: end };
  if (direction === 'until') return { end };
  return direction === 'before' ? { end: start } : { start, end };
}

const intersect = (a: DateRange, b: DateRange): DateRange => ({
  start: !a.start || (b.start && b.start > a.start) ? b.start : a.start,
  end: !a.end || (b.end && b.end < a.end) ? b.end : a.end,
});

const onDay = (day: DateTime, { fromMinute, toMinute }: Clock) => ({
  start: atMinute(day, fromMinute),
  end: atMinute(day, toMinute),
});

/** A time of day narrows a single day. With several days, or none, it cannot be one range. */
function withinDay(range: DateRange, clock: Clock, now: DateTime): DateRange {
  const { start, end } = range;
  if (start && end) return isOneDay(range) ? onDay(start, clock) : range;
  if (start || end || clock.ofSomeDay) return range;
  const today = onDay(now, clock);
  // "This evening" may be to come.
  const isToday = clock.ofSomeDay === false || today.start <= now;
  const day = isToday ? today : onDay(now.minus({ days: 1 }), clock);
  return clock.direction === 'since' ? { start: day.start } : day;
}
