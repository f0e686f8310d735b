import { DateTime } from 'luxon';
import type { Sense } from '../lexicon.ts';
import { numberAt } from './numbers.ts';
import { Pattern, type Reader, type Values } from './pattern.ts';
import type { Sentence } from './sentence.ts';

export type Direction = 'since' | 'after' | 'until' | 'before';

/** A time of day, in minutes from midnight. */
export interface Clock {
  readonly fromMinute: number;
  readonly toMinute: number;
  /** The word before it: "since 3 pm". */
  readonly direction?: Direction | undefined;
  /** The time itself where one was said: "3 pm", "noon". */
  readonly point?: number;
  /** True for "in the evening", false for "this evening": another phrase must name the day. */
  readonly ofSomeDay?: boolean;
}

/** Hours of a day from 0, up to 30 for parts that continue after midnight. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [6, 12],
  noon: [11, 14],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [22, 30],
};
const DAY_MINUTES = 24 * 60;
const NOON_MINUTE = 12 * 60;
/** "At 15:30" means ten minutes before to ten minutes after. */
const AROUND_MINUTES = 10;

/** A time as it was said. */
interface Time {
  readonly hour: number;
  readonly minutes: number;
  readonly mark?: string | undefined;
  /** Whether nothing says the half of the day. */
  readonly isLoose?: boolean;
  readonly is?: 'noon' | 'midnight';
}

/** A full hour in digits or words. */
function hourAt(sentence: Sentence, at: number): Sense<number> | undefined {
  const number = numberAt(sentence, at);
  const isDigits = sentence.tokens[at]?.kind === 'number';
  const isHour = number && Number.isInteger(number.value) && number.value <= (isDigits ? 24 : 12);
  return isHour && sentence.tokens[at]!.plain !== '00' ? number : undefined;
}

/** A time that is none but that: "3 pm", "15:30", "half past two", "noon". */
const markedTime = (sentence: Sentence, at: number): Sense<Time> | undefined => {
  for (const is of ['noon', 'midnight'] as const) {
    const sense = sentence.senseAt(is, at);
    if (sense) return { value: { hour: is === 'noon' ? 12 : 0, minutes: 0, is }, length: sense.length };
  }
  const markAt = (end: number) => sentence.senseAt<string>('mark', end);
  const offset = sentence.senseAt<number>('offset', at);
  const hour = hourAt(sentence, at + (offset?.length ?? 0));
  if (offset && hour) {
    const mark = markAt(at + offset.length + hour.length);
    const length = offset.length + hour.length + (mark?.length ?? 0);
    return { value: { hour: hour.value, minutes: offset.value, mark: mark?.value, isLoose: true }, length };
  }
  const digits = /^(\d{1,2})[:.]([0-5]\d)$/.exec(sentence.tokens[at]?.plain ?? '');
  // "12.11." is a date.
  const isDate = digits && Number(digits[2]) <= 12 && sentence.tokens[at + 1]?.plain === '.';
  if (digits && !isDate && Number(digits[1]) <= 24) {
    const mark = markAt(at + 1);
    const value = { hour: Number(digits[1]), minutes: Number(digits[2]), mark: mark?.value };
    return { value, length: 1 + (mark?.length ?? 0) };
  }
  const mark = hour && markAt(at + hour.length);
  if (!mark) return undefined;
  const next = at + hour.length + mark.length;
  const minutes = /^[0-5]\d$/.test(sentence.tokens[next]?.plain ?? '') && sentence.isFree(next);
  const value = {
    hour: hour.value,
    minutes: minutes ? Number(sentence.tokens[next]!.plain) : 0,
    mark: mark.value,
    isLoose: mark.value === 'clock',
  };
  return { value, length: hour.length + mark.length + (minutes ? 1 : 0) };
};

const anyTime = (sentence: Sentence, at: number): Sense<Time> | undefined => {
  const hour = hourAt(sentence, at);
  const open = hour && { value: { hour: hour.value, minutes: 0, isLoose: true }, length: hour.length };
  return markedTime(sentence, at) ?? open;
};

/** What may follow an hour that has no mark: nothing that it could count. */
const end: Reader = (sentence, at) => {
  const next = sentence.tokens[at];
  const isEnd =
    !next || !sentence.isFree(at) || /^(?:[,;?!]|and|with|on|in|und|mit|am|an|bei|near)$/.test(next.plain);
  return isEnd ? { value: true, length: 0 } : undefined;
};
const onDay: Reader = (sentence, at) =>
  sentence.senseAt('onDay', at) && /^[\p{L}\d]/u.test(sentence.tokens[at + 1]?.plain ?? '')
    ? { value: true, length: 0 }
    : undefined;
