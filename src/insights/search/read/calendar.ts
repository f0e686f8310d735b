import { de, en, es, fr, it, ja, nl, type ParsedResult, pt, ru, zh } from 'chrono-node';
import { DateTime } from 'luxon';
import type { Direction } from '../lexicon/date-words.ts';
import { guessLanguages, type Language } from '../lexicon/stop-words.ts';
import { phrase, QueryText } from './query-text.ts';

/** Days, months or years of the calendar, `[start, end)`. */
export interface Span {
  readonly start: DateTime;
  readonly end: DateTime;
  /** Position in the query. */
  readonly at: number;
  readonly length: number;
  /** Set where the phrase itself gives the direction: "more than 2 days ago". */
  readonly direction?: Direction;
  /** The language in which chrono read the span. */
  readonly language?: Language;
}

const CHRONO: Record<Language, { parse: typeof en.parse }> = { de, en, es, fr, it, ja, nl, pt, ru, zh };
const DOTTED = /(?<!\d)(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>20\d\d)(?!\d)/;
const DAYS_OF_MONTH = phrase(
  '(?:(?:del?|dal|entre|tra) )?(?<from>\\d{1,2}) (?:al?|e|y) (?<to>\\d{1,2}) (?:(?:de|di) )?(?<month>\\p{L}{4,10})',
);
const YEAR = /(?<![\p{L}\p{N}])(?:(?:in|im jahr|en|nel|em|в|en el) )?(?<year>20\d\d)(?:年|(?![\p{L}\p{N}]))/u;
const LAST_BEFORE_WEEKDAY = /(?:last|letzte\p{L}*|dernier|pasado|scors[oa]|vorige|passad[oa]|прошл\p{L}*)/u;

/** Weekdays, dates, months and years in the query. Where the query leaves it open, they are in the past. */
export function readCalendar(text: QueryText, now: DateTime): Span[] {
  return [...readDaysOfMonth(text, now), ...readChrono(text, now), ...readYears(text, now)];
}

/** Dates like 12.03.2026 have the day first. They are read before 12.03 can be read as a time of day. */
export function readDottedDates(text: QueryText, now: DateTime): Span[] {
  return text.takeAll(DOTTED).flatMap((match) => {
    const { day, month, year } = match.groups!;
    const date = { year: Number(year), month: Number(month), day: Number(day) };
    const start = DateTime.fromObject(date, { zone: now.zone });
    if (!start.isValid) return [];
    return [{ start, end: start.plus({ days: 1 }), at: match.index, length: match[0].length }];
  });
}

function readYears(text: QueryText, now: DateTime): Span[] {
  return text.takeAll(YEAR).map((match) => {
    const start = DateTime.fromObject({ year: Number(match.groups!.year) }, { zone: now.zone });
    return { start, end: start.plus({ years: 1 }), at: match.index, length: match[0].length };
  });
}

/** "Del 3 al 5 de marzo": chrono would read the first number as an hour. */
function readDaysOfMonth(text: QueryText, now: DateTime): Span[] {
  const match = DAYS_OF_MONTH.exec(text.plain);
  if (!match) return [];
  const { from, to, month } = match.groups!;
  const [end] = readChrono(new QueryText(`${to} de ${month}`), now);
  const start = end?.start.set({ day: Number(from) });
  if (!end || !start?.isValid || start > end.start) return [];
  text.cut(match.index, match[0].length);
  return [{ start, end: end.end, at: match.index, length: match[0].length }];
}

function readChrono(text: QueryText, now: DateTime): Span[] {
  const reference = { instant: now.toJSDate(), timezone: now.offset };
  // Dots keep the words on both sides of a cut part separate; chrono would skip blanks.
  const words = text.words.replace(/ {2,}/g, (blanks) => '·'.repeat(blanks.length));
  let best: ParsedResult[] = [];
  let bestLanguage: Language = 'en';
  for (const language of guessLanguages(text.plain)) {
    const found = CHRONO[language].parse(words, reference).filter((result) => isDate(result, words));
    if (lengthOf(found) > lengthOf(best)) [best, bestLanguage] = [found, language];
  }
  for (const { index, text: part } of best) text.cut(index, part.length);
  return best.map((result) => ({ ...toSpan(result, now), language: bestLanguage }));
}

const lengthOf = (results: readonly ParsedResult[]): number =>
  results.reduce((sum, { text }) => sum + text.trim().length, 0);

/** True for a day, a month or a year, but not for a word that only looks like one ("sat", "may"). */
function isDate({ start, text, index }: ParsedResult, whole: string): boolean {
  const isCertain = (['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part));
  if (!isCertain) return false;
  if (/\d|\P{ASCII}/u.test(text) || text.trim().length > 3) return true;
  return /(?:in|since|during|last|until|before|after) $/.test(whole.slice(0, index));
}

function toSpan({ start, end, text, index }: ParsedResult, now: DateTime): Span {
  const unit = start.isCertain('day') || start.isCertain('weekday') ? 'day' : 'month';
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day');
  const dateOf = (part: typeof start) =>
    DateTime.fromObject(
      { year: part.get('year')!, month: part.get('month')!, day: part.get('day')! },
      { zone: now.zone },
    ).startOf(unit);
  let first = dateOf(start);
  let last = end ? dateOf(end) : first;
  const back = isWeekday ? { weeks: 1 } : start.isCertain('year') ? null : { years: 1 };
  const saysLast = isWeekday && LAST_BEFORE_WEEKDAY.test(text) && first.hasSame(now, 'day');
  if (back && (first > now || saysLast)) [first, last] = [first.minus(back), last.minus(back)];
  if (isWeekday && last < first) last = last.plus({ weeks: 1 });
  return { start: first, end: last.plus({ [`${unit}s`]: 1 }), at: index, length: text.length };
}
