import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, dataOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { UNSEEN_KEY } from '../shell/use-unseen.ts';
import { type FeedItem, itemOfAlert } from './feed-item.ts';
import type { FeedFilter } from './filter.ts';
import { queryOf } from './filter.ts';

/** The beginning of the keys of everything that is read for the feed. */
export const FEED_KEY = 'feed';
export const PAGE_SIZE = 50;
/** Most alerts that are shown above the pages. */
export const MOST_NEW = 100;

/** Signed addresses of pictures are valid for an hour. */
const STALE_MS = 15 * 60_000;

export interface FeedPage {
  readonly items: readonly FeedItem[];
  readonly total: number;
}

interface Wanted {
  readonly filter: FeedFilter;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly isWanted?: boolean;
}

/** A page of alerts with their descriptions. */
export function useAlerts({ filter, isWanted = true, ...range }: Wanted): UseQueryResult<FeedPage, Error> {
  return useQuery({
    queryKey: [FEED_KEY, 'alerts', filter, range],
    staleTime: STALE_MS,
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<FeedPage> => {
      const query = { ...queryOf(filter), limit: PAGE_SIZE, ...range };
      const { data, meta } = await answerOf(api.GET('/analysis/alerts', { params: { query }, signal }));
      return { items: data.map(itemOfAlert), total: meta.pagination.totalRecords };
    },
  });
}

/** Marks an alert as seen, or not. Lists that are on the screen show it at once and stay in their order. */
export function useMarkSeen() {
  const client = useQueryClient();
  const show = (id: string, acknowledgedAt: string | null) => {
    client.setQueriesData<FeedPage>({ queryKey: [FEED_KEY, 'alerts'] }, (page) => {
      if (!page?.items.some((item) => item.id === id)) return page;
      return {
        ...page,
        items: page.items.map((item) => (item.id === id ? { ...item, acknowledgedAt } : item)),
      };
    });
  };
  return useMutation({
    mutationFn: ({ id, acknowledged }: { readonly id: string; readonly acknowledged: boolean }) =>
      dataOf(api.PATCH('/analysis/alerts/{id}', { params: { path: { id } }, body: { acknowledged } })),
    onSuccess: (alert) => {
      show(alert.id, alert.acknowledgedAt);
      // An answer that is on its way may be older.
      void client.invalidateQueries({ queryKey: [FEED_KEY, 'alerts'], fetchStatus: 'fetching' });
      void client.invalidateQueries({ queryKey: [FEED_KEY, 'alert', alert.id] });
      void client.invalidateQueries({ queryKey: UNSEEN_KEY });
    },
  });
}
