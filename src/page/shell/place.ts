import { useSyncExternalStore } from 'react';

/** The part of the address behind `#`: a path, and a query behind `?`. */
const fragment = (): string => location.hash.replace(/^#?\/?/, '');
const pathNow = (): string => `/${fragment().split('?')[0]}`;
const queryNow = (): string => fragment().split('?')[1] ?? '';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Goes to a place of the page, without its `#`; for example that of `#/scenes/ID?tab=floor`. */
export function goTo(place: string, { replace = false }: { replace?: boolean } = {}): void {
  const oldURL = location.href;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#/${place.replace(/^\//, '')}`);
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }));
}

/** The hook of wouter: wouter's own puts a query before the `#`, where it would reach servers and logs. */
export const usePlace = (): [string, typeof goTo] => [useSyncExternalStore(subscribe, pathNow), goTo];
usePlace.hrefs = (place: string): string => `#${place}`;

export const usePlaceQuery = (): string => useSyncExternalStore(subscribe, queryNow);
