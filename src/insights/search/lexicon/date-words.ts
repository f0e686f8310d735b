import type { DateTime, DurationLikeObject } from 'luxon';

// The words of ten languages for time, without accents: English, German, French, Spanish, Italian, Dutch, Portuguese,
// Russian, Chinese, Japanese. chrono reads weekdays, months and dates.

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** Units, as in "three days", "3 Tagen", "3日間". */
export const UNITS: Record<Unit, string> = {
  minute: 'minutes?|mins?|minuten?|minut[oie]s?|минут\\p{L}*|分钟|分間?',
  hour: 'hours?|hrs?|stunden?|heures?|horas?|or[ae]|uur|uren|час(?:а|ов)?|个?小时|時間',
  day: 'days?|tage?n?|jours?|dias?|giorn[oi]|dag(?:en)?|дн(?:я|ей)|день|天|日間?',
  week: 'weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|недел\\p{L}*|个?(?:周|星期)|週間',
  month: 'months?|monate?n?|mois|mes(?:es|i)?|maand(?:en)?|месяц\\p{L}*|个月|[かヶケ]月',
  year: 'years?|jahre?n?|ann?ees?|ans?|anos?|ann[oi]|jaar|jaren|лет|год\\p{L}*|年間?',
};

/** Calendar periods, as in "last week", "voriges Jahr". */
export const PERIODS: Record<'weekend' | 'week' | 'month' | 'year', string> = {
  weekend: 'week-?ends?|wochenendes?|fin de semana|fine settimana|fim de semana|выходн\\p{L}*|周末|週末',
  week: 'week|woche|semaine|semana|settimana|недел\\p{L}*|个?(?:周|星期)|週',
  month: 'month|monats?|mois|mes|mese|maand|месяц\\p{L}*|个?月',
  year: 'year|jahr(?:es)?|annee|an|ano|anno|jaar|год\\p{L}*|年',
};

export const LAST_BEFORE =
  'last|previous|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|(?:la )?(?:ultim[ao]|scors[ao])|afgelopen|прошл\\p{L}*|上|先|去|昨';
export const LAST_AFTER = 'derniere?|passee?|pasad[oa]|passad[oa]|scors[oa]|anterior|precedente?';
export const THIS_BEFORE =
  "this|diese[nrsm]?|cet(?:te)?|ce|est[ae]|quest[ao']|deze|dit|эт\\p{L}*|本|这个?|今";

/** As in "past three hours": a range that ends now. */
export const ROLLING_BEFORE =
  'last|past|previous|letzten?|vergangenen?|ultim[oaie]s?|laatste|afgelopen|последн\\p{L}*|最近的?|过去|過去|直近';
export const ROLLING_AFTER = 'dernier\\p{L}*';
export const AGO_BEFORE = 'vor|il y a|hace|ha';
export const AGO_AFTER = 'ago|fa|geleden|atras|назад|前';

/** "More than 2 days ago" is before that time, "less than 2 days ago" since that time. */
export const MORE_THAN =
  'more than|over|mehr als|uber|plus de|mas de|piu di|oltre|meer dan|mais de|более(?: чем)?|больше(?: чем)?|свыше|超过';
export const LESS_THAN =
  'less than|under|weniger als|unter|moins de|menos de|meno di|minder dan|менее(?: чем)?|меньше(?: чем)?|不到';

/** Days by their distance from today. */
export const DAYS: readonly (readonly [source: string, offset: number])[] = [
  [
    "(?:the )?day before yesterday|vorgestern|avant-hier|anteayer|antes de ayer|l'altro ieri|altro ieri|eergisteren|anteontem|позавчера|前天|一昨日|おととい",
    -2,
  ],
  ["yesterday(?:'s)?|gestern|hier|ayer|ieri|gisteren|ontem|вчера|昨天|昨日|きのう", -1],
  ["today(?:'s)?|heute|aujourd'hui|hoy|oggi|vandaag|hoje|сегодня|今天|今日|きょう", 0],
];

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

