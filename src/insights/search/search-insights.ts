import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { readInsights } from '../insight.store.ts';
import { presentInsight } from '../present.ts';
import { earlier, later, type ParsedQuery } from './filters.ts';
import { interpretQuery } from './interpret-query.ts';
import { NO_QUERY, withParts } from './parts.ts';
import { presentInterpretation } from './present-interpretation.ts';
import type { SearchBody, searchResult } from './schema.ts';
import { findMatches, findPlaces, type SearchFilter } from './search.store.ts';
import { allOf, anyOf } from './tsquery.ts';

/** Finds the caller’s insights for a query in plain words, best first. */
export async function searchInsights(
  context: Context,
  { userId, signal }: { userId: string; signal: AbortSignal },
  body: SearchBody,
): Promise<z.input<typeof searchResult>> {
  const { db, clock } = context;
  const places = await findPlaces(db, userId);
  const { query, timezone, parts = [] } = body;
  const asked =
    query === undefined
      ? { parsed: NO_QUERY, by: 'rules' as const, corrections: [], inputTokens: 0, outputTokens: 0 }
      : await interpretQuery(context, { userId, query, signal }, { now: clock.now(), timezone, places });
  const understood = { ...asked, parsed: withParts(asked.parsed, parts, places) };
  const { parsed, inputTokens, outputTokens } = understood;
  const filter = narrow(parsed, body);
  const { keywords: words } = parsed;
  let keywordMatch: 'all' | 'any' = 'all';
  let found = await findMatches(db, userId, { filter, tsquery: allOf(words), limit: body.limit });
  if (found.total === 0 && words.length > 1) {
    keywordMatch = 'any';
    found = await findMatches(db, userId, { filter, tsquery: anyOf(words), limit: body.limit });
  }
  const rows = await readInsights(db, userId, found.ids);
  return {
    data: rows.map((row) => presentInsight(context, row)),
    total: found.total,
    interpretation: presentInterpretation(understood, keywordMatch),
    tokensUsed: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}

/** Adds the conditions that the caller sent beside the query. */
function narrow(parsed: ParsedQuery, body: SearchBody): SearchFilter {
  return {
    riskLevel: parsed.riskLevel,
    severity: parsed.severity,
    places: parsed.places,
    quantities: parsed.quantities,
    excluded: parsed.excluded,
    startDate: later(parsed.startDate, body.startDate),
    endDate: earlier(parsed.endDate, body.endDate),
    onlySeverity: body.severity,
    deviceId: body.deviceId,
    sceneId: body.sceneId,
  };
}
