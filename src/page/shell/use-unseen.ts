import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { onStoredEvent } from '../api/live-store.ts';
import { useSession } from '../api/session.tsx';

export const UNSEEN_KEY = ['unseen-alerts'];
/** Older alerts ask for nobody any more. */
const DAYS = 7;
const STALE_MS = 60_000;

/** How many alerts of the last days nobody has marked as seen; 0 while it is not known. */
export function useUnseen(): number {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: UNSEEN_KEY,
    staleTime: STALE_MS,
    enabled: useSession().may('analytics:read'),
    queryFn: async ({ signal }) => {
      const startDate = new Date(Date.now() - DAYS * 86_400_000).toISOString();
      const params = { query: { acknowledged: false, startDate, limit: 1 } };
      const { meta } = await answerOf(api.GET('/analysis/alerts', { params, signal }));
      return meta.pagination.totalRecords;
    },
  });
  useEffect(
    () =>
      onStoredEvent(({ topic }) => {
        if (topic === 'alerts') void client.invalidateQueries({ queryKey: UNSEEN_KEY });
      }),
    [client],
  );
  return query.data ?? 0;
}
