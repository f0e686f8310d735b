import type { DateTime } from 'luxon';
import { existing } from '../../../catalogue/items/items.ts';
import {
  DATE_WORDS,
  type DateWords,
  lengthOfPeriod,
  type Period,
  startOfPeriod,
  type Unit,
} from '../lexicon/date-words.ts';
import type { Language } from '../lexicon/lexicon.ts';
import { numberOf, numberPattern } from '../lexicon/numbers.ts';
import { readCalendar } from './calendar.ts';
import { atMinute, type Clock, clockOf, readClocks, readOpenClocks } from './clock.ts';
import { combine, type DateRange } from './combine.ts';
import { readNumericDates } from './numeric-dates.ts';
import { partOf, partPattern, readMonthParts } from './period-parts.ts';
import { phrase, type QueryText } from './query-text.ts';
import type { Span } from './span.ts';

const entries = <Key extends string>(table: Readonly<Record<Key, string>>) =>
  Object.entries(table) as [Key, string][];

/** The time range of a query. */
export interface ReadDates extends DateRange {
  /**
   * A time of day that cannot become a filter, since it belongs to no day or to several. All other words are blanked
   * out.
   */
  readonly unusedClock: QueryText | null;
}

export interface DateContext {
  /** In the time zone of the query. */
  readonly now: DateTime;
  readonly language: Language;
  /** Of dates with slashes: 03/12/2026. */
  readonly monthFirst: boolean;
}

/** Reads the time range of a query. */
export function readDates(text: QueryText, context: DateContext): ReadDates {
  const { now, language, monthFirst } = context;
  if (language === 'other') {
    const spans = readNumericDates(text, now, monthFirst);
    return {
      ...combine(spans, [], { text, whole: text.plain, now, words: DATE_WORDS.en }),
      unusedClock: null,
    };
  }
  const reader = READERS[language];
  const rolling = reader.readRolling(text, now);
  if (rolling) return { ...rolling, unusedClock: null };
  const words = DATE_WORDS[language];
  const whole = text.plain;
  const spans: Span[] = [
    ...readMonthParts(text, now, language),
    ...reader.readAgo(text, now),
    ...reader.readDayWithPart(text, now),
    ...reader.readDays(text, now),
    ...reader.readPeriods(text, now),
    ...readNumericDates(text, now, monthFirst),
  ];
  const before = text.within(0, text.plain.length);
  const clocks: Clock[] = readClocks(text, language);
  const afterClock = text.within(0, text.plain.length);
  spans.push(...readCalendar(text, { now, language, whole }));
  const dayPart = spans.find(({ part }) => part);
  if (dayPart?.part)
    clocks.push({ ...clockOf(dayPart.part), at: dayPart.at, length: dayPart.length, ofSomeDay: true });
  const saysDay = spans.length > 0 || clocks.some(({ ofSomeDay }) => ofSomeDay === false);
  if (saysDay) clocks.push(...readOpenClocks(text, language));
  const combined = combine(
    spans.map((span) => widened(span, text, whole)).toSorted((a, b) => a.at - b.at),
    clocks,
    { text, whole, now, words },
  );
  return { ...combined, unusedClock: combined.isClockUnused ? before.without(afterClock) : null };
}

const BEFORE_DAY =
  /(?:(?:in|during) )?(?:the |der )?(?:week|woche) (?:of|from|beginning|starting|vom|ab)(?: the| dem)? $/;
const BEFORE_MONTH = /(?:(?:in|during) )?(?:the )?month of $/;

/** "The week of 2 November" is the whole week, "the month of October" is October. */
function widened(span: Span, text: QueryText, whole: string): Span {
  const before = whole.slice(0, span.at);
  const isDay = span.end.diff(span.start, 'days').days < 2;
  const match = (isDay ? BEFORE_DAY : BEFORE_MONTH).exec(before);
  if (!match) return span;
  text.cut(match.index, match[0].length);
  const start = span.start.startOf('week');
  return isDay ? { ...span, start, end: start.plus({ weeks: 1 }) } : span;
}

/** The patterns of a language. */
class DateReader {
  readonly #words: DateWords;
  readonly #language: 'en' | 'de';
  readonly #rolling: readonly (readonly [Unit, RegExp[]])[];
  readonly #ago: readonly (readonly [Unit, RegExp[]])[];
  readonly #calendar: readonly (readonly [Period, number, RegExp])[];
  readonly #weekend: RegExp;