/** "8 in the morning", but not "longer than 8 in the morning". */
const notCompared: Reader = (sentence, at) =>
  sentence.before('compare', at) ? undefined : { value: true, length: 0 };

const begins: Reader = (sentence, at) =>
  sentence.isFree(at - 1) && sentence.tokens[at - 1]?.plain !== ',' ? undefined : { value: true, length: 0 };

const READERS = { begins, markedTime, anyTime, end, onDay, notCompared };
type Rule = readonly [Pattern, (values: Values) => Clock];
const rules = (sources: readonly string[], read: (values: Values) => Clock): Rule[] =>
  sources.map((source) => [new Pattern(source, READERS), read]);

/** Times of day that are times by themselves, then parts of the day. */
export const CLOCKS: readonly Rule[] = [
  ...rules(
    [
      'between? atTime? a:markedTime joined atTime? b:anyTime half?',
      'between? atTime? a:anyTime joined atTime? b:markedTime half?',
      // Before "on 3 November" they are hours, which would else be read as days of the month.
      'between atTime? a:anyTime joined atTime? b:anyTime onDay',
    ],
    spanOf,
  ),
  ...rules(['direction? atTime? a:markedTime half?', 'notCompared atTime? a:anyTime half'], singleOf),
  ...rules(['this? partLead* part'], ({ this: today, part }) => ({
    ...clockOf(part),
    ofSomeDay: today === undefined,
  })),
];

/** Hours without any mark. They are times only where the query names a day: "between 10 and 11". */
export const OPEN_CLOCKS: readonly Rule[] = [
  ...rules(['between|begins atTime? a:anyTime joined atTime? b:anyTime half? end'], spanOf),
  ...rules(['direction atTime? a:anyTime half? end', 'atTime a:anyTime half? end'], singleOf),
];

/** The hours of a part of the day. */
export function clockOf(part: string): { fromMinute: number; toMinute: number } {
  const [from, to] = PARTS[part]!;
  return { fromMinute: from * 60, toMinute: to * 60 };
}

function spanOf({ a, b, half }: Values): Clock {
  // In "9 to 11 am" both times are in the morning; in "11 to 2 pm" the first is not.
  const to = minuteOf(b, half, a.mark, true);
  let from = minuteOf(a, half, b.mark, false);
  if (from > to && from - NOON_MINUTE < to && !a.mark) from -= from >= NOON_MINUTE ? NOON_MINUTE : 0;
  return { fromMinute: from, toMinute: to > from ? to : to + DAY_MINUTES };
}

function singleOf({ a, half, direction: said }: Values): Clock {
  const point = minuteOf(a, half);
  const direction: Direction | undefined = said === 'from' ? 'after' : said;
  const place = { point, direction };
  if (direction === 'since' || direction === 'after')
    return { fromMinute: point, toMinute: DAY_MINUTES, ...place };
  // "Until midnight" is the end of the day.
  if (direction) return { fromMinute: 0, toMinute: point || DAY_MINUTES, ...place };
  if (a.is === 'noon') return { ...clockOf('noon'), ...place };
  if (point % 60 === 0) return { fromMinute: point, toMinute: point + 60, ...place };
  return { fromMinute: point - AROUND_MINUTES, toMinute: point + AROUND_MINUTES, ...place };
}

/** Where nothing says the half of the day, 1 to 6 are in the afternoon: nobody queues at three in the night. */
function minuteOf({ hour, minutes, mark, isLoose, is }: Time, half?: string, other?: string, isEnd = false) {
  if (is) return is === 'noon' ? NOON_MINUTE : isEnd ? DAY_MINUTES : 0;
  const said = mark ?? (/^[ap]m$/.test(other ?? '') ? other : undefined);
  const inHalf = (isLate: boolean) => (hour % 12) + (isLate ? 12 : 0);
  let at = isLoose && hour >= 1 && hour <= 6 ? hour + 12 : hour;
  if (said === 'am' || said === 'pm') at = inHalf(said === 'pm');
  else if (half && hour <= 12) {
    if (half === 'late' || (half === 'night' && hour >= 6)) at = inHalf(true);
    else at = half === 'night' && hour === 12 ? 0 : hour;
  }
  return at * 60 + minutes;
}

/** A minute of the day by the local clock, also on days on which clocks change. */
export const atMinute = (day: DateTime, minute: number): DateTime =>
  DateTime.fromObject({ year: day.year, month: day.month, day: day.day }, { zone: day.zone })
    .plus({ days: Math.floor(minute / DAY_MINUTES) })
    .set({ hour: Math.floor(((minute / 60) % 24) + 24) % 24, minute: ((minute % 60) + 60) % 60 });
