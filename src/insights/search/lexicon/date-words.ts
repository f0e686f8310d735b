import type { DateTime, DurationLikeObject } from 'luxon';

// The words of English and German for time, without accents. chrono-node reads weekdays, months and dates.

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
export type Period = 'weekend' | 'week' | 'month' | 'quarter' | 'year';
export type Direction = 'since' | 'after' | 'until' | 'before';

/** Hours of a day from 0, up to 30 for parts that continue after midnight. */
export interface DayPart {
  readonly fromHour: number;
  readonly toHour: number;
}

const MORNING = { fromHour: 6, toHour: 12 };
const NOON = { fromHour: 11, toHour: 14 };
const AFTERNOON = { fromHour: 12, toHour: 18 };
const EVENING = { fromHour: 18, toHour: 24 };
const NIGHT = { fromHour: 22, toHour: 30 };
const EVENING_AND_NIGHT = { fromHour: 18, toHour: 30 };

export interface DateWords {
  readonly units: Readonly<Record<Unit, string>>;
  readonly periods: Readonly<Record<Period, string>>;
  readonly last: string;
  readonly beforeLast: string;
  readonly this: string;
  /** As in "past three hours": a range that ends now. */
  readonly rolling: string;
  /** The same without a number: "last hour". */
  readonly rollingOne: string;
  readonly agoBefore: string | null;
  readonly agoAfter: string | null;
  readonly moreThan: string;
  readonly lessThan: string;
  /** Days by their distance from today. */
  readonly days: readonly (readonly [source: string, offset: number])[];
  /** Words that name a day and a part of it; null is the latest that has begun. */
  readonly dayWithPart: readonly (readonly [source: string, offset: number | null, part: DayPart])[];
  readonly parts: readonly (readonly [source: string, part: DayPart])[];
  readonly beforePart: string;
  readonly directions: readonly (readonly [source: string, direction: Direction])[];
  readonly between: string;
  readonly and: string;
  readonly article: string;
  /** Before a time of day, and after one: "o'clock". */
  readonly at: string;
  readonly mark: string;
  readonly noon: string;
  readonly midnight: string;
  /** Before an hour, with the minutes that it adds: "half past". */
  readonly offsets: readonly (readonly [source: string, minutes: number])[];
  /** After an hour or beside it: which half of the day it is in. */
  readonly early: string;
  readonly late: string;
  readonly weekdays: readonly string[];
  readonly lastBeforeWeekday: RegExp;
  /** Single words, with which misspelt words are compared. */
  readonly known: ReadonlySet<string>;
}

const EN: DateWords = {
  units: {
    minute: 'minutes?|mins?',
    hour: 'hours?|hrs?',
    day: 'days?',
    week: 'weeks?',
    month: 'months?',
    year: 'years?',
  },
  periods: { weekend: 'week-?ends?', week: 'week', month: 'month', quarter: 'quarter', year: 'year' },
  last: 'last|previous',
  beforeLast: 'before last',
  this: 'this|the current|current',
  rolling: 'last|past|previous',
  rollingOne: 'past|last',
  agoBefore: null,
  agoAfter: 'ago|earlier',
  moreThan: 'more than|over|longer than',
  lessThan: 'less than|under',
  days: [
    ['(?:the )?day before yesterday', -2],
    ["yesterday(?:'s)?", -1],
    ["today(?:'s)?", 0],
  ],
  dayWithPart: [
    ['last night', -1, EVENING_AND_NIGHT],
    ['tonight', 0, EVENING_AND_NIGHT],
  ],
  parts: [
    ['noon|midday|lunch ?time', NOON],
    ['afternoons?', AFTERNOON],
    ['mornings?|forenoon', MORNING],
    ['evenings?', EVENING],
    ['nights?', NIGHT],
  ],
  beforePart: 'in the|at|during the|on the|over the|around|about|towards',
  directions: [
    ['since|starting(?: from| at| on)?', 'since'],
    ['after', 'after'],
    ['until|till|up to|up until', 'until'],
    ['before|prior to', 'before'],
  ],
  between: 'between|from',
  and: 'and|to|until|till|through|or|nor|-|–',
  article: 'the|on|on the',
  at: 'at|around|about|shortly at',
  mark: "a\\.?m\\.?(?!\\p{L})|p\\.?m\\.?(?!\\p{L})|h|o'? ?clock",
  noon: 'noon|midday',
  midnight: 'midnight',
  offsets: [
    ['half past', 30],
    ['(?:a )?quarter past', 15],
    ['(?:a )?quarter to', -15],
  ],
  early: 'in the morning|morning|at night|night',
  late: 'in the afternoon|in the evening|afternoon|evening',
  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  lastBeforeWeekday: /last/,
  known: new Set(
    [
      'early late mid beginning end start half quarter yesterday today tonight morning afternoon evening night week weekend month year minutes hours midnight noon last past previous ago',
      'monday tuesday wednesday thursday friday saturday sunday',
      'january february march april may june july august september october november december',
    ].flatMap((words) => words.split(' ')),
  ),
};

