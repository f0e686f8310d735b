import { DateTime, type DurationLikeObject } from 'luxon';
import { existing, itemAt } from '../../../catalogue/items/items.ts';
import { DATE_WORDS } from '../lexicon/date-words.ts';
import { phrase, type QueryText } from './query-text.ts';
import type { Span } from './span.ts';

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
  const part = `(?:${names(PARTS[language], (at) => itemAt(PART_NAMES, at))})`;
  return `${BEFORE[language]}(?:${part}|${nth(language)} ${units(language)})${OF[language]}[ -]`;
};

/** By the least days of a period: where its early part ends and its late one begins. */
const EDGES: readonly (readonly [leastDays: number, edges: readonly DurationLikeObject[]])[] = [
  [300, [{ months: 3 }, { months: 9 }]],
  [80, [{ months: 1 }, { months: 2 }]],
  [20, [{ days: 10 }, { days: 20 }]],
  [5, [{ days: 2 }, { days: 4 }]],
  [0, [{ days: 1 }, { days: 1 }]],
];

type Groups = Readonly<Record<string, string | undefined>>;

interface Range {
  readonly start: DateTime;
  readonly end: DateTime;
}

/** The part of a period that the groups of `partPattern` name; the whole period where none is named or there is no such part. */
export function partOf(period: Range, groups: Groups): Range {
  const third = PART_NAMES.findIndex((name) => groups[name]);
  const count = NTH.en.findIndex((_, at) => groups[`nth${at}`]);
  const part = third >= 0 ? thirdOf(period, third) : count >= 0 ? nthOf(period, count, groups) : period;
  return part.start < part.end && part.start < period.end ? part : period;
}

const daysOf = ({ start, end }: Range): number => Math.round(end.diff(start, 'days').days);

function thirdOf(period: Range, third: number): Range {
  const days = daysOf(period);
  const [, edges] = existing(
    EDGES.find(([least]) => days >= least),
    'find',
  );
  const bounds = [period.start, ...edges.map((edge) => period.start.plus(edge)), period.end];
  return { start: itemAt(bounds, third), end: itemAt(bounds, third + 1) };
}

function nthOf(period: Range, count: number, groups: Groups): Range {
  const { start, end } = period;
  if (groups.half) {
    const days = daysOf(period);
    const middle = start.plus(days > 300 ? { months: 6 } : { days: Math.floor(days / 2) });
    return count === 0 ? { start, end: middle } : { start: middle, end };
  }
  if (groups.week) {
    const first = count === LAST ? end.minus({ weeks: 1 }) : start.plus({ weeks: count });
    return { start: first, end: DateTime.min(first.plus({ weeks: 1 }), end) };
  }
  const weekday = groups.weekend ? 6 : 1 + [1, 2, 3, 4, 5, 6, 7].findIndex((day) => groups[`day${day}`]);
  const last = end.minus({ days: 1 });
  const day =
    count === LAST
      ? last.minus({ days: (last.weekday - weekday + 7) % 7 })
      : start.plus({ days: (weekday - start.weekday + 7) % 7, weeks: count });
  return { start: day, end: day.plus({ days: groups.weekend ? 2 : 1 }) };
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
      `${BEFORE.de}(?:${names(MONTH_NAMES.de, (at) => `month${at}`)})(?:${names(PARTS.de, (at) => itemAt(PART_NAMES, at))})`,
    ),
  ],
};

/** "End of October", "first week of November", "Anfang Oktober": the latest that has begun. */
export const readMonthParts = (text: QueryText, now: DateTime, language: Language): Span[] =>
  PATTERNS[language].flatMap((pattern) => readMonths(text, pattern, now));

/** German months without a day, which chrono does not read. */
export const readWholeMonths = (text: QueryText, now: DateTime): Span[] => readMonths(text, WHOLE, now);

const WHOLE = phrase(`(?:(?:im|des|monat) )*${monthOf('de')}`);

const readMonths = (text: QueryText, pattern: RegExp, now: DateTime): Span[] =>
  text.takeAll(pattern).map((match) => {
    const groups = existing(match.groups, 'groups');
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
  });
