import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  // `pageshow` comes when a phone returns to a page that it had put aside.
  for (const name of ['visibilitychange', 'pageshow', 'pagehide']) addEventListener(name, listener, true);
  return () => {
    for (const name of ['visibilitychange', 'pageshow', 'pagehide'])
      removeEventListener(name, listener, true);
  };
}

/** Whether the page is looked at. */
export const useIsVisible = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
