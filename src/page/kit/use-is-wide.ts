import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 900px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether the window is wide, for what CSS alone cannot arrange. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
