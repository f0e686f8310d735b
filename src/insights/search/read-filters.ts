import { DateTime } from 'luxon';
import { z } from 'zod';
import { candidates, parseJson } from '../vlm/answer.ts';
import type { ParseContext, ParsedQuery } from './parse-query.ts';
import { QueryText } from './query-text.ts';
import { readKeywords } from './read-keywords.ts';
import { type NamedPlace, readPartialNames, readWholeNames } from './read-places.ts';

const MOST_KEYWORDS = 10;
const KEYWORD_CHARACTERS = 60;
const NAME_CHARACTERS = 100;

const words = (most: number) => z.string().transform((text) => text.normalize('NFKC').slice(0, most));
const moment = z.string().max(40).nullish();

/** What a model may say of a query. Whatever else it says is not looked at. */
const filters = z.object({
  riskLevel: z
    .array(z.enum(['low', 'medium', 'high', 'critical']))
    .max(10)
    .nullish(),
  activityKeywords: z.array(words(KEYWORD_CHARACTERS)).max(100).nullish(),
  severity: z.enum(['warning', 'critical']).nullish(),
  startDate: moment,
  endDate: moment,
  deviceName: words(NAME_CHARACTERS).nullish(),
  sceneName: words(NAME_CHARACTERS).nullish(),
  minPersons: z.int().min(1).max(10_000).nullish(),
});

/**
 * A model's text as the filters that the parser makes, too. Its names are looked up among the user's own places; those
 * that no place has are words to find.
 * @returns null when it is not what was asked for
 */
export function readFilters(text: string, { timezone, places }: ParseContext): ParsedQuery | null {
  for (const candidate of candidates(text)) {
    const parsed = filters.safeParse(parseJson(candidate));
    if (!parsed.success) continue;
    const { riskLevel, activityKeywords, severity, deviceName, sceneName, minPersons } = parsed.data;
    const startDate = readMoment(parsed.data.startDate, timezone);
    const endDate = readMoment(parsed.data.endDate, timezone);
    if (startDate === null || endDate === null) return null;
    if (startDate && endDate && startDate >= endDate) return null;
    const named = [deviceName, sceneName].map((name) => placesNamed(name ?? '', places));
    const keywords = [
      ...(activityKeywords ?? []).slice(0, MOST_KEYWORDS),
      ...named.flatMap(({ rest }) => rest),
    ];
    return {
      riskLevel: [...new Set(riskLevel)],
      severity: severity ?? undefined,
      minPersons: minPersons ?? undefined,
      startDate,
      endDate,
      places: named.flatMap(({ mentions }) => mentions),
      activityKeywords: readKeywords(new QueryText(keywords.join(' '))),
    };
  }
  return null;
}

/** @returns undefined where none is meant, null where there is no such time */
function readMoment(text: string | null | undefined, zone: string): Date | undefined | null {
  if (!text) return undefined;
  const time = DateTime.fromISO(text, { zone });
  return time.isValid && time.year >= 1 && time.year <= 9999 ? time.toJSDate() : null;
}

/** The places that a name means, as if it stood in a query after "at"; and what of it is no name. */
function placesNamed(name: string, places: readonly NamedPlace[]) {
  const text = new QueryText(`at ${name}`);
  const mentions = [...readWholeNames(text, places), ...readPartialNames(text, places)];
  return { mentions, rest: readKeywords(text) };
}
