import { z } from 'zod';

// This file and its neighbours judge what src/vision and src/metrics make, so they share no code with them.

const seconds = z.number().nonnegative();
const intervals = z.array(z.tuple([seconds, seconds.nullable()]));

/** What `npm run simulate` writes beside a video; only what a judge of visits needs. */
export const ShopTruthSchema = z.object({
  /** Left out of the classic shop. */
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

export type Span = readonly [start: number, end: number];

/** A visit as it must come out, in seconds of the video. */
export interface ExpectedVisit {
  readonly personId: number;
  readonly start: number;
  readonly end: number;
  readonly outcome: 'completed' | 'abandoned';
  readonly waitSeconds: number | null;
  readonly serviceSeconds: number | null;
  /** False where the video ends before anybody could know how the visit goes on. */
  readonly decided: boolean;
}

/** A minus B. */
export function without(spans: readonly Span[], taken: readonly Span[]): Span[] {
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
 * Debounced stays: a stay begins with a span of at least `entry` seconds and lasts until an absence of at
 * least `exit` seconds; both edges are those of the spans themselves.
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

/** From when on the video is too short to tell how a visit goes on: leaving and hand-over take this long. */
export const undecidedFrom = ({ seconds, parameters }: ShopTruth): number =>
  seconds - parameters.exitThresholdSeconds - parameters.trackingMaxAgeSeconds;

/** When people queued, by the same thresholds: who counts for the length of the queue, and when. Seconds. */
export function queueStays({ persons, parameters, seconds }: ShopTruth): Span[] {
  const thresholds = { entry: parameters.entryThresholdSeconds, exit: parameters.exitThresholdSeconds };
  const closed = (raw: readonly (readonly [number, number | null])[]): Span[] =>
    raw.map(([start, end]) => [start, end ?? seconds]);
  return persons.flatMap(({ queue, checkout }) =>
    stays(without(closed(queue), closed(checkout)), thresholds),
  );
}

/** Thresholds the scripted intervals of everybody into the visits a perfect observer would report. */
export function expectedVisits(truth: ShopTruth): ExpectedVisit[] {
  const { entryThresholdSeconds, exitThresholdSeconds, trackingMaxAgeSeconds } = truth.parameters;
  const thresholds = { entry: entryThresholdSeconds, exit: exitThresholdSeconds };
  const handOver = exitThresholdSeconds + trackingMaxAgeSeconds;
  const closed = (raw: readonly (readonly [number, number | null])[]): Span[] =>
    raw.map(([start, end]) => [start, end ?? truth.seconds]);

  return truth.persons.flatMap(({ id, queue, checkout }) => {
    const served = closed(checkout);
    // The checkout wins where zones overlap.
    const waits = stays(without(closed(queue), served), thresholds);
    const services = stays(served, thresholds);
    const used = new Set<Span>();
    const visits = waits.map(([from, to], at) => {
      const until = waits[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      const service = services.find(([start]) => start >= from && start - to <= handOver && start < until);
      if (service) used.add(service);
      return visit(id, [from, to], service);
    });
    const direct = services.filter((service) => !used.has(service)).map((s) => visit(id, undefined, s));
    return [...visits, ...direct];
  });

  function visit(personId: number, wait: Span | undefined, service: Span | undefined): ExpectedVisit {
    const end = (service ?? wait)![1];
    return {
      personId,
      start: (wait ?? service)![0],
      end,
      outcome: service ? 'completed' : 'abandoned',
      waitSeconds: wait ? (service ? service[0] : wait[1]) - wait[0] : null,
      serviceSeconds: service ? service[1] - service[0] : null,
      decided: end <= undecidedFrom(truth),
    };
  }
}
