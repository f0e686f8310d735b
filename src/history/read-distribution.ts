import { isMeasured } from '../metrics/measured.ts';
import { average, round } from '../metrics/metrics.ts';
import type { Context } from '../platform/context.ts';
import { coveragePercent } from './coverage.ts';
import {
  countDurations,
  countQueueMinutes,
  type DurationCount,
  type DurationKind,
} from './distribution.store.ts';
import { entryOf } from './group-metrics.ts';
import type { Range } from './range.ts';
import type { HistoryScope } from './scope.store.ts';

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

export interface Distribution {
  readonly coveragePercent: number;
  /** Null where the zones of no scene measure it. */
  readonly waits: Durations | null;
  readonly services: Durations | null;
  readonly abandonedWaits: Durations | null;
  readonly queue: {
    readonly minutesMeasured: number;
    readonly levels: { minQueueLength: number; minutesByAverage: number; minutesByMaximum: number }[];
  } | null;
}

/** The metric whose zones each part needs. */
const NEEDS = { wait: 'waitCount', service: 'serviceCount', abandonedWait: 'abandonedWaitCount' } as const;

export async function readDistribution(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes }: HistoryScope,
  query: DistributionQuery,
): Promise<Distribution> {
  const { fromMs, toMs, edges, longerThanSeconds: limits, minQueueLength: lengths } = query;
  const sceneIds = scenes.map(({ id }) => id);
  const [counts, minutes] = await Promise.all([
    countDurations(db, sceneIds, { fromMs, toMs, edges, limits }),
    countQueueMinutes(db, sceneIds, { fromMs, toMs, lengths }),
  ]);
  const measures = (name: Parameters<typeof entryOf>[0]) =>
    scenes.some(({ zones }) => isMeasured(entryOf(name), zones));
  const durations = (kind: DurationKind): Durations | null => {
    const ofKind = counts.filter((row) => row.kind === kind);
    // What was measured under earlier zones stays.
    return ofKind.length > 0 || measures(NEEDS[kind]) ? durationsOf(ofKind, query) : null;
  };
  const elapsedMs = Math.min(toMs, clock.now().getTime()) - fromMs;
  return {
    coveragePercent: coveragePercent(minutes.leastCoveredMs, elapsedMs),
    waits: durations('wait'),
    services: durations('service'),
    abandonedWaits: durations('abandonedWait'),
    queue: measures('avgInQueue')
      ? {
          minutesMeasured: minutes.measured,
          levels: lengths.map((minQueueLength, at) => ({
            minQueueLength,
            minutesByAverage: minutes.byAverage[at]!,
            minutesByMaximum: minutes.byMaximum[at]!,
          })),
        }
      : null,
  };
}

function durationsOf(
  rows: readonly DurationCount[],
  { edges, longerThanSeconds }: Pick<DistributionQuery, 'edges' | 'longerThanSeconds'>,
): Durations {
  const all = rows.find(({ bin, exceeded }) => bin === null && exceeded === null);
  const count = all?.count ?? 0;
  const inBin = (at: number) => rows.find(({ bin }) => bin === at)?.count ?? 0;
  const above = (limits: number) =>
    rows.reduce((sum, row) => (row.exceeded !== null && row.exceeded >= limits ? sum + row.count : sum), 0);
  return {
    count,
    avgSeconds: average(all?.sum ?? 0, count),
    p50Seconds: all ? round(all.p50) : null,
    p90Seconds: all ? round(all.p90) : null,
    maxSeconds: all ? round(all.max) : null,
    bins: [0, ...edges].map((fromSeconds, at) => ({
      fromSeconds,
      toSeconds: edges[at] ?? null,
      count: inBin(at),
    })),
    longerThan: longerThanSeconds.map((seconds, at) => ({
      seconds,
      count: above(at + 1),
      share: average(above(at + 1), count),
    })),
  };
}
