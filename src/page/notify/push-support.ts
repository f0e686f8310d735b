/** What a browser says about itself. */
export interface BrowserFacts {
  /** https, or the own machine. */
  readonly isSecure: boolean;
  readonly hasServiceWorker: boolean;
  readonly hasPush: boolean;
  readonly permission: 'default' | 'granted' | 'denied';
  readonly isApplePhone: boolean;
  /** Opened from the home screen. */
  readonly isInstalled: boolean;
}

/** Whether messages can come to a browser, or what is in the way. */
export type PushSupport = 'ready' | 'plainHttp' | 'installFirst' | 'blocked' | 'impossible';

export function pushSupport(facts: BrowserFacts): PushSupport {
  if (!facts.isSecure) return 'plainHttp';
  // Apple's phones have Web Push only in pages on the home screen.
  if (facts.isApplePhone && !facts.isInstalled) return 'installFirst';
  if (!facts.hasServiceWorker || !facts.hasPush) return 'impossible';
  return facts.permission === 'denied' ? 'blocked' : 'ready';
}
