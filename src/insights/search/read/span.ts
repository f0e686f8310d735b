import type { DateTime } from 'luxon';
import type { DayPart, Direction } from '../lexicon/date-words.ts';

/** Days, months or years of the calendar, `[start, end)`. */
export interface Span {
  readonly start: DateTime;
  readonly end: DateTime;
  /** Position in the query. */
  readonly at: number;
  readonly length: number;
  /** Set where the phrase itself gives the direction: "more than 2 days ago". */
  readonly direction?: Direction;
  /** What the query leaves open: the week of a weekday, the year of a month. Another span may say it. */
  readonly open?: 'week' | 'year';
  /** A part of the day that the same word says: "Montagabend". */
  readonly part?: DayPart;
}
