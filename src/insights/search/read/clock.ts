import { DateTime } from 'luxon';
import { existing } from '../../../catalogue/items/items.ts';
import { DATE_WORDS, type DateWords, type DayPart, type Direction } from '../lexicon/date-words.ts';
import { numberOf, numberWords } from '../lexicon/numbers.ts';
import { phrase, type QueryText } from './query-text.ts';

/** A time of day, in minutes from midnight. */
export interface Clock {
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly at: number;
  readonly length: number;
  /** The word before it: "since 3 pm". */
  readonly direction?: Direction | undefined;
  /** The time itself where one was said: "3 pm", "noon". */
  readonly point?: number;
  /** True for "in the evening", false for "this evening": another phrase must name the day. */
  readonly ofSomeDay?: boolean;
}

const DAY_MINUTES = 24 * 60;
const NOON_MINUTE = 12 * 60;
/** "At 15:30" means ten minutes before to ten minutes after. */
const AROUND_MINUTES = 10;

type Groups = Readonly<Record<string, string | undefined>>;

/** The patterns of a language. */
class ClockReader {
  readonly #words: DateWords;
  readonly #language: 'en' | 'de';
  readonly #spans: readonly RegExp[];
  readonly #openSpans: readonly RegExp[];
  readonly #single: RegExp;
  readonly #openSingle: RegExp;
  readonly #ofHalf: RegExp;
  readonly #parts: readonly (readonly [RegExp, DayPart])[];

