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
  /** The place is shown to who has this scope. */
  readonly scope: Scope;
}

/** The entries of the navigation; the first four stand in the bar of a phone. */
export const PLACES: readonly Place[] = [
  { id: 'now', to: '/', icon: 'now', scope: 'analytics:read' },
  { id: 'feed', to: '/feed', icon: 'feed', scope: 'analytics:read' },
  { id: 'history', to: '/history', icon: 'history', scope: 'analytics:read' },
  { id: 'cameras', to: '/cameras', icon: 'cameras', scope: 'device:read' },
  { id: 'wall', to: '/wall', icon: 'wall', scope: 'analytics:read' },
  { id: 'rules', to: '/rules', icon: 'rules', scope: 'alert:read' },
  { id: 'recordings', to: '/recordings', icon: 'recordings', scope: 'device:read' },
  { id: 'notify', to: '/notifications', icon: 'notify', scope: 'alert:write' },
  { id: 'usage', to: '/usage', icon: 'usage', scope: 'billing:read' },
  { id: 'webhook', to: '/webhook', icon: 'webhook', scope: 'webhook:read' },
  { id: 'keys', to: '/keys', icon: 'keys', scope: 'key:manage' },
  { id: 'privacy', to: '/privacy', icon: 'privacy', scope: 'key:manage' },
  { id: 'admin', to: '/admin', icon: 'admin', scope: 'admin' },
];

/** How many entries stand in the bar of a phone, beside "more". */
export const IN_BAR = 4;

/** Whether a place of the page belongs to an entry. */
export const isWithin = (place: string, to: string): boolean =>
  to === '/' ? place === '/' || place.startsWith('/scenes') : place === to || place.startsWith(`${to}/`);
