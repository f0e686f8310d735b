import { z } from 'zod';
import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';

// This folder scores what src/vision and src/metrics produce, so it shares no code with them.

const seconds = z.number().nonnegative();
const intervals = z.array(z.tuple([seconds, seconds.nullable()]));

/** The part of the truth file of `npm run simulate` that scoring visits needs. */
export const ShopTruthSchema = z.object({
  /** Absent for the classic shop. */
  scenario: z.string().optional(),
  seconds,
  zones: z.record(z.string(), z.unknown()),
  parameters: z.looseObject({
    entryThresholdSeconds: seconds,
    exitThresholdSeconds: seconds,
    trackingMaxAgeSeconds: seconds,
  }),
  persons: z.array(z.object({ id: z.number(), queue: intervals, checkout: intervals })),
});
export type ShopTruth = z.infer<typeof ShopTruthSchema>;

/** A visit as it must be reported, in seconds of the video. */
export interface ExpectedVisit {
  readonly personId: number;
  readonly start: number;
  readonly end: number;
  readonly outcome: 'completed' | 'abandoned';
  readonly waitSeconds: number | null;
  readonly serviceSeconds: number | null;
  /** False where the video ends before anybody can know how the visit continues. */
  readonly decided: boolean;
}

/** The parts of `spans` that no span of `taken` covers. */
function without(spans: readonly Span[], taken: readonly Span[]): Span[] {
  return taken.reduce<Span[]>(
    (left, [from, to]) =>
      left.flatMap(([start, end]): Span[] => {
        const before: Span[] = from > start ? [[start, Math.min(end, from)]] : [];
        const after: Span[] = to < end ? [[Math.max(start, to), end]] : [];
        return from >= end || to <= start ? [[start, end]] : [...before, ...after];
      }),
    [...spans],
  );
}

/**
 * Debounced stays. A stay begins with a span of at least `entry` seconds and lasts until an absence of at least `exit`
 * seconds. It starts and ends exactly where the spans do.
 */
export function stays(spans: readonly Span[], thresholds: { entry: number; exit: number }): Span[] {
  const found: [number, number][] = [];
  for (const [start, end] of spans) {
    const open = found.at(-1);
    if (open && start - open[1] < thresholds.exit) open[1] = end;
    else if (end - start >= thresholds.entry) found.push([start, end]);
  }
  return found;
}

/** Visits that end later may continue after the video: exit threshold and handover take this long. */
export const undecidedFrom = ({ seconds, parameters }: ShopTruth): number =>
  seconds - parameters.exitThresholdSeconds - parameters.trackingMaxAgeSeconds;

/** The stays of a visit: waiting, being served, or both. */
export interface VisitStays {
  readonly personId: number;
  readonly wait: Span | null;
  readonly service: Span | null;
  /** When the person begins to wait again; Infinity where they do not. */
  readonly nextWaitAt: number;
}

/**
 * The visits of everybody by the definitions of the product: where zones overlap, the checkout has priority; a service
 * that begins soon enough after a wait belongs to the same visit.
 * @param endsAt when spans end that are still open at the end of the script
 */
export function visitStays({ persons, parameters }: ShopTruth, endsAt: number): VisitStays[] {
  const { entryThresholdSeconds: entry, exitThresholdSeconds: exit } = parameters;
  const handOver = exit + parameters.trackingMaxAgeSeconds;
  const closed = (raw: readonly (readonly [number, number | null])[]): Span[] =>
    raw.map(([start, end]) => [start, end ?? endsAt]);
  return persons.flatMap(({ id: personId, queue, checkout }) => {
    const waits = stays(without(closed(queue), closed(checkout)), { entry, exit });
    const services = stays(closed(checkout), { entry, exit });
    const used = new Set<Span>();
    const waited = waits.map((wait, at): VisitStays => {
      const nextWaitAt = waits[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      const follows = ([start]: Span) =>
        start >= wait[0] && start - wait[1] <= handOver && start < nextWaitAt;
      const service = services.find(follows) ?? null;
      if (service) used.add(service);
      return { personId, wait, service, nextWaitAt };
    });
    const direct = services
      .filter((service) => !used.has(service))
      .map((service) => ({ personId, wait: null, service, nextWaitAt: Number.POSITIVE_INFINITY }));
    return [...waited, ...direct];
  });
}

/** The visits that a perfect observer would report. */
export const expectedVisits = (truth: ShopTruth): ExpectedVisit[] =>
  visitStays(truth, truth.seconds).map(({ personId, wait, service }) => {
    const end = (service ?? wait)![1];
    return {
      personId,
      start: (wait ?? service)![0],
      end,
      outcome: service ? 'completed' : 'abandoned',
      waitSeconds: wait && (service ? service[0] : wait[1]) - wait[0],
      serviceSeconds: service && service[1] - service[0],
      decided: end <= undecidedFrom(truth),
    };
  });