  constructor(language: 'en' | 'de') {
    const words = DATE_WORDS[language];
    [this.#language, this.#words] = [language, words];
    const to = `\\s?(?:${words.and})\\s?(?:(?:${words.at}) )?`;
    const from = `(?:(?:${words.between}) (?:(?:${words.at}) )?)`;
    const time = (name: string, isMarked: boolean) => this.#time(name, isMarked);
    const half = `(?: (?<half>${words.early}|${words.late}))?`;
    this.#spans = [
      phrase(`${from}?${time('from', true)}${to}${time('to', false)}${half}`),
      phrase(`${from}${time('from', false)}${to}${time('to', true)}${half}`),
      phrase(`(?<!\\d[.,/]?)${time('from', false)}${to}${time('to', true)}${half}`),
      // Before "on 3 November" they are hours, which would else be read as days of the month.
      phrase(
        `${from}${time('from', false)}${to}${time('to', false)}(?= (?:${language === 'en' ? 'on' : 'am'}) [\\p{L}\\d])`,
      ),
    ];
    // Bare hours, which only a named day makes times: "between 10 and 11 yesterday".
    this.#openSpans = [
      phrase(`${from}${time('from', false)}${to}${time('to', false)}${half}${END}`),
      phrase(`(?<=^|\\s{2}|, )\\s?${time('from', false)}${to}${time('to', false)}${half}${END}`),
    ];
    const directions = words.directions.map(([source, name], n) => `(?<${name}${n}>${source})`).join('|');
    const before = `(?:(?:${directions}${language === 'en' ? '|(?<after9>from)' : ''}) )?(?:(?:${words.at}) )?`;
    this.#single = phrase(`${before}${time('at', true)}${half}`);
    this.#openSingle = phrase(
      `(?:(?:${directions})(?: (?:${words.at}))?|(?:${words.at})) ${time('at', false)}${half}${END}`,
    );
    // "8 in the morning", but not "longer than 8 in the morning".
    this.#ofHalf = phrase(
      `(?<!(?:than|over|under|least|most|exactly|als|uber|unter|mindestens|hochstens|genau) )(?:(?:${words.at}) )?${time('at', false)} (?<half>${words.early}|${words.late})`,
    );
    this.#parts = words.parts.map(([source, part]) => [
      phrase(
        `(?:(?<today>${words.this})\\s?)?(?:(?:${words.beforePart}) )?(?:(?:early|late|fruhe[nr]?|spate[nr]?) )?(?:${source})`,
      ),
      part,
    ]);
  }

  /** Times of day that are times by themselves, then parts of the day. */
  read(text: QueryText): Clock[] {
    const found: Clock[] = [];
    for (const pattern of this.#spans)
      for (const match of text.takeAll(pattern)) found.push(this.#spanOf(match));
    for (const pattern of [this.#single, this.#ofHalf])
      for (const match of text.takeAll(pattern)) found.push(this.#singleOf(match));
    const part = this.#readPart(text);
    return part ? [...found, part] : found;
  }

  /** Hours without any mark. They are times only where the query names a day. */
  readOpen(text: QueryText): Clock[] {
    const found: Clock[] = [];
    for (const pattern of this.#openSpans)
      for (const match of text.takeAll(pattern)) found.push(this.#spanOf(match));
    for (const match of text.takeAll(this.#openSingle)) found.push(this.#singleOf(match));
    return found;
  }

  #time(name: string, isMarked: boolean): string {
    const { offsets, noon, midnight, mark } = this.#words;
    const hour = '(?:[01]?\\d|2[0-4])';
    const words = [...numberWords(this.#language).keys()].filter(
      (word) =>
        Number.isInteger(numberWords(this.#language).get(word)) &&
        existing(numberWords(this.#language).get(word), 'entry') <= 12,
    );
    const spoken = `(?:${words.toSorted((a, b) => b.length - a.length).join('|')})`;
    const marked = `\\s?(?<${name}Mark>${mark})(?: (?<${name}After>[0-5]\\d)(?!\\d))?`;
    const offset = offsets.map(([source], n) => `(?<${name}Offset${n}>${source})`).join('|');
    return [
      `(?:(?<${name}Noon>${noon})|(?<${name}Midnight>${midnight})`,
      `(?:${offset}) (?<${name}Of>${hour}|${spoken})(?:\\s?(?<${name}OfMark>${mark}))?`,
      `(?<${name}Hour>${hour})[:.](?<${name}Minute>[0-5]\\d)(?![\\d.,])(?:\\s?(?<${name}MinuteMark>${mark}))?`,
      `(?<${name}Plain>${hour}|${spoken})(?:${marked})${isMarked ? '' : '?'})`,
    ].join('|');
  }

  #spanOf({ groups, index, 0: { length } }: RegExpExecArray): Clock {
    const all = groups as Groups;
    // In "9 to 11 am" both times are in the morning.
    const to = this.#minuteOf(all, 'to', this.#markOf(all, 'from'));
    let from = this.#minuteOf(all, 'from', this.#markOf(all, 'to'));
    // In "11 to 2 pm" the first is not.
    if (from > to && from - NOON_MINUTE < to && !this.#markOf(all, 'from'))
      from -= from >= NOON_MINUTE ? NOON_MINUTE : 0;
    const toMinute = to > from ? to : to + DAY_MINUTES;
    return { fromMinute: from, toMinute, at: index, length };
  }

  #singleOf({ groups, index, 0: { length } }: RegExpExecArray): Clock {
    const all = groups as Groups;
    const point = this.#minuteOf(all, 'at');
    const direction = Object.entries(all).find(
      ([name, value]) => value !== undefined && /^(?:since|after|until|before)\d$/.test(name),
    )?.[0];
    const place = { at: index, length, point, direction: direction?.slice(0, -1) as Direction | undefined };
    if (place.direction === 'since' || place.direction === 'after')
      return { fromMinute: point, toMinute: DAY_MINUTES, ...place };
    // "Until midnight" is the end of the day.
    if (place.direction) return { fromMinute: 0, toMinute: point || DAY_MINUTES, ...place };
    if (all.atNoon) return { fromMinute: NOON_MINUTE - 60, toMinute: NOON_MINUTE + 120, ...place };
    if (point % 60 === 0) return { fromMinute: point, toMinute: point + 60, ...place };
    return { fromMinute: point - AROUND_MINUTES, toMinute: point + AROUND_MINUTES, ...place };
  }

  #markOf(groups: Groups, name: string): string | undefined {
    return groups[`${name}Mark`] ?? groups[`${name}MinuteMark`] ?? groups[`${name}OfMark`];
  }

  #minuteOf(groups: Groups, name: string, otherMark?: string): number {
    if (groups[`${name}Noon`]) return NOON_MINUTE;
    if (groups[`${name}Midnight`]) return name === 'to' ? DAY_MINUTES : 0;
    const mark = this.#markOf(groups, name) ?? (/^[ap]/.test(otherMark ?? '') ? otherMark : undefined) ?? '';
    const said = groups[`${name}Of`] ?? groups[`${name}Hour`] ?? groups[`${name}Plain`] ?? '0';
    const offset = this.#words.offsets.find((_, n) => groups[`${name}Offset${n}`])?.[1] ?? 0;
    const minute = Number(groups[`${name}Minute`] ?? groups[`${name}After`] ?? 0);
    const hour = this.#hourOf(numberOf(said, this.#language), {
      mark,
      half: groups.half,
      isLoose: offset !== 0 || (!groups[`${name}Hour`] && !/^(?:h|uhr|[ap])/.test(mark)),
    });
    return hour * 60 + offset + minute;
  }

  /** Where nothing says the half of the day, 1 to 6 are in the afternoon: nobody queues at three in the night. */
  #hourOf(
    hour: number,
    { mark, half, isLoose }: { mark: string; half: string | undefined; isLoose: boolean },
  ): number {
    if (/^[ap]/.test(mark)) return (hour % 12) + (mark.startsWith('p') ? 12 : 0);
    if (half && hour <= 12) {
      const isLate = new RegExp(`^(?:${this.#words.late})$`, 'u').test(half);
      const isNight = /night|nacht/.test(half);
      if (isLate || (isNight && hour >= 6)) return (hour % 12) + 12;
      return hour % 12 === 0 && isNight ? 0 : hour;
    }
    return isLoose && hour >= 1 && hour <= 6 ? hour + 12 : hour;
  }

  #readPart(text: QueryText): Clock | null {
    for (const [pattern, part] of this.#parts) {
      const match = text.take(pattern);
      if (!match) continue;
      const isSomeDay = match.groups?.today === undefined;
      return { ...clockOf(part), ofSomeDay: isSomeDay, at: match.index, length: match[0].length };
    }
    return null;
  }
}

/** What may follow an hour that has no mark: nothing that it could count. */
const END = '(?=\\s*$|\\s{2}|\\s*[,;?!]|\\s(?:and|with|on|in|und|mit|am|an|in|bei|near)\\s)';
const READERS = { en: new ClockReader('en'), de: new ClockReader('de') };

/** Reads times of day: "between 9 and 11 am", "after 3pm", "in the evening". */
export const readClocks = (text: QueryText, language: 'en' | 'de'): Clock[] => READERS[language].read(text);

/** Reads hours without a mark, in a query that names a day: "between 10 and 11". */
export const readOpenClocks = (text: QueryText, language: 'en' | 'de'): Clock[] =>
  READERS[language].readOpen(text);

export const clockOf = ({ fromHour, toHour }: DayPart): { fromMinute: number; toMinute: number } => ({
  fromMinute: fromHour * 60,
  toMinute: toHour * 60,
});

/** A minute of the day by the local clock, also on days on which clocks change. */
export const atMinute = (day: DateTime, minute: number): DateTime =>
  DateTime.fromObject({ year: day.year, month: day.month, day: day.day }, { zone: day.zone })
    .plus({ days: Math.floor(minute / DAY_MINUTES) })
    .set({
      hour: Math.floor((((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES) / 60),
      minute: ((minute % 60) + 60) % 60,
    });
