import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../client/client.ts';
import { api } from '../../api/client.ts';
import { FEED_KEY } from '../use-feed.ts';
import type { SearchPart } from './search-chips.ts';

/** A query in plain words, or the conditions that were left of one. */
export type SearchRequest = { readonly query: string } | { readonly parts: readonly SearchPart[] };

/** Most results of a search. */
const MOST_FOUND = 50;

/**
 * Searches once for each request: a search may cost tokens of the language model. Days and times are those of the clock at the
 * cameras, which the API knows.
 */
export function useSearch(request: SearchRequest) {
  return useQuery({
    queryKey: [FEED_KEY, 'search', request],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => {
      const asked = 'query' in request ? request : { parts: [...request.parts] };
      return dataOf(api.POST('/analysis/insights/search', { body: { ...asked, limit: MOST_FOUND }, signal }));
    },
  });
}
