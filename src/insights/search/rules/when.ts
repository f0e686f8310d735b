import { DateTime } from 'luxon';
import { atMinute, type Clock, clockAt, type Direction } from './clock.ts';
import { type DateContext, isOneDay, type Span, spanAt } from './dates.ts';
import { type Sentence, span } from './sentence.ts';

/** Where a time stands in the query. */
interface Placed {
  readonly from: number;
  /** The next token. */
  readonly next: number;
}
type PlacedSpan = Span & Placed;
type PlacedClock = Clock & Placed;
type Time = PlacedSpan | PlacedClock;
const isSpan = (time: Time): time is PlacedSpan => 'start' in time;
const isClock = (time: Time): time is PlacedClock => !isSpan(time);

/** `[start, end)`; a missing bound is open. */
type DateRange = { readonly [Bound in 'start' | 'end']?: DateTime | undefined };

const HALF_DAY = 12 * 60;

/** Claims the time range of the query, and denied days one by one. */
export function readWhen(sentence: Sentence, context: DateContext): void {
  let rest = timesIn(sentence, context);
  for (const at of sentence.tokens.keys()) {
    const marker = sentence.free('except', at) ?? sentence.free('not', at);
    const clause = marker && deniedClause(sentence, at + marker.length, rest);
    if (!clause) continue;
    const isDenied = ({ from, next }: Time) => from >= clause.from && next <= clause.next;
    claimTimes(sentence, rest.filter(isDenied), context.now);
    rest = rest.filter((time) => !isDenied(time));
  }
  claimTimes(sentence, rest, context.now);
}

const at = (token: number) => (time: Placed) => time.from <= token && token < time.next;

/** "Not yesterday": the clause after a denial if it begins with a day. */
function deniedClause(sentence: Sentence, from: number, times: readonly Time[]): Placed | null {
  const isTime = (token: number) => times.some(at(token));
  let first = from;
  while (!isTime(first) && sentence.isFree(first) && sentence.isFiller(first)) first += 1;
  if (!times.filter(isSpan).some(at(first))) return null;
  const isEnd = (token: number) =>
    sentence.tokens[token]?.kind === 'mark' || sentence.is(token, 'but', 'only', 'except', 'not');
  let next = first;
  while (isTime(next) || (sentence.isFree(next) && !isEnd(next))) next += 1;
  return { from, next };
}

/** All times of the query, taken from it. */
function timesIn(sentence: Sentence, context: DateContext): Time[] {
  const times: Time[] = [];
  const scan = (read: (token: number) => Time | null) => {
    for (const token of sentence.tokens.keys()) {
      const time = sentence.isFree(token) ? read(token) : null;
      if (!time) continue;
      sentence.take(span(time.from, time.next - time.from), 'marker');
      times.push(time);
    }
  };
  scan((token) => spanAt(sentence, token, context) ?? clockAt(sentence, token, false));
  if (times.some((time) => isSpan(time) || time.ofSomeDay === false))
    scan((token) => clockAt(sentence, token, true));
  return times.sort((a, b) => a.from - b.from);
}

