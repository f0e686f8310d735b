import { DateTime } from 'luxon';
import {
  AND,
  BETWEEN,
  DAY_PARTS,
  type DayPart,
  DIRECTIONS,
  type Direction,
  THIS_BEFORE,
} from '../lexicon/date-words.ts';
import { phrase, type QueryText } from './query-text.ts';

/** A part of a day, in minutes from midnight. */
export interface ClockRange {
  readonly fromMinute: number;
  readonly toMinute: number;
  /** True for "in the evening", false for "this evening": another phrase must name the day. */
  readonly ofSomeDay?: boolean;
}

const HOUR = '(?:[01]?\\d|2[0-4])';
const MARK = "a\\.?m\\.?|p\\.?m\\.?|h|uhr|o'clock|heures?|horas|ore|uur|час(?:а|ов)?|点|時";
const time = (name: string, needsMark: boolean) =>
  `(?<${name}Hour>${HOUR})(?:(?:[:h](?<${name}Minute>[0-5]\\d))(?:\\s?(?<${name}MarkA>${MARK}))?|\\s?(?<${name}Mark>${MARK})${needsMark ? '' : '?'})`;
const AT = 'at|around|about|um|gegen|a|vers|a las?|sobre las|alle|verso le|om|rond|as|в|около';
const DIRECTION = DIRECTIONS.map(([source, direction]) => `(?<${direction}>${source})`).join('|');

const SPAN_FIRST_MARKED = phrase(
  `(?:(?:${BETWEEN}) (?:le |las )?)?${time('from', true)}\\s*(?:${AND})\\s*(?:le |las )?${time('to', false)}`,
);
const SPAN_LAST_MARKED = phrase(
  `(?:${BETWEEN}) (?:le |las )?${time('from', false)}\\s*(?:${AND})\\s*(?:le |las )?${time('to', true)}`,
);
const SINGLE = phrase(`(?:(?:${DIRECTION}) )?(?:(?:${AT}) )?${time('at', true)}`);

const DAY_MINUTES = 24 * 60;
/** "At 15:30" means ten minutes before to ten minutes after. */
const AROUND_MINUTES = 10;

/** Reads a time of day: "between 9 and 11 am", "after 3pm", "in the evening". */
export function readClock(text: QueryText): ClockRange | null {
  return readSpan(text) ?? readSingle(text) ?? readPart(text);
}

function readSpan(text: QueryText): ClockRange | null {
  const groups = (text.take(SPAN_FIRST_MARKED) ?? text.take(SPAN_LAST_MARKED))?.groups;
  if (!groups) return null;
  // In "9 to 11 am" both times are in the morning.
  const fromMinute = minuteOf(groups, 'from', markOf(groups, 'to'));
  const toMinute = minuteOf(groups, 'to', markOf(groups, 'from'));
  return { fromMinute, toMinute: toMinute > fromMinute ? toMinute : toMinute + DAY_MINUTES };
}

function readSingle(text: QueryText): ClockRange | null {
  const groups = text.take(SINGLE)?.groups;
  if (!groups) return null;
  const minute = minuteOf(groups, 'at');
  const direction = DIRECTIONS.map(([, name]): Direction => name).find((name) => groups[name]);
  if (direction === 'since' || direction === 'after') return { fromMinute: minute, toMinute: DAY_MINUTES };
  if (direction) return { fromMinute: 0, toMinute: minute };
  if (minute % 60 === 0) return { fromMinute: minute, toMinute: minute + 60 };
  return { fromMinute: minute - AROUND_MINUTES, toMinute: minute + AROUND_MINUTES };
}

type Groups = Readonly<Record<string, string | undefined>>;
const markOf = (groups: Groups, name: string) => groups[`${name}MarkA`] ?? groups[`${name}Mark`];

function minuteOf(groups: Groups, name: string, otherMark?: string): number {
  const mark = markOf(groups, name) ?? otherMark ?? '';
  const hour = Number(groups[`${name}Hour`]);
  const twelve = /^[ap]/.test(mark) ? (hour % 12) + (mark.startsWith('p') ? 12 : 0) : hour;
  return twelve * 60 + Number(groups[`${name}Minute`] ?? 0);
}

const BEFORE_PART = 'in the|at|am|in der|im|por la|de la|en la|pela|da|de|a|na|di|del|in de|la|le|в';
const PARTS = DAY_PARTS.map(([source, part]): [RegExp, ClockRange] => [
  phrase(`(?:(?<today>${THIS_BEFORE})\\s?)?(?:(?:${BEFORE_PART}) )?(?:${source})`),
  clockOf(part),
]);

function readPart(text: QueryText): ClockRange | null {
  for (const [pattern, clock] of PARTS) {
    const match = text.take(pattern);
    if (match) return { ...clock, ofSomeDay: match.groups?.today === undefined };
  }
  return null;
}

export function clockOf({ fromHour, toHour }: DayPart): ClockRange {
  return { fromMinute: fromHour * 60, toMinute: toHour * 60 };
}

/** A minute of the day by the local clock, also on days on which clocks change. */
export const atMinute = (day: DateTime, minute: number): DateTime =>
  DateTime.fromObject({ year: day.year, month: day.month, day: day.day }, { zone: day.zone })
    .plus({ days: Math.floor(minute / DAY_MINUTES) })
    .set({
      hour: Math.floor((((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES) / 60),
      minute: ((minute % 60) + 60) % 60,
    });
