import type { Reader } from '../../../catalogue/words/value.ts';

export type Seen = 'person' | 'vehicle';

/** What the built-in writer says, in one language. Values and times are in words already. */
export interface InsightWords extends Reader {
  /** Sentences about how long the conditions hold. @param lasted null where they have just begun */
  readonly held: {
    /** The value was above its limit before the rule looked. */
    before(time: string, lasted: string | null): string;
    since(which: 'one' | 'all' | 'any', time: string, lasted: string | null): string;
  };
  /** Comparisons with the value that is usual at this hour. */
  usual(value: string, days: number): string;
  readonly compared: {
    times(factor: string): string;
    only(percent: string): string;
    readonly same: string;
  };
  lastHour(value: string): string;
  /** @param longest null where nobody waits */
  waiting(count: number, seen: Seen, longest: string | null): string;
  served(count: number, seen: Seen): string;
  inService(count: number): string;
  /** @param isServed false where the scene has only a queue, which people leave */
  recent(counts: { arrivals: number; completed: number; gaveUp: number }, isServed: boolean): string;
  readonly activities: {
    waiting(count: number, seen: Seen): string;
    served(count: number, seen: Seen): string;
    gaveUp(count: number, seen: Seen): string;
    growing(isServed: boolean): string;
  };
  readonly suggestions: Readonly<
    Record<
      | 'checkCamera'
      | 'whyNobodyServed'
      | 'sendStaff'
      | 'otherWork'
      | 'askCheckout'
      | 'openIfGrowing'
      | 'serveWaiting'
      | 'openCheckout'
      | 'speakToLine'
      | 'lookAgain',
      string
    >
  >;
  environment(at: 'both' | 'checkout' | 'queue', seen: Seen): string;
}