  constructor(language: 'en' | 'de') {
    const words = DATE_WORDS[language];
    [this.#language, this.#words] = [language, words];
    const n = `(?<n>${numberPattern(language)})`;
    const half = language === 'en' ? '(?<half>half(?: an?)?)' : '(?<half>halben?)';
    const amount = `(?:${n}|${half}|(?<one>an?|eine[rnm]?|einem))`;
    const more = `(?:(?:(?<more>${words.moreThan})|(?<less>${words.lessThan})) )?`;
    this.#rolling = entries(words.units).map(([unit, source]) => [
      unit,
      [
        phrase(
          `(?:(?:in|over|during|within|for|wahrend|innerhalb) )?(?:the |den |der )?(?:${words.rolling})\\s*(?:${n}|${half})\\s*(?:${source})`,
        ),
        phrase(`(?:seit|since) (?:${n}|${half}|(?<one>eine[rnm]?|einem))\\s*(?:${source})(?! ago)`),
        // "Last hour" ends now; "last week" is a week of the calendar.
        ...(unit === 'minute' || unit === 'hour'
          ? [
              phrase(
                `(?:(?:in|for|over|wahrend) )?(?:the |der )?(?:${words.rollingOne}|letzter?|letzte[nr]?) (?:${source})`,
              ),
            ]
          : language === 'en'
            ? [phrase(`(?:(?:in|over|during|within) )?(?:the )?past (?:${source})`)]
            : []),
      ],
    ]);
    this.#ago = entries(words.units).map(([unit, source]) => [
      unit,
      [
        ...(words.agoBefore
          ? [phrase(`(?:${words.agoBefore}) ${more}(?:einer )?${amount} (?:${source})`)]
          : []),
        ...(words.agoAfter
          ? [phrase(`${more}(?<!\\p{L})${amount}\\s*(?:${source})\\s*(?:${words.agoAfter})`)]
          : []),
      ],
    ]);
    this.#calendar = entries(words.periods).flatMap(([period, source]): [Period, number, RegExp][] => {
      const before = '(?:(?:in|im|am|on|over|of|the|der|des|dem|wahrend) )*';
      const part = partPattern(language);
      const beforeLast =
        language === 'en'
          ? `(?:the )?(?:${source}) (?:${words.beforeLast})`
          : `${before}(?:${words.beforeLast}) (?:${source})`;
      return [
        [period, -2, phrase(`(?:${part})?${beforeLast}`)],
        [period, -1, phrase(`(?:${part})?${before}(?:${words.last})\\s*(?:${source})`)],
        [period, 0, phrase(`(?:${part})?${before}(?:${words.this})\\s*(?:${source})`)],
        // "End of the month": the latest that has begun.
        [period, 0, phrase(`${part}(?:(?:the|des|der) )?(?:${source})`)],
      ];
    });
    this.#weekend = phrase(words.periods.weekend);
  }

  readRolling(text: QueryText, now: DateTime): DateRange | null {
    for (const [unit, patterns] of this.#rolling) {
      for (const pattern of patterns) {
        const match = text.take(pattern);
        if (match) return { start: now.minus({ [`${unit}s`]: this.#amountOf(match) }) };
      }
    }
    return null;
  }

  #amountOf({ groups }: RegExpExecArray): number {
    if (groups?.half) return 0.5;
    return groups?.n ? numberOf(groups.n, this.#language) : 1;
  }

  /** "Two hours ago" is about that time, "three days ago" that day, "a month ago" that month. */
  readAgo(text: QueryText, now: DateTime): Span[] {
    for (const [unit, patterns] of this.#ago) {
      for (const pattern of patterns) {
        const match = text.take(pattern);
        if (!match) continue;
        const then = now.minus({ [`${unit}s`]: this.#amountOf(match) });
        const place = { at: match.index, length: match[0].length };
        const bound = existing(match.groups, 'groups').more
          ? 'before'
          : existing(match.groups, 'groups').less
            ? 'since'
            : undefined;
        if (bound) return [{ start: then, end: then, direction: bound, ...place }];
        if (unit === 'minute')
          return [{ start: then.minus({ minutes: 5 }), end: then.plus({ minutes: 5 }), ...place }];
        if (unit === 'hour')
          return [{ start: then.minus({ minutes: 30 }), end: then.plus({ minutes: 30 }), ...place }];
        const whole = unit === 'week' ? 'day' : unit;
        return [
          { start: then.startOf(whole), end: then.startOf(whole).plus({ [`${whole}s`]: 1 }), ...place },
        ];
      }
    }
    return [];
  }

  readDayWithPart(text: QueryText, now: DateTime): Span[] {
    return this.#words.dayWithPart.flatMap(([source, offset, part]) =>
      text.takeAll(phrase(source)).map((match) => {
        const { fromMinute, toMinute } = clockOf(part);
        const hasBegun = atMinute(now, fromMinute) <= now;
        const day = now.startOf('day').plus({ days: offset ?? (hasBegun ? 0 : -1) });
        const place = { at: match.index, length: match[0].length };
        return { start: atMinute(day, fromMinute), end: atMinute(day, toMinute), ...place };
      }),
    );
  }

  readDays(text: QueryText, now: DateTime): Span[] {
    return this.#words.days.flatMap(([source, offset]) =>
      text.takeAll(phrase(source)).map((match) => {
        const start = now.startOf('day').plus({ days: offset });
        return { start, end: start.plus({ days: 1 }), at: match.index, length: match[0].length };
      }),
    );
  }

  readPeriods(text: QueryText, now: DateTime): Span[] {
    const spanOf = (period: Period, offset: number, match: RegExpExecArray): Span => {
      const at = now.plus(period === 'weekend' ? { weeks: offset } : { [`${period}s`]: offset });
      const start = startOfPeriod(at, period);
      const whole = { start, end: start.plus(lengthOfPeriod(period)) };
      return { ...partOf(whole, match.groups ?? {}), at: match.index, length: match[0].length };
    };
    const found = this.#calendar.flatMap(([period, offset, pattern]) => {
      const match = text.take(pattern);
      return match ? [spanOf(period, offset, match)] : [];
    });
    if (found.length > 0) return found;
    const weekend = text.take(this.#weekend);
    // The current weekend, or the last one.
    return weekend ? [spanOf('weekend', now.weekday >= 6 ? 0 : -1, weekend)] : [];
  }
}

const READERS = { en: new DateReader('en'), de: new DateReader('de') };
