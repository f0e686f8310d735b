import type { Scope } from '../api/session.tsx';
import type { IconName } from '../kit/icon.tsx';

export interface Place {
  readonly id:
    | 'now'
    | 'feed'
    | 'history'
    | 'cameras'
    | 'wall'
    | 'rules'
    | 'recordings'
    | 'usage'
    | 'webhook'
    | 'notify'
    | 'keys'
    | 'privacy'
    | 'admin';
  readonly to: string;
  readonly icon: IconName;
  readonly group: 'watch' | 'setUp' | 'account';
  /** The place is shown to who has this scope. */
  readonly scope: Scope;
}

/** The entries of the navigation, by groups. */
export const PLACES: readonly Place[] = [
  { id: 'now', group: 'watch', to: '/', icon: 'now', scope: 'analytics:read' },
  { id: 'feed', group: 'watch', to: '/feed', icon: 'feed', scope: 'analytics:read' },
  { id: 'history', group: 'watch', to: '/history', icon: 'history', scope: 'analytics:read' },
  { id: 'wall', group: 'watch', to: '/wall', icon: 'wall', scope: 'analytics:read' },
  { id: 'cameras', group: 'setUp', to: '/cameras', icon: 'cameras', scope: 'device:read' },
  { id: 'rules', group: 'setUp', to: '/rules', icon: 'rules', scope: 'alert:read' },
  { id: 'notify', group: 'setUp', to: '/notifications', icon: 'notify', scope: 'alert:write' },
  { id: 'recordings', group: 'setUp', to: '/recordings', icon: 'recordings', scope: 'device:read' },
  { id: 'usage', group: 'account', to: '/usage', icon: 'usage', scope: 'billing:read' },
  { id: 'keys', group: 'account', to: '/keys', icon: 'keys', scope: 'key:manage' },
  { id: 'privacy', group: 'account', to: '/privacy', icon: 'privacy', scope: 'key:manage' },
  { id: 'webhook', group: 'account', to: '/webhook', icon: 'webhook', scope: 'webhook:read' },
  { id: 'admin', group: 'account', to: '/admin', icon: 'admin', scope: 'admin' },
];

/** The entries in the bar of a phone, beside "more": nobody looks at the wall on one. */
export const IN_BAR: readonly Place['id'][] = ['now', 'feed', 'history', 'cameras'];

/** The groups in which the entries stand, with those that are shown. */
export const groupsOf = (places: readonly Place[]) =>
  (['watch', 'setUp', 'account'] as const)
    .map((group) => ({ group, entries: places.filter((place) => place.group === group) }))
    .filter(({ entries }) => entries.length > 0);

/** Whether a place of the page belongs to an entry. */
export const isWithin = (place: string, to: string): boolean =>
  to === '/' ? place === '/' || place.startsWith('/scenes') : place === to || place.startsWith(`${to}/`);
