import { DateTime } from 'luxon';
import { DATE_WORDS } from '../lexicon/date-words.ts';
import type { Span } from './calendar.ts';
import { phrase, type QueryText } from './query-text.ts';

type Language = 'en' | 'de';

const NTH: Readonly<Record<Language, readonly string[]>> = {
  en: ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'fifth|5th', 'last'],
  de: ['erste', 'zweite', 'dritte', 'vierte', 'funfte', 'letzte'].map((word, at) =>
    at < 5 ? `${word}[nrsm]?|${at + 1}\\.` : `${word}[nrsm]?`,
  ),
};
const LAST = 5;
const PARTS: Readonly<Record<Language, readonly string[]>> = {
  en: ['early|(?:beginning|start|first days) of', 'mid|(?:the )?middle of', 'late|(?:end|last days) of'],
  de: ['anfang|beginn|(?:zu )?beginn', 'mitte', 'ende'],
};
const PART_NAMES = ['early', 'middle', 'late'] as const;
const UNITS: Readonly<Record<Language, Readonly<Record<'week' | 'half' | 'weekend', string>>>> = {
  en: { week: 'week', half: 'half', weekend: 'weekend' },
  de: { week: 'woche', half: 'halfte', weekend: 'wochenendes?' },
};
export const MONTH_NAMES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['jan(?:uary)?', 'feb(?:ruary)?', 'mar(?:ch)?', 'apr(?:il)?', 'may', 'june?', 'july?', 'aug(?:ust)?'],
    ...['sept?(?:ember)?', 'oct(?:ober)?', 'nov(?:ember)?', 'dec(?:ember)?'],
  ],
  de: [
    ...['januar|janner', 'februar', 'marz|maerz', 'april', 'mai', 'juni', 'juli', 'august'],
    ...['september', 'oktober', 'november', 'dezember'],
  ],
};

const names = (sources: readonly string[], name: (at: number) => string): string =>
  sources.map((source, at) => `(?<${name(at)}>${source})`).join('|');
const nth = (language: Language) => `(?:${names(NTH[language], (at) => `nth${at}`)})`;
const units = (language: Language) => {
  const { week, half, weekend } = UNITS[language];
  const days = names(DATE_WORDS[language].weekdays, (at) => `day${at + 1}`);
  return `(?:(?<week>${week})|(?<half>${half})|(?<weekend>${weekend})|${days})`;
};
const BEFORE = {
  en: '(?:(?:in|at|on|around|towards|during) )?(?:the )?',
  de: '(?:(?:in|im|am|zu|gegen|um) )?(?:der |dem )?',
};
const OF = { en: '(?: of| in)?(?: the)?', de: '(?: im| des| der| vom| dieses)?(?: monats?)?' };

/** A part before the name of a period: "end of", "first week of", "Anfang". */
export const partPattern = (language: Language): string => {
  const part = `(?:${names(PARTS[language], (at) => PART_NAMES[at]!)})`;
  return `${BEFORE[language]}(?:${part}|${nth(language)} ${units(language)})${OF[language]}[ -]`;
};

/** The days of a month, week or year where a part of it ends and the next begins. */
const EDGES = { month: { days: [10, 20] }, week: { days: [2, 4] }, year: { months: [4, 8] } };

type Groups = Readonly<Record<string, string | undefined>>;

/** The part of a period that the groups of `partPattern` name; the whole period without. */
export function partOf<Period extends { start: DateTime; end: DateTime }>(
  period: Period,
  groups: Groups,
): Period {
  const { start, end } = period;
  const days = Math.round(end.diff(start, 'days').days);
  const kind = days > 300 ? 'year' : days > 20 ? 'month' : 'week';
  const third = PART_NAMES.findIndex((name) => groups[name]);
  if (third >= 0) {
    const [unit, edges] = Object.entries(EDGES[kind])[0]!;
    const bounds = [start, ...edges.map((count: number) => start.plus({ [unit]: count })), end];
    return { ...period, start: bounds[third]!, end: bounds[third + 1]! };
  }
  const count = NTH.en.findIndex((_, at) => groups[`nth${at}`]);
  if (count < 0) return period;
  if (groups.half) {
    const middle = start.plus(kind === 'year' ? { months: 6 } : { days: Math.floor(days / 2) });
    return count === 0 ? { ...period, end: middle } : { ...period, start: middle };
  }
  if (groups.week) {
    const first = count === LAST ? end.minus({ weeks: 1 }) : start.plus({ weeks: count });
    return { ...period, start: first, end: DateTime.min(first.plus({ weeks: 1 }), end) };
  }
  const weekday = groups.weekend ? 6 : 1 + [1, 2, 3, 4, 5, 6, 7].findIndex((day) => groups[`day${day}`]);
  const first = start.plus({ days: (weekday - start.weekday + 7) % 7, weeks: count });
  const last = end.minus({ days: 1 });
  const day = count === LAST ? last.minus({ days: (last.weekday - weekday + 7) % 7 }) : first;
  return { ...period, start: day, end: day.plus({ days: groups.weekend ? 2 : 1 }) };
}

const monthOf = (language: Language) =>
  `(?:${names(MONTH_NAMES[language], (at) => `month${at}`)})s?(?:,? (?:of )?(?<year>20\\d\\d))?`;
const PATTERNS: Readonly<Record<Language, readonly RegExp[]>> = {
  en: [phrase(`${partPattern('en')}${monthOf('en')}`)],
  de: [
    phrase(`${partPattern('de')}${monthOf('de')}`),
    // "Erste Novemberwoche", "Oktoberende".
    phrase(`${BEFORE.de}${nth('de')} (?:${names(MONTH_NAMES.de, (at) => `month${at}`)})${units('de')}`),
    phrase(
      `${BEFORE.de}(?:${names(MONTH_NAMES.de, (at) => `month${at}`)})(?:${names(PARTS.de, (at) => PART_NAMES[at]!)})`,
    ),
  ],
};

/** "End of October", "first week of November", "Anfang Oktober": the latest that has begun. */
export function readMonthParts(text: QueryText, now: DateTime, language: Language): Span[] {
  return PATTERNS[language].flatMap((pattern) =>
    text.takeAll(pattern).map((match) => {
      const groups = match.groups!;
      const month = MONTH_NAMES.en.findIndex((_, at) => groups[`month${at}`]);
      const inYear = (year: number) => {
        const start = DateTime.fromObject({ year, month: month + 1 }, { zone: now.zone });
        return partOf({ start, end: start.plus({ months: 1 }) }, groups);
      };
      const place = { at: match.index, length: match[0].length };
      if (groups.year) return { ...inYear(Number(groups.year)), ...place };
      const thisYear = inYear(now.year);
      const latest = thisYear.start > now ? inYear(now.year - 1) : thisYear;
      return { ...latest, open: 'year' as const, ...place };
    }),
  );
}
