import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onGap, onStoredEvent } from '../api/live-store.ts';
import { FEED_KEY } from './use-feed.ts';

/** Alerts come in groups: what is shown is read once for all of them. */
const TOGETHER_MS = 300;

/** Reads what is shown again when an alert or a description has come, or may have been missed. */
export function useFeedUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      timer = undefined;
      for (const part of ['alerts', 'alert', 'insight'])
        void client.invalidateQueries({ queryKey: [FEED_KEY, part] });
    };
    const ends = [
      onStoredEvent(({ topic }) => {
        if (topic === 'alerts' || topic === 'insights') timer ??= setTimeout(read, TOGETHER_MS);
      }),
      onGap(read),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [client]);
}
