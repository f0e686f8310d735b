import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import { readInsights } from '../insight.store.ts';
import { presentInsight } from '../present.ts';
import { earlier, filtersOf, later, type NamedPlace, type ParsedQuery } from './filters.ts';
import { interpretQuery } from './interpret-query.ts';
import { NO_QUERY, withParts } from './parts.ts';
import { type KeywordMatch, presentInterpretation } from './present-interpretation.ts';
import { onlyZone, type ParseContext } from './rules/parse-query.ts';
import type { SearchBody, searchResult } from './schema.ts';
import { findCustoms, findMatches, findPlaces, type SearchFilter } from './search.store.ts';
import { allOf, anyOf } from './tsquery.ts';

/** Finds the caller’s insights for a query in plain words, best first. */
export async function searchInsights(
  context: Context,
  { userId, signal }: { userId: string; signal: AbortSignal },
  body: SearchBody,
): Promise<z.input<typeof searchResult>> {
  const { db, clock } = context;
  const places = await findPlaces(db, userId);
  const { query, parts = [] } = body;
  const customs = await findCustoms(db, userId);
  const meant = {
    now: clock.now(),
    ...zoneOf(body, customs.timezone, places),
    locale: customs.locale,
    places,
  };
  const asked =
    query === undefined
      ? { parsed: NO_QUERY, by: 'rules' as const, corrections: [], inputTokens: 0, outputTokens: 0 }
      : await interpretQuery(context, { userId, query, signal }, meant);
  const understood = { ...asked, parsed: withParts(asked.parsed, parts, places) };
  const { parsed, inputTokens, outputTokens } = understood;
  const filter = narrow(parsed, body);
  const { keywordMatch, found } = await findByWords(db, userId, { parsed, filter, limit: body.limit });
  const rows = await readInsights(db, userId, found.ids);
  return {
    data: rows.map((row) => presentInsight(context, row)),
    total: found.total,
    interpretation: presentInterpretation(understood, keywordMatch),
    tokensUsed: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}

/**
 * Where "yesterday" is: in the zone that was sent, else of the device or scene that was sent or that the query names, else
 * of the user, else of all places, else UTC.
 */
function zoneOf(
  { timezone, deviceId, sceneId }: SearchBody,
  usual: string | null,
  places: readonly NamedPlace[],
): Pick<ParseContext, 'timezone' | 'followsPlaces'> {
  const isAsked = ({ kind, id }: NamedPlace) => id === (kind === 'scene' ? sceneId : deviceId);
  const asked = timezone ?? places.find(isAsked)?.timezone;
  if (asked) return { timezone: asked, followsPlaces: false };
  return { timezone: usual ?? onlyZone(places) ?? 'UTC', followsPlaces: true };
}

/** Insights with all words, else with any, else without regard to the words where the query has other filters. */
async function findByWords(
  db: Db,
  userId: string,
  { parsed, filter, limit }: { parsed: ParsedQuery; filter: SearchFilter; limit: number },
): Promise<{ keywordMatch: KeywordMatch; found: Awaited<ReturnType<typeof findMatches>> }> {
  const { keywords } = parsed;
  const find = (tsquery: string) => findMatches(db, userId, { filter, tsquery, limit });
  const all = await find(allOf(keywords));
  if (all.total > 0 || keywords.length === 0) return { keywordMatch: 'all', found: all };
  const any = keywords.length > 1 ? await find(anyOf(keywords)) : all;
  if (any.total > 0) return { keywordMatch: 'any', found: any };
  const hasOthers = filtersOf({ ...parsed, keywords: [] }).length > 0 || parsed.excluded.length > 0;
  return hasOthers ? { keywordMatch: 'none', found: await find('') } : { keywordMatch: 'all', found: all };
}

/** Adds the conditions that the caller sent beside the query. */
const narrow = (parsed: ParsedQuery, body: SearchBody): SearchFilter => ({
  ...parsed,
  startDate: later(parsed.startDate, body.startDate),
  endDate: earlier(parsed.endDate, body.endDate),
  onlySeverity: body.severity,
  deviceId: body.deviceId,
  sceneId: body.sceneId,
});
