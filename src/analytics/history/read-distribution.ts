import { openIn } from '../../cameras/sites/open-hours.ts';
import { openWithin } from '../../catalogue/hours/opening-hours.ts';
import { average, percentOf, round } from '../../catalogue/metrics/arithmetic.ts';
import { DURATIONS } from '../../catalogue/metrics/counted.ts';
import { type NoError, whyNoError } from '../../catalogue/metrics/expected-error.ts';
import { QUEUE, type ZoneName } from '../../catalogue/metrics/needed-zones.ts';
import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import { type DistributionName, DURATION_NAMES, type DurationName } from '../../catalogue/metrics/sums.ts';
import { isMeasured } from '../../metrics/measured-by-zones.ts';
import { NO_TIME, NO_VISITS } from '../../metrics/sums.ts';
import type { Context } from '../../platform/context.ts';
import {
  countQueueMinutes,
  countVisits,
  type DurationTotal,
  type QueueMinutes,
  sumDurations,
  type VisitCounts,
} from './distribution.store.ts';
import { ERROR_NAMES, type GroupValues, someGroupMetrics } from './group-metrics.ts';
import { countArrivals, sumOccupancy } from './group-sums.store.ts';
import type { HistoryScope } from './history-scope.store.ts';
import { findKeptSince } from './kept-since.store.ts';
import { onlyOpen } from './open-hours.ts';
import type { Range } from './range.ts';

/** What the caller asks for; all lists are ascending. */
export interface DistributionQuery extends Range {
  /** Lower edges of the bins from the second on; the first begins at 0. Seconds. */
  readonly edges: readonly number[];
  readonly longerThanSeconds: readonly number[];
  readonly minQueueLength: readonly number[];
}

export interface Durations {
  readonly count: number;
  readonly avgSeconds: number | null;
  readonly p50Seconds: number | null;
  readonly p90Seconds: number | null;
  readonly maxSeconds: number | null;
  readonly bins: { fromSeconds: number; toSeconds: number | null; count: number }[];
  readonly longerThan: { seconds: number; count: number; share: number | null }[];
}

export interface Distribution extends Range {
  readonly coveragePercent: number;
  readonly errors: Pick<GroupValues, (typeof ERROR_NAMES)[number]> & {
    /** Why there is no expected error; null where there is one. */
    readonly expectedErrorReason: NoError | null;
  };
  /** Null where the zones of no scene measure it. */
  readonly durations: Readonly<Record<DistributionName, Durations | null>>;
  /** Null where no visit had a target. */
  readonly serviceLevel: (Omit<VisitCounts, 'lost'> & { readonly level: number | null }) | null;
  readonly queue: {
    readonly minutesMeasured: number;
    readonly levels: { minQueueLength: number; minutesByAverage: number; minutesByMaximum: number }[];
  } | null;
}

/** Times of which only sums are left count by whole quarters of an hour: the range becomes longer. */
function wholeQuarters({ fromMs, toMs }: Range, fineSinceMs: number): Range {
  const isFine = (ms: number) => ms >= fineSinceMs;
  return {
    fromMs: isFine(fromMs) ? fromMs : Math.floor(fromMs / QUARTER_MS) * QUARTER_MS,
    toMs: isFine(toMs) ? toMs : quarterEnd(toMs),
  };
}

const quarterEnd = (ms: number): number => Math.ceil(ms / QUARTER_MS) * QUARTER_MS;

