import type { Span } from './match-spans.ts';

/** Seconds of the video; `to` is null where the stay lasts until the end of the video. */
export interface LabelledStay {
  readonly from: number;
  readonly to: number | null;
}

/** A visit as a person saw it. It has at least one of the two stays. */
export interface LabelledVisit {
  readonly person: string;
  readonly queue: LabelledStay | null;
  readonly service: LabelledStay | null;
}

/** The rules of a scene that decide when a visit counts. Seconds. */
export interface SceneRules {
  readonly hasCheckout: boolean;
  readonly entry: number;
  /** A visit is decided at most this long after its end: exit threshold and maximum age. */
  readonly handOver: number;
}

/** A label after the thresholds of the scene. Milliseconds; null where there is no such stay or no known end. */
export interface TrueVisit {
  readonly person: string;
  readonly queue: Span | null;
  readonly service: Span | null;
  readonly outcome: 'completed' | 'abandoned' | null;
  readonly waitMs: number | null;
  readonly serviceMs: number | null;
}

/** What a label means in a film of this many seconds. */
export function trueVisit(
  { person, queue, service }: LabelledVisit,
  seconds: number,
  { hasCheckout, entry, handOver }: SceneRules,
): TrueVisit {
  const counted = (stay: LabelledStay | null): Span | null => {
    const to = Math.min(stay?.to ?? seconds, seconds);
    return stay && to - stay.from >= entry ? [stay.from * 1000, to * 1000] : null;
  };
  const [queued, served] = [counted(queue), counted(service)];
  // The product may not know the outcome of a later visit, because the video does not show how it continues.
  const isDecided = (stay: LabelledStay | null) => (stay?.to ?? seconds) <= seconds - handOver;
  const isEndKnown = isDecided(served ? service : queue) && (queued ?? served) !== null;
  const waitedUntil = served?.[0] ?? (isDecided(queue) ? queued?.[1] : undefined);
  return {
    person,
    queue: queued,
    service: served,
    outcome: isEndKnown ? (served || !hasCheckout ? 'completed' : 'abandoned') : null,
    waitMs: queued && waitedUntil !== undefined ? waitedUntil - queued[0] : null,
    serviceMs: served && isDecided(service) ? served[1] - served[0] : null,
  };
}
