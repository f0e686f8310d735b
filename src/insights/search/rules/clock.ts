import { DateTime } from 'luxon';
import { oneOf, type Pattern, pattern, type Reader, rulesOf, type Values, when } from './pattern.ts';
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
const PARTS = {
  morning: [6, 12],
  noon: [11, 14],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [22, 30],
} as const;
const DAY = 24 * 60;
const NOON = 12 * 60;
/** "At 15:30" means ten minutes before to ten minutes after. */
const AROUND_MINUTES = 10;

/** A full hour in digits or words. */
const hour: Reader = (sentence, at) => {
  const number = sentence.numberAt(at);
  const most = sentence.tokens[at]?.kind === 'number' ? 24 : 12;
  const isHour = number && Number.isInteger(number.value) && number.value <= most;
  return isHour && sentence.plainAt(at) !== '00' ? number : undefined;
};
const minutes: Reader = ({ plainAt }, at) =>
  /^[0-5]\d$/.test(plainAt(at)) ? { value: Number(plainAt(at)), length: 1 } : undefined;
/** "15:30", and "14.30" where it is no date ("12.11."). */
const digits: Reader = ({ plainAt }, at) => {
  const [, hours, past] = /^(\d{1,2})[:.]([0-5]\d)$/.exec(plainAt(at)) ?? [];
  const isTime = past && Number(hours) <= 24 && (Number(past) > 12 || plainAt(at + 1) !== '.');
  return isTime ? { value: [Number(hours), Number(past)], length: 1 } : undefined;
};

/** Times that are none but that: "noon", "half past two", "15:30", "3 pm"; the last is an hour without a mark. */
const TIMES = ['noon', 'midnight', 'offset hour mark?', 'digits mark?', 'hour mark minutes?', 'hour'].map(
  (source) => pattern(source, { hour, minutes, digits }),
);
/** Most words can begin no time, and are tried with no pattern. */
const timeOf = (patterns: readonly Pattern[]): Reader => {
  const read = oneOf(patterns);
  const mayBegin = (sentence: Sentence, at: number) =>
    /^\d/.test(sentence.plainAt(at)) || sentence.is(at, 'noon', 'midnight', 'offset', 'number');
  return (sentence, at) => (mayBegin(sentence, at) ? read(sentence, at) : undefined);
};

const END = /^(?:|[,;?!]|and|with|on|in|und|mit|am|an|bei|near)$/;
const READERS = {
  markedTime: timeOf(TIMES.slice(0, -1)),
  anyTime: timeOf(TIMES),
  begins: when((sentence, at) => !sentence.isFree(at - 1) || sentence.plainAt(at - 1) === ',', 0),
  /** What may follow an hour that has no mark: nothing that it could count. */
  end: when((sentence, at) => !sentence.isFree(at) || END.test(sentence.plainAt(at)), 0),
  /** Before "on 3 November" there are hours, which would else be read as days of the month. */
  onDay: when((sentence, at) => sentence.is(at, 'onDay') && /^[\p{L}\d]/u.test(sentence.plainAt(at + 1)), 0),
  /** "8 in the morning", but not "longer than 8 in the morning". */
  notCompared: when((sentence, at) => !sentence.before('compare', at), 0),
};

const each = rulesOf<(values: Values) => Clock>(READERS);
/** Times of day that are times by themselves, then parts of the day. */
const CLOCKS = [
  ...each(spanOf, 'between? atTime? a:markedTime joined atTime? b:anyTime half?'),
  ...each(spanOf, 'between? atTime? a:anyTime joined atTime? b:markedTime half?'),
  ...each(spanOf, 'between atTime? a:anyTime joined atTime? b:anyTime onDay'),
  ...each(singleOf, 'direction? atTime? a:markedTime half?', 'notCompared atTime? a:anyTime half'),
  ...each(
    ({ this: today, part }) => ({ ...clockOf(part), ofSomeDay: today === undefined }),
    'this? partLead* part',
  ),
];
/** Hours without any mark. They are times only where the query names a day: "between 10 and 11". */
const OPEN_CLOCKS = [
  ...each(spanOf, 'between|begins atTime? a:anyTime joined atTime? b:anyTime half? end'),
  ...each(singleOf, 'direction atTime? a:anyTime half? end', 'atTime a:anyTime half? end'),
];

/** The time of day at a token; where a day is named, it may be an hour without a mark. */
export function clockAt(sentence: Sentence, at: number, isDayNamed: boolean) {
  for (const [read, meaning] of isDayNamed ? OPEN_CLOCKS : CLOCKS) {
    const match = read(sentence, at);
    if (match) return { ...meaning(match.values), from: at, next: match.end };
  }
  return null;
}

/** The hours of a part of the day. */
export function clockOf(part: keyof typeof PARTS): { fromMinute: number; toMinute: number } {
  const [from, to] = PARTS[part];
  return { fromMinute: from * 60, toMinute: to * 60 };
}

function spanOf({ a, b, half }: Values): Clock {
  // In "9 to 11 am" both times are in the morning; in "11 to 2 pm" the first is not.
  const to = minuteOf(b, half, a.mark) || (b.midnight ? DAY : 0);
  const from = minuteOf(a, half, b.mark);
  const isEarlier = from > to && from >= NOON && from - NOON < to && !a.mark;
  return { fromMinute: isEarlier ? from - NOON : from, toMinute: to > from || isEarlier ? to : to + DAY };
}

function singleOf({ a, half, direction: said }: Values): Clock {
  const point = minuteOf(a, half);
  const direction: Direction | undefined = said === 'from' ? 'after' : said;
  const place = { point, direction };
  if (direction === 'since' || direction === 'after') return { fromMinute: point, toMinute: DAY, ...place };
  // "Until midnight" is the end of the day.
  if (direction) return { fromMinute: 0, toMinute: point || DAY, ...place };
  if (a.noon) return { ...clockOf('noon'), ...place };
  if (point % 60 === 0) return { fromMinute: point, toMinute: point + 60, ...place };
  return { fromMinute: point - AROUND_MINUTES, toMinute: point + AROUND_MINUTES, ...place };
}

/** Where nothing says the half of the day, 1 to 6 are in the afternoon: nobody queues at three in the night. */
function minuteOf(time: Values, half?: string, other?: string): number {
  if (time.noon || time.midnight) return time.noon ? NOON : 0;
  const [hours, past] = time.digits ?? [time.hour, time.offset ?? time.minutes ?? 0];
  const isLoose = time.offset !== undefined || !time.mark || time.mark === 'clock';
  const said = time.mark ?? (/^[ap]m$/.test(other ?? '') ? other : undefined);
  let at = !time.digits && isLoose && hours >= 1 && hours <= 6 ? hours + 12 : hours;
  if (said === 'am' || said === 'pm') at = (hours % 12) + (said === 'pm' ? 12 : 0);
  else if (hours <= 12 && (half === 'late' || (half === 'night' && hours >= 6))) at = (hours % 12) + 12;
  else if (half && hours <= 12) at = half === 'night' && hours === 12 ? 0 : hours;
  return at * 60 + past;
}

/** A minute of the day by the local clock, also on days on which clocks change. */
export const atMinute = (day: DateTime, minute: number): DateTime =>
  DateTime.fromObject({ year: day.year, month: day.month, day: day.day }, { zone: day.zone })
    .plus({ days: Math.floor(minute / DAY) })
    .set({ hour: Math.floor(((minute / 60) % 24) + 24) % 24, minute: ((minute % 60) + 60) % 60 });