export async function readDistribution(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: HistoryScope,
  query: DistributionQuery,
): Promise<Distribution> {
  const { edges, longerThanSeconds: limits, minQueueLength: lengths } = query;
  const sceneIds = scenes.map(({ id }) => id);
  const kept = await findKeptSince(db, sceneIds);
  const { fromMs, toMs } = wholeQuarters(query, kept.fineSinceMs);
  const open = openIn(hours, { fromMs, toMs });
  // People of several scenes are summed minute by minute.
  const hasMinutes = scenes.length === 1 || fromMs >= kept.minutesSinceMs;
  // Sums of people are read from minutes or from quarters: from these where some of the minutes are removed.
  const end = fromMs < kept.fineSinceMs ? quarterEnd(toMs) : toMs;
  const { metrics, valuesOf } = someGroupMetrics(
    ERROR_NAMES,
    scenes.map(({ zones }) => zones),
  );
  const summed = { spans: onlyOpen([{ fromMs, toMs: end, group: 0 }], open), metrics };
  const [totals, { lost, ...level }, minutes, [people], [entries]] = await Promise.all([
    sumDurations(db, sceneIds, { fromMs, toMs, open, edges, limits }),
    countVisits(db, sceneIds, { fromMs, toMs, open }),
    countQueueMinutes(db, sceneIds, { fromMs, toMs, open, lengths }),
    sumOccupancy(db, sceneIds, summed),
    countArrivals(db, sceneIds, summed),
  ]);
  const sums = { ...NO_TIME, ...NO_VISITS, ...people, arrivals: entries?.arrivals ?? 0, lost };
  const measures = (zones: readonly ZoneName[]) => scenes.some((scene) => isMeasured({ zones }, scene.zones));
  const durations = (kind: DurationName): Durations | null => {
    const total = totals.find((row) => row.kind === kind);
    // What was measured under earlier zones stays.
    return total || measures(DURATIONS[kind].zones) ? durationsOf(total, query) : null;
  };
  const untilMs = Math.min(toMs, clock.now().getTime());
  const elapsedMs = open ? openWithin(open, { fromMs, toMs: untilMs }) : untilMs - fromMs;
  return {
    ...{ fromMs, toMs },
    coveragePercent: percentOf(minutes.leastCoveredMs, elapsedMs),
    errors: {
      ...valuesOf(sums),
      expectedErrorReason: measures(['queueZone']) ? whyNoError(sums) : 'noQueueZone',
    },
    durations: Object.fromEntries(
      DURATION_NAMES.map((kind) => [DURATIONS[kind].distribution.name, durations(kind)]),
    ) as Distribution['durations'],
    serviceLevel: levelOf(level),
    queue:
      measures(QUEUE) && hasMinutes
        ? {
            minutesMeasured: sumOf(minutes.levels, () => true),
            levels: lengths.map((minQueueLength, at) => ({
              minQueueLength,
              minutesByAverage: sumOf(minutes.levels, ({ average }) => average > at),
              minutesByMaximum: sumOf(minutes.levels, ({ maximum }) => maximum > at),
            })),
          }
        : null,
  };
}

function levelOf(counts: Omit<VisitCounts, 'lost'>): Distribution['serviceLevel'] {
  const { inTime, late, gaveUpLate, gaveUpEarly } = counts;
  const judged = inTime + late + gaveUpLate;
  return judged + gaveUpEarly === 0 ? null : { ...counts, level: average(inTime, judged) };
}

const sumOf = (
  levels: QueueMinutes['levels'],
  isCounted: (level: QueueMinutes['levels'][number]) => boolean,
) => levels.reduce((sum, level) => (isCounted(level) ? sum + level.minutes : sum), 0);

function durationsOf(
  total: DurationTotal | undefined,
  { edges, longerThanSeconds }: Pick<DistributionQuery, 'edges' | 'longerThanSeconds'>,
): Durations {
  const counts = total?.counts ?? [];
  const countOf = (isCounted: (row: (typeof counts)[number]) => boolean) =>
    counts.reduce((sum, row) => (isCounted(row) ? sum + row.count : sum), 0);
  const all = countOf(() => true);
  return {
    count: all,
    avgSeconds: average(total?.sum ?? 0, all),
    p50Seconds: total ? round(total.p50) : null,
    p90Seconds: total ? round(total.p90) : null,
    maxSeconds: total ? round(total.max) : null,
    bins: [0, ...edges].map((fromSeconds, at) => ({
      fromSeconds,
      toSeconds: edges[at] ?? null,
      count: countOf(({ bin }) => bin === at),
    })),
    longerThan: longerThanSeconds.map((seconds, at) => {
      const longer = countOf(({ exceeded }) => exceeded > at);
      return { seconds, count: longer, share: average(longer, all) };
    }),
  };
}