/** Words that name a day and a part of it. */
export const DAY_WITH_PART: readonly (readonly [source: string, offset: number, part: DayPart])[] = [
  [
    'last night|(?:la )?nuit derniere|anoche|(?:la )?notte scorsa|ontem a noite|昨晚|昨夜|прошлой ночью',
    -1,
    EVENING_AND_NIGHT,
  ],
  ['letzte nacht|afgelopen nacht|vannacht|stanotte', -1, NIGHT],
  ['gister(?:en)?avond|iersera', -1, EVENING],
  ['gister(?:en)?(?:ochtend|morgen)', -1, MORNING],
  ['gister(?:en)?middag', -1, AFTERNOON],
  ['tonight|今晚|今夜', 0, EVENING_AND_NIGHT],
  ['stasera|vanavond', 0, EVENING],
  ['stamattina|stamane|vanmorgen|vanochtend|今朝|今早', 0, MORNING],
  ['vanmiddag', 0, AFTERNOON],
];

export const DAY_PARTS: readonly (readonly [source: string, part: DayPart])[] = [
  [
    '(?:fore)?noon|midday|lunch ?time|mittags?|midi|mediodia|mezzogiorno|meio-dia|в полдень|中午|正午|昼',
    NOON,
  ],
  ['afternoons?|nachmittags?|apres-midi|tarde|pomeriggio|middag|днем|днём|下午|午後', AFTERNOON],
  [
    'mornings?|morgens?|vormittags?|fruh|matin(?:ee)?|manana|mattin[ao]|ochtend|manha|утром|早上|上午|朝|午前',
    MORNING,
  ],
  ['evenings?|abends?|soir(?:ee)?|sera|avond|вечером|晚上|夕方', EVENING],
  ['nights?|nachts?|nuit|noches?|notte|noites?|ночью|夜里|夜', NIGHT],
];

export type Direction = 'since' | 'after' | 'until' | 'before';

/** Words before a time that open or close the range. */
export const DIRECTIONS: readonly (readonly [source: string, direction: Direction, only?: string])[] = [
  ['since|starting|seit|ab|depuis|desde|dal|a partire da|sinds|vanaf|desde|с', 'since'],
  ['after|nach|apres|despues del?|dopo|depois de|apos|после', 'after'],
  ["until|up to|bis|jusqu'(?:a|au)|hasta|fino a|tot|ate|до", 'until'],
  ['before|vor dem|vor|avant|antes de(?:l)?|prima di|voor|перед', 'before'],
];
/** In Portuguese the same word means "on the". */
export const DUTCH_AFTER: readonly [source: string, direction: Direction, only: string] = [
  'na',
  'after',
  'nl',
];
export const BETWEEN =
  'between|from|zwischen|von|vom|entre|depuis|du|de|del|desde|tra|fra|dal|da|tussen|van|между|с|从';
export const AND = 'and|to|until|till|und|bis(?: zum)?|et|a|au|y|al|hasta|e|alle|en|tot|ate|и|по|до|到|-|–';

/** The start of a period. */
export const startOfPeriod = (at: DateTime, period: keyof typeof PERIODS): DateTime =>
  period === 'weekend' ? at.startOf('week').plus({ days: 5 }) : at.startOf(period);

export const lengthOfPeriod = (period: keyof typeof PERIODS): DurationLikeObject =>
  period === 'weekend' ? { days: 2 } : { [`${period}s`]: 1 };

/** Words of dates in six languages, with which misspelt words are compared. */
export const WRITTEN_DATE_WORDS: readonly string[] = [
  'yesterday today tonight morning afternoon evening night week weekend month year minutes hours',
  'monday tuesday wednesday thursday friday saturday sunday',
  'january february march april june july august september october november december',
  'gestern vorgestern heute morgens vormittag nachmittag abend abends nacht woche wochenende monat stunden minuten',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz juni juli oktober dezember',
  'aujourd matin soir semaine lundi mardi mercredi jeudi vendredi samedi dimanche',
  'janvier fevrier avril juillet aout septembre octobre novembre decembre derniere dernier',
  'manana tarde noche anoche semana lunes martes miercoles jueves viernes sabado domingo pasada pasado',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'oggi stamattina pomeriggio stasera notte settimana lunedi martedi mercoledi giovedi venerdi sabato domenica scorsa',
  'gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre',
  'вчера позавчера сегодня утром вечером ночью неделе неделю месяце месяц выходные прошлой',
  'понедельник вторник среду четверг пятницу субботу воскресенье',
  'января февраля марта апреля августа сентября октября ноября декабря',
].flatMap((words) => words.split(' '));
