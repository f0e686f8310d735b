import { DateTime } from 'luxon';
import type { QueryText } from './query-text.ts';
import type { Span } from './span.ts';

const ISO = /(?<![\d.-])(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?!\d)/;
const DOTTED = /(?<!\d)(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>20\d\d|\d\d(?!\d|[.:]))(?!\d)/;
/** Without a year: "12.3.", or "12.03" after a word for a date. */
const DOTTED_DAY = /(?<!\d|\d\.)(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.(?!\d)/;
const DOTTED_AFTER =
  /(?<=(?:am|vom|zum|seit|bis|ab|on|dem|den) )(?<day>\d{1,2})\.(?<month>\d{1,2})(?![\d.:]| ?uhr| ?[ap]\.?m)/;
const SLASHED = /(?<![\d/])(?<first>\d{1,2})\/(?<second>\d{1,2})(?:\/(?<year>20\d\d|\d\d))?(?![\d/])/;
/** "On the 3rd": a day of the current month, or of the last one. */
const ORDINAL =
  /(?<!\p{L})(?:on )?the (?<day>\d{1,2})(?:st|nd|rd|th)(?! of|[\p{L}]| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/u;
const AM_DAY =
  /(?<!\p{L})(?:am|vom) (?<day>\d{1,2})\.(?! ?\d| ?(?:bis|und|-|–)| ?(?:jan|feb|mar|apr|mai|jun|jul|aug|sep|okt|nov|dez))/u;

/** "KW 45", "week 45": a week by its number. */
const WEEK =
  /(?<!\p{L})(?:in )?(?:der )?(?:kw|kalenderwoche|(?:calendar )?week|woche) ?(?<week>\d{1,2})(?!\d)/u;

/** What a pattern has found, by name. */
type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Dates in digits. They are read before 12.03 can be read as a time of day.
 * @param monthFirst of dates with slashes: 03/12/2026
 */
export function readNumericDates(text: QueryText, now: DateTime, monthFirst: boolean): Span[] {
  const found: Span[] = [];
  const take = (pattern: RegExp, dayOf: (groups: Groups) => DateTime | null) => {
    for (const match of text.takeAll(pattern)) {
      const start = dayOf(match.groups ?? {});
      if (start)
        found.push({ start, end: start.plus({ days: 1 }), at: match.index, length: match[0].length });
    }
  };
  const date = (
    year: string | undefined,
    month: string | undefined,
    day: string | undefined,
  ): DateTime | null => {
    const given = year === undefined ? now.year : Number(year) + (year.length === 2 ? 2000 : 0);
    const start = DateTime.fromObject(
      { year: given, month: Number(month), day: Number(day) },
      { zone: now.zone },
    );
    if (!start.isValid) return null;
    return year === undefined && start > now ? start.minus({ years: 1 }) : start;
  };
  take(ISO, ({ year, month, day }) => date(year, month, day));
  take(DOTTED, ({ year, month, day }) => date(year, month, day));
  take(DOTTED_DAY, ({ month, day }) => date(undefined, month, day));
  take(DOTTED_AFTER, ({ month, day }) => date(undefined, month, day));
  take(SLASHED, ({ first, second, year }) => {
    const [usual, turned] = [date(year, first, second), date(year, second, first)];
    return monthFirst ? (usual ?? turned) : (turned ?? usual);
  });
  for (const match of text.takeAll(WEEK)) {
    const inYear = (weekYear: number) =>
      DateTime.fromObject({ weekYear, weekNumber: Number(match.groups?.week) }, { zone: now.zone });
    const start = inYear(now.weekYear) > now ? inYear(now.weekYear - 1) : inYear(now.weekYear);
    if (start.isValid)
      found.push({ start, end: start.plus({ weeks: 1 }), at: match.index, length: match[0].length });
  }
  for (const pattern of [ORDINAL, AM_DAY]) take(pattern, ({ day }) => dayOfMonth(now, Number(day)));
  return found;
}

/** The latest past day with a number. */
function dayOfMonth(now: DateTime, day: number): DateTime | null {
  for (let back = 0; back < 3; back += 1) {
    const start = now.startOf('month').minus({ months: back }).set({ day });
    if (start.day === day && start <= now) return start;
  }
  return null;
}