/** Claims times that belong together. A time of day is left that can become no filter, since it belongs to no day or to several. */
function claimTimes(sentence: Sentence, times: readonly Time[], now: DateTime): void {
  if (times.length === 0) return;
  const combiner = new Combiner(sentence, now);
  const clocks = times.filter(isClock);
  const { isClockUnused = false, ...range } = combiner.combine(times.filter(isSpan), clocks);
  const [start, end] = [dateOf(range.start), dateOf(range.end)];
  const tokensOf = (placed: readonly Placed[]) => placed.flatMap(({ from, next }) => span(from, next - from));
  const left = isClockUnused || !(start || end) ? tokensOf(clocks) : [];
  const said = [...combiner.connectors, ...tokensOf(times)].filter((token) => !left.includes(token));
  // "9999 years ago" is before every insight and outside the range of API times: it becomes no filter.
  const unused = start || end ? left : [...left, ...said];
  sentence.take(
    unused.filter((token) => !sentence.isFiller(token)),
    'unused',
  );
  if (unused === left && said.length > 0)
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
  ): DateRange & { isClockUnused?: boolean } {
    const spans = closed(found);
    const range = this.#fromTimeToTime(spans, clocks);
    if (range) return range;
    const clock = oneClock(clocks);
    const [first] = spans;
    if (spans.length === 1 && first && !first.direction && clock && isOneDay(first))
      return this.#dayWithClock(first, clock);
    const days = this.#combineSpans(spans);
    const narrowed = clock ? withinDay(days, clock, this.#now) : days;
    return { ...narrowed, isClockUnused: clocks.length > 0 && narrowed === days };
  }

  /** Takes a word directly before a token, from which only an article may separate it. */
  #wordBefore<Value>(kind: string, token: number): Value | undefined {
    const article = this.#sentence.before('article', token)?.length ?? 0;
    const isArticleFree = this.#sentence.areFree(token - article, article);
    for (const end of isArticleFree ? [token, token - article] : [token]) {
      const word = this.#sentence.before<Value>(kind, end);
      if (!word || !this.#sentence.areFree(end - word.length, word.length)) continue;
      this.connectors.push(...span(end - word.length, token - end + word.length));
      return word.value;
    }
    return undefined;
  }

  /** "From yesterday 3 pm to today 10 am". */
  #fromTimeToTime(spans: readonly PlacedSpan[], clocks: readonly PlacedClock[]): DateRange | null {
    const [[first, second], [one, two]] = [spans, clocks];
    if (spans.length !== 2 || clocks.length !== 2 || !spans.every(isOneDay)) return null;
    if (!first || !second || one?.point === undefined || two?.point === undefined) return null;
    const [start, end] = [atMinute(first.start, one.point), atMinute(second.start, two.point)];
    this.#wordBefore('between', Math.min(first.from, one.from));
    return start < end ? { start, end } : null;
  }

  #dayWithClock(day: PlacedSpan, clock: PlacedClock): DateRange {
    const isClockFirst = clock.from < day.from;
    const direction =
      isClockFirst && clock.direction === 'since'
        ? 'since'
        : this.#direction(isClockFirst ? clock.from : day.from);
    const whole = onDay(day.start, clock);
    if (!direction) return whole;
    const point = clock.point === undefined ? undefined : atMinute(day.start, clock.point);
    return directed(point ? { start: point, end: point } : whole, direction);
  }

  #direction(token: number): Direction | undefined {
    const direction = this.#wordBefore<Direction | 'from'>('direction', token);
    return direction === 'from' ? undefined : direction;
  }

  #combineSpans(spans: readonly PlacedSpan[]): DateRange {
    const [first, second] = spans;
    if (first && second && this.#isJoined(first.next, second.from)) {
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
      const { start, end } = directed(one, one.direction ?? (onwards ? 'since' : this.#direction(one.from)));
      range = {
        start: !range.start || (start && start > range.start) ? start : range.start,
        end: !range.end || (end && end < range.end) ? end : range.end,
      };
    }
    return range;
  }

  /** Whether a word joins two times: "Monday to Friday", "3. und dem 5.". */
  #isJoined(end: number, from: number): boolean {
    const joined = this.#sentence.free('joined', end);
    const next = end + (joined?.length ?? 0);
    const article = this.#sentence.free('article', next)?.length ?? 0;
    return joined !== undefined && (next === from || next + article === from);
  }
}

/** A time and a part of the day say one time: "in the evening at 8". Two times are no single time. */
function oneClock(clocks: readonly PlacedClock[]): PlacedClock | null {
  if (clocks.length < 2) return clocks[0] ?? null;
  const parts = clocks.filter(({ ofSomeDay }) => ofSomeDay !== undefined);
  const [part, time] = [parts[0], clocks.find((one) => !parts.includes(one))];
  if (clocks.length > 2 || !part || !time) return null;
  const isLate = part.fromMinute >= HALF_DAY && part.toMinute <= 2 * HALF_DAY;
  const moved = isLate && time.toMinute <= HALF_DAY + 60 && time.fromMinute < HALF_DAY ? HALF_DAY : 0;
  const ofSomeDay = part.ofSomeDay === false && { ofSomeDay: false };
  return { ...time, ...ofSomeDay, fromMinute: time.fromMinute + moved, toMinute: time.toMinute + moved };
}

/** "Monday last week", "March last year": what one span leaves open, a longer one says. */
function closed(spans: readonly PlacedSpan[]): readonly PlacedSpan[] {
  // Luxon counts days slowly, and here each span is compared with each.
  const all = spans.map((one) => ({ one, days: one.end.diff(one.start, 'days').days }));
  for (const { one, days } of all) {
    const isWeek = one.open === 'week';
    const outer = all.find(
      ({ one: { direction, open }, days: whole }) =>
        !direction && !open && (isWeek ? whole > 6 && whole < 9 && days < 2 : whole > 360 && days < 40),
    )?.one;
    if (!one.open || !outer) continue;
    const start = isWeek
      ? outer.start.plus({ days: (one.start.weekday - outer.start.weekday + 7) % 7 })
      : one.start.set({ year: outer.start.year });
    const known = { ...one, start, end: start.plus(one.end.diff(one.start)) };
    return spans.flatMap((other) => (other === one ? [known] : other === outer ? [] : [other]));
  }
  return spans;
}

/** Each day was read as a past day. In "between Monday and Friday" the Friday follows that Monday. */
function bothOf(first: Span, second: Span, isRange: boolean): DateRange {
  if (second.end > first.start) return { start: DateTime.min(first.start, second.start), end: second.end };
  if (!isRange || !second.open) return { start: second.start, end: first.end };
  return { start: first.start, end: second.end.plus({ [second.open]: 1 }) };
}

function directed({ start, end }: Pick<Span, 'start' | 'end'>, direction: Direction | undefined): DateRange {
  if (direction === 'since') return { start };
  if (direction === 'after') return { start: end };
  if (direction === 'until') return { end };
  return direction === 'before' ? { end: start } : { start, end };
}

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
