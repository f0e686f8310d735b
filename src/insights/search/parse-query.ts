import { DateTime } from 'luxon';
import { QueryText } from './query-text.ts';
import { readDates } from './read-dates.ts';
import { readKeywords } from './read-keywords.ts';
import { readMinPersons } from './read-persons.ts';
import { type NamedPlace, readPartialNames, readWholeNames } from './read-places.ts';
import { type RiskLevel, readRiskLevels, readSeverity, type Severity } from './read-risk.ts';

/** A query as it was understood. */
export interface ParsedQuery {
  /** Any of these; empty: any at all. */
  readonly riskLevel: readonly RiskLevel[];
  readonly activityKeywords: readonly string[];
  readonly severity?: Severity | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  readonly minPersons?: number | undefined;
  /** Each mention of a place, with the devices and scenes it may mean. */
  readonly places: readonly (readonly NamedPlace[])[];
}

export interface ParseContext {
  readonly now: Date;
  /** IANA name. */
  readonly timezone: string;
  /** The user’s devices and scenes. */
  readonly places: readonly NamedPlace[];
}

/**
 * Understands a query by rules, without a language model. What one step understands is cut out, so the order matters:
 * a number of people is no hour, a name may hold a number, and what is left are words to look for.
 */
export function parseQuery(query: string, { now, timezone, places }: ParseContext): ParsedQuery {
  const text = new QueryText(query);
  const wholeNames = readWholeNames(text, places);
  const minPersons = readMinPersons(text);
  const { start, end } = readDates(text, DateTime.fromJSDate(now, { zone: timezone }));
  const riskLevel = readRiskLevels(text);
  const severity = readSeverity(text);
  return {
    riskLevel,
    severity,
    minPersons,
    startDate: dateOf(start),
    endDate: dateOf(end),
    places: [...wholeNames, ...readPartialNames(text, places)],
    activityKeywords: readKeywords(text),
  };
}

/** "9999 years ago" is before every insight: no filter, as nothing that the API could show as a time. */
const dateOf = (time: DateTime | undefined): Date | undefined =>
  time?.isValid && time.year >= 1 && time.year <= 9999 ? time.toJSDate() : undefined;
