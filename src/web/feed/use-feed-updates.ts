import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { FEED_KEY } from './use-feed.ts';

/** Reads what is shown again when an alert or a description has come. */
export function useFeedUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(
      () => void client.invalidateQueries({ queryKey: [FEED_KEY, 'alerts'] }),
      30_000,
    );
    return () => clearInterval(timer);
  }, [client]);
}
