import { de, en, type ParsedResult } from 'chrono-node';
import { DateTime } from 'luxon';
import { existing } from '../../../catalogue/items/items.ts';
import { DATE_WORDS } from '../lexicon/date-words.ts';
import { MONTH_NAMES, readWholeMonths } from './period-parts.ts';
import { phrase, type QueryText } from './query-text.ts';
import type { Span } from './span.ts';

const CHRONO = { en, de };
/** "In a week", "in the day": chrono looks ahead, but no insight is from the future. */
const AHEAD = /^(?:in|within) .*(?:day|week|month|year|tag|woche|monat|jahr)/;
/** "Sat afternoon": after a weekday in short, which may be a word. */
const PART_AFTER =
  /^\.? (?:at|um|gegen|between|zwischen|\d|(?:morn|after|even|night|noon|lunch|vormit|nachmit|mittag|abend|fruh))/;
const YEAR = /(?<![\p{L}\p{N}.])(?:(?:in|im jahr|of) )?(?<year>20\d\d)(?![\p{L}\p{N}]|[.:]\d)/u;

interface CalendarContext {
  readonly now: DateTime;
  readonly language: 'en' | 'de';
  /** The text before anything was cut. */
  readonly whole: string;
}

/** Weekdays, dates, months and years in the query. Where the query leaves it open, they are in the past. */
export function readCalendar(text: QueryText, { now, language, whole }: CalendarContext): Span[] {
  return [
    ...(language === 'de' ? [...readWeekdayParts(text, now), ...readDaysOfMonth(text, now)] : []),
    ...readChrono(text, { now, language, whole }),
    ...(language === 'de' ? readWholeMonths(text, now) : []),
    ...readYears(text, now),
  ];
}

const WEEKDAY_PARTS = DATE_WORDS.de.parts.flatMap(([parts, part]) =>
  DATE_WORDS.de.weekdays.map(
    (name, at) => [phrase(`(?:am |letzten |vergangenen )*${name}(?:${parts})`), at + 1, part] as const,
  ),
);

/** "Montagabend" is one word in German. */
function readWeekdayParts(text: QueryText, now: DateTime): Span[] {
  return WEEKDAY_PARTS.flatMap(([pattern, weekday, part]) =>
    text.takeAll(pattern).map((match) => {
      const start = now.startOf('day').minus({ days: (now.weekday - weekday + 7) % 7 });
      const place = { at: match.index, length: match[0].length };
      return { start, end: start.plus({ days: 1 }), part, open: 'week' as const, ...place };
    }),
  );
}

const DAYS_OF_MONTH = phrase(
  `(?:(?:vom|zwischen(?: dem)?|von|am) )?(?<from>\\d{1,2})\\.? ?(?:bis(?: zum)?|und(?: dem)?|-|–) ?(?<to>\\d{1,2})\\. ?(?<month>${MONTH_NAMES.de.join('|')})(?: (?<year>20\\d\\d))?`,
);

/** "3.-5. November", "zwischen dem 3. und dem 5. November". */
function readDaysOfMonth(text: QueryText, now: DateTime): Span[] {
  return text.takeAll(DAYS_OF_MONTH).flatMap((match) => {
    const { from, to, month, year } = existing(match.groups, 'groups');
    const at = MONTH_NAMES.de.findIndex((names) => names.split('|').includes(existing(month, 'month')));
    const first = DateTime.fromObject(
      { year: Number(year ?? now.year), month: at + 1, day: Number(from) },
      { zone: now.zone },
    );
    const start = year === undefined && first > now ? first.minus({ years: 1 }) : first;
    const end = start.set({ day: Number(to) }).plus({ days: 1 });
    if (!start.isValid || end <= start) return [];
    const place = { at: match.index, length: match[0].length };
    return [{ start, end, ...(year === undefined && { open: 'year' as const }), ...place }];
  });
}

function readYears(text: QueryText, now: DateTime): Span[] {
  return text.takeAll(YEAR).map((match) => {
    const start = DateTime.fromObject(
      { year: Number(existing(match.groups, 'groups').year) },
      { zone: now.zone },
    );
    return { start, end: start.plus({ years: 1 }), at: match.index, length: match[0].length };
  });
}

function readChrono(text: QueryText, { now, language, whole }: CalendarContext): Span[] {
  const reference = { instant: now.toJSDate(), timezone: now.offset };
  // Dots keep the words on both sides of a cut part separate; chrono would skip blanks.
  const words = text.words.replace(/ {2,}/g, (blanks) => '·'.repeat(blanks.length));
  const found = CHRONO[language]
    .parse(words, reference)
    .filter(
      (result) =>
        isDate(result, words, whole) && !(AHEAD.test(result.text) && result.start.date() > now.toJSDate()),
    );
  for (const { index, text: part } of found) text.cut(index, part.length);
  return found.map((result) => toSpan(result, now, DATE_WORDS[language].lastBeforeWeekday));
}

/** True for a day, a month or a year, but not for a word that only looks like one ("sat", "may"). */
function isDate({ start, text, index }: ParsedResult, words: string, whole: string): boolean {
  const isCertain = (['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part));
  if (!isCertain || text === 'weekday') return false;
  if (/\d|\P{ASCII}/u.test(text) || text.trim().length > 3) return true;
  return (
    /(?:in|since|during|last|this|until|before|after|on|im|seit|am|letzten) $/.test(words.slice(0, index)) ||
    (start.isCertain('weekday') && text !== 'so' && PART_AFTER.test(whole.slice(index + text.length)))
  );
}

function toSpan({ start, end, text, index }: ParsedResult, now: DateTime, last: RegExp): Span {
  const unit = start.isCertain('day') || start.isCertain('weekday') ? 'day' : 'month';
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day');
  const dateOf = (part: typeof start) =>
    DateTime.fromObject(
      {
        year: existing(part.get('year'), 'year'),
        month: existing(part.get('month'), 'month'),
        day: existing(part.get('day'), 'day'),
      },
      { zone: now.zone },
    ).startOf(unit);
  let first: DateTime = dateOf(start);
  let latest: DateTime = end ? dateOf(end) : first;
  const back = isWeekday ? { weeks: 1 } : start.isCertain('year') ? null : { years: 1 };
  const saysLast = isWeekday && last.test(text);
  if (back && first > now) [first, latest] = [first.minus(back), latest.minus(back)];
  // "Last Friday" is the latest one, also where chrono means the one of the week before.
  if (isWeekday && !end) first = latest = latestWeekday(first.weekday, now, saysLast);
  if (isWeekday && latest < first) latest = latest.plus({ weeks: 1 });
  const open = isWeekday ? 'week' : start.isCertain('year') ? undefined : 'year';
  const place = { at: index, length: text.length };
  return { start: first, end: latest.plus({ [`${unit}s`]: 1 }), ...(open && { open }), ...place };
}

const latestWeekday = (weekday: number, now: DateTime, isBeforeToday: boolean): DateTime => {
  const days = (now.weekday - weekday + 7) % 7;
  return now.startOf('day').minus({ days: days === 0 && isBeforeToday ? 7 : days });
};