const DE: DateWords = {
  units: {
    minute: 'minuten?',
    hour: 'stunden?',
    day: 'tage?n?',
    week: 'wochen?',
    month: 'monate?n?',
    year: 'jahre?n?',
  },
  periods: {
    weekend: 'wochenendes?',
    week: 'woche',
    month: 'monats?',
    quarter: 'quartals?',
    year: 'jahr(?:es)?',
  },
  last: 'letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?',
  beforeLast: 'vorletzte[nrsm]?',
  this: 'diese[nrsm]?|aktuelle[nrsm]?|laufende[nrsm]?',
  rolling: 'letzten?|vergangenen?',
  rollingOne: 'letzten?|vergangenen?',
  agoBefore: 'vor',
  agoAfter: null,
  moreThan: 'mehr als|uber',
  lessThan: 'weniger als|unter',
  days: [
    ['vorgestern', -2],
    ['(?:der |dem )?gestrigen?(?: tage?)?|gestern', -1],
    ['heute|(?:der |dem )?heutigen?(?: tage?)?', 0],
  ],
  dayWithPart: [
    ['letzter? nacht|letzten nacht', -1, NIGHT],
    ['heute nacht', null, NIGHT],
  ],
  parts: [
    ['mittags?|mittagszeit', NOON],
    ['nachmittags?', AFTERNOON],
    ['morgens?|vormittags?|fruh', MORNING],
    ['abends?', EVENING],
    ['nachts?', NIGHT],
  ],
  beforePart: 'am|in der|im|zur|gegen|um die',
  directions: [
    ['seit|seitdem', 'since'],
    ['ab', 'since'],
    ['nach', 'after'],
    ['bis(?: zum)?', 'until'],
    ['vor(?: dem)?', 'before'],
  ],
  between: 'zwischen|von|vom',
  and: 'und|bis(?: zum)?|oder|noch|-|–',
  article: 'den|dem|der|am',
  at: 'um|gegen|ca|circa|etwa',
  mark: 'uhr|h',
  noon: 'mittag',
  midnight: 'mitternacht',
  offsets: [
    ['halb', -30],
    ['viertel nach', 15],
    ['viertel vor', -15],
    ['dreiviertel', -15],
  ],
  early: 'in der fruh|fruh|morgens?|vormittags?|nachts?',
  late: 'nachmittags?|abends?|am abend|am nachmittag',
  weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonntag'],
  lastBeforeWeekday: /letzte|vergangene|vorige/,
  known: new Set(
    [
      'anfang beginn mitte ende halfte quartal gestern vorgestern heute morgens vormittag nachmittag abend abends nacht mittag mitternacht woche wochenende monat jahr stunden minuten letzte letzten letzter letzte vergangenen seit',
      'montag dienstag mittwoch donnerstag freitag samstag sonntag',
      ...'januar februar marz april mai juni juli august september oktober november dezember'
        .split(' ')
        .map((month) =>
          ['', 'anfang', 'mitte', 'ende', 'woche', 'halfte'].map((part) => month + part).join(' '),
        ),
      ...['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonntag'].map((day) =>
        ['morgen', 'vormittag', 'mittag', 'nachmittag', 'abend', 'nacht'].map((part) => day + part).join(' '),
      ),
    ].flatMap((words) => words.split(' ')),
  ),
};

export const DATE_WORDS: Readonly<Record<'en' | 'de', DateWords>> = { en: EN, de: DE };

/** The start of a period. */
export const startOfPeriod = (at: DateTime, period: Period): DateTime =>
  period === 'weekend' ? at.startOf('week').plus({ days: 5 }) : at.startOf(period);

export const lengthOfPeriod = (period: Period): DurationLikeObject =>
  period === 'weekend' ? { days: 2 } : { [`${period}s`]: 1 };
