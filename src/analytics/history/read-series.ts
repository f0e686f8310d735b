import { openIn } from '../../cameras/sites/open-hours.ts';
import type { HistoryName } from '../../catalogue/metrics/all.ts';
import { percentOf } from '../../catalogue/metrics/arithmetic.ts';
import { type NoError, whyNoError } from '../../catalogue/metrics/expected-error.ts';
import { invalidField } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  type Bucket,
  type Cut,
  cut,
  cutByDefault,
  cutShortest,
  isShorterThanSums,
  longestRange,
  MAX_POINTS,
  SHORTEST_OF_SUMS,
  spanOf,
  spansBetween,
} from './buckets.ts';
import { GROUP_METRIC_NAMES, type GroupValues, groupMetrics } from './group-metrics.ts';
import type { HistoryScope } from './history-scope.store.ts';
import { findKeptSince } from './kept-since.store.ts';
import { lengthsOf, onlyOpen, openPercents } from './open-hours.ts';
import { readGroups } from './read-groups.ts';

/** What the caller asks for: a range that is not empty. */
export interface SeriesQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucket: Bucket | undefined;
  readonly timezone: string;
}

/** A bucket with its metrics. */
export type SeriesPoint = Readonly<GroupValues> & {
  readonly t: string;
  readonly coveragePercent: number;
  /** The bucket has not ended. */
  readonly isUnfinished: boolean;
  /** Why there is no expected error; null where there is one. */
  readonly expectedErrorReason: NoError | null;
  /** Share of it that is open; null where nobody has said. */
  readonly openPercent: number | null;
};

export interface Series {
  readonly bucket: Bucket;
  readonly timezone: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly points: readonly SeriesPoint[];
}

/**
 * The metrics of the scenes in each bucket that touches the range.
 * @throws ApiError INVALID_DATE_RANGE when the range has more points than an answer may have
 */
export async function readSeries(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: HistoryScope,
  query: SeriesQuery,
): Promise<Series> {
  const sceneIds = scenes.map(({ id }) => id);
  const { bucket, edges } = await requireCut(db, sceneIds, query);
  const groups = spansBetween(edges);
  const all = groups.map((span, group) => ({ ...span, group }));
  const open = openIn(hours, spanOf(edges));
  const spans = onlyOpen(all, open);
  const buckets = await readGroups(db, sceneIds, { groups, spans });
  const nowMs = clock.now().getTime();
  const elapsed = lengthsOf(spans, nowMs);
  const openPercent = openPercents(all, open && spans);
  const hasLine = scenes.some(({ zones }) => zones.queueZone !== undefined);
  const metricsOf = groupMetrics(scenes.map(({ zones }) => zones));
  return {
    bucket,
    timezone: query.timezone,
    ...spanOf(edges),
    points: buckets.map(({ fromMs, toMs, sums }, at) => ({
      t: new Date(fromMs).toISOString(),
      coveragePercent: percentOf(sums.leastCoveredMs, elapsed(at)),
      isUnfinished: fromMs <= nowMs && nowMs < toMs,
      ...metricsOf(sums),
      expectedErrorReason: hasLine ? whyNoError(sums) : 'noQueueZone',
      openPercent: openPercent?.(at) ?? null,
    })),
  };
}

export async function requireCut(
  db: Db,
  sceneIds: readonly string[],
  { bucket, ...range }: SeriesQuery,
): Promise<Cut> {
  const fitting = bucket ? cut(bucket, range) : cutByDefault(range);
  if (fitting && !isShorterThanSums(fitting.bucket)) return fitting;
  const { fineSinceMs } = await findKeptSince(db, sceneIds);
  const hasFine = range.fromMs >= fineSinceMs;
  if (fitting && hasFine) return fitting;
  if (!hasFine && bucket && isShorterThanSums(bucket)) throw onlySums(range, fineSinceMs);
  const atLeast = hasFine ? undefined : SHORTEST_OF_SUMS;
  const longer = !bucket && cutByDefault(range, atLeast);
  if (longer) return longer;
  const shortest = cutShortest(range, { ...(atLeast && { atLeast }) });
  const longest = `a range of at most ${longestRange(bucket ?? '1mo')}`;
  const message = `is too short for this range: an answer has at most ${MAX_POINTS.toLocaleString('en')} points. Use ${
    shortest ? `bucket=${shortest.bucket}, or ${longest}` : longest
  }`;
  throw invalidField('bucket', message, 'INVALID_DATE_RANGE');
}

/** Shorter buckets of a time of which only sums are left. */
function onlySums(range: Omit<SeriesQuery, 'bucket'>, fineSinceMs: number) {
  const longer = cutShortest(range, { atLeast: SHORTEST_OF_SUMS });
  const since = new Date(fineSinceMs).toISOString();
  const message = `is too short for times before ${since}: of them only sums of 15 minutes are kept. Use bucket=${
    longer?.bucket ?? SHORTEST_OF_SUMS
  }, or a range that begins then or later`;
  return invalidField('bucket', message, 'INVALID_DATE_RANGE');
}

/** The points as columns: one list for each field. */
export const columnsOf = (points: readonly SeriesPoint[]) => ({
  t: points.map(({ t }) => t),
  coveragePercent: points.map(({ coveragePercent }) => coveragePercent),
  expectedErrorReason: points.map(({ expectedErrorReason }) => expectedErrorReason),
  ...(Object.fromEntries(
    GROUP_METRIC_NAMES.map((name) => [name, points.map((point) => point[name])]),
  ) as Record<HistoryName, (number | null)[]>),
  openPercent: points.some(({ openPercent }) => openPercent !== null)
    ? points.map(({ openPercent }) => openPercent ?? 0)
    : null,
});
