import type { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { judged } from '../../src/metrics/sums.ts';
import type { Visit } from '../../src/vision/types.ts';
import { closed, inService, waiting } from './visits.ts';

export interface Person {
  /** Seconds, as all times here. */
  readonly arrivesAt: number;
  readonly waits: number;
  readonly served: number;
  readonly outcome: 'completed' | 'abandoned' | 'lost';
  /** The target when the visit is decided. */
  readonly targetSeconds?: number | null;
}

/** The states of each visit, with the times at which they are known. */
export type Steps = readonly { readonly atMs: number; readonly visit: Visit }[];

/** The ways of people as the zones would report them. */
export function path(people: readonly Person[]): Steps[] {
  return people.map(({ arrivesAt, waits, served, outcome, targetSeconds = null }, id) => {
    const queued = waiting(id, arrivesAt * 1000);
    const joined = { atMs: queued.arrivalDecidedAtMs, visit: queued };
    const leftAtMs = (arrivesAt + waits) * 1000;
    if (outcome === 'abandoned') {
      const left = { ...queued, queueLeftAtMs: leftAtMs };
      const gone = judged(closed(left, 'abandoned', leftAtMs + 7_000), targetSeconds);
      return [joined, { atMs: leftAtMs + 7_000, visit: gone }];
    }
    const service = inService(queued, leftAtMs);
    const endMs = leftAtMs + served * 1000 + 4_000;
    return [
      joined,
      { atMs: leftAtMs + 3_000, visit: service },
      { atMs: endMs, visit: judged(closed(service, outcome, endMs), targetSeconds) },
    ];
  });
}

export interface WalkOptions {
  readonly everyMs: number;
  readonly lastMs: number;
  /** Called before each frame at a multiple of `everyMs`. */
  readonly look: (timeMs: number) => void;
  readonly changed?: (visit: Visit) => void;
}

/** Plays the visits into metrics, one frame a second from 0. */
export function walkInto(metrics: QueueMetrics, visits: readonly Steps[], options: WalkOptions): void {
  const { everyMs, lastMs, look, changed } = options;
  const steps = visits.flat().toSorted((a, b) => a.atMs - b.atMs);
  const open = new Map<number, Visit>();
  let next = 0;
  for (let timeMs = 0; timeMs <= lastMs; timeMs += 1000) {
    if (timeMs > 0 && timeMs % everyMs === 0) look(timeMs);
    const changes: Visit[] = [];
    for (; next < steps.length && steps[next]!.atMs <= timeMs; next++) {
      const { visit } = steps[next]!;
      changes.push(visit);
      changed?.(visit);
      if (visit.state === 'closed') open.delete(visit.id);
      else open.set(visit.id, visit);
    }
    metrics.observe({ timeMs, changes, openVisits: [...open.values()] });
  }
}
