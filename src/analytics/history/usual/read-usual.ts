import { openIn } from '../../../cameras/sites/open-hours.ts';
import { percentOf } from '../../../catalogue/metrics/arithmetic.ts';
import type { Db } from '../../../platform/database/db.ts';
import { clockSpans } from '../../../platform/jobs/local-clock.ts';
import { bucketEdges, spanOf, spansBetween } from '../buckets.ts';
import { someGroupMetrics } from '../group-metrics.ts';
import type { HistoryScope } from '../history-scope.store.ts';
import { lengthsOf, onlyOpen } from '../open-hours.ts';
import { readGroups } from '../read-groups.ts';
import type { Series } from '../read-series.ts';
import { type Band, USUAL_NAMES, type UsualName, type UsualValues, usualBands } from './usual-bands.ts';

/** Weeks before a bucket that say what is usual. */
export const USUAL_WEEKS = 6;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const HOUR_MS = 3_600_000;
/** What was seen for less of its time says nothing. */
const LEAST_COVERAGE = 80;

export const NO_USUAL = ['learning', 'longBucket'] as const;

export type Usual = Record<UsualName, Band> & { readonly reason: (typeof NO_USUAL)[number] | null };

/**
 * The usual band of each bucket of a series: from the open time of the same bucket of the weeks before, by the clock on the wall. A bucket
 * that is closed has none.
 */
export async function readUsual(db: Db, { scenes, hours }: HistoryScope, series: Series): Promise<Usual> {
  const { bucket, timezone, points } = series;
  if (bucket === '1w' || bucket === '1mo')
    return { ...usualBands(points.map(() => [])), reason: 'longBucket' };
  const starts = points.map(({ t }) => Date.parse(t));
  const spans = clockSpans(timezone, series.fromMs - (USUAL_WEEKS * WEEK_MS + 3 * DAY_MS), series.toMs);
  const localOf = localClock(spans);
  const past = new Map<number, UsualValues>();
  const sceneIds = scenes.map(({ id }) => id);
  const { metrics, valuesOf } = someGroupMetrics(
    USUAL_NAMES,
    scenes.map(({ zones }) => zones),
  );
  for (const span of pastSpans(series)) {
    const before = bucketEdges(bucket, { ...span, timezone });
    const groups = spansBetween(before);
    const all = groups.map((one, group) => ({ ...one, group }));
    const spans = onlyOpen(all, openIn(hours, spanOf(before)));
    const lengthOf = lengthsOf(spans);
    const read = await readGroups(db, sceneIds, { groups, spans, metrics });
    for (const [at, { fromMs, sums }] of read.entries()) {
      const local = localOf(fromMs);
      // Of an hour that the clock repeats, the first counts.
      if (past.has(local) || percentOf(sums.leastCoveredMs, lengthOf(at)) < LEAST_COVERAGE) continue;
      past.set(local, valuesOf(sums));
    }
  }
  const weeks = spansBetween([...starts, series.toMs]).map(({ fromMs, toMs }, at) => {
    if (points[at]?.openPercent === 0) return [];
    const local = localOf(fromMs);
    const length = toMs - fromMs;
    return Array.from({ length: USUAL_WEEKS }, (_, week) => {
      const then = local - (week + 1) * WEEK_MS;
      const own = past.get(then) ?? null;
      const beside =
        length > HOUR_MS ? [] : [then - length, then + length].flatMap((near) => past.get(near) ?? []);
      return { own, beside };
    });
  });
  const bands = usualBands(weeks);
  const isKnown = Object.values(bands).some(({ low }) => low.some((value) => value !== null));
  return { ...bands, reason: isKnown ? null : 'learning' };
}

/** The same times of the weeks before, the earliest first; where they touch, they are one span. */
function pastSpans({ fromMs, toMs }: Series): { readonly fromMs: number; readonly toMs: number }[] {
  // The clock may have changed since, and the buckets beside count too.
  const marginMs = HOUR_MS;
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let week = USUAL_WEEKS; week >= 1; week--) {
    const [from, to] = [fromMs - week * WEEK_MS - marginMs, toMs - week * WEEK_MS + marginMs];
    const last = spans.at(-1);
    if (last && last.toMs >= from) last.toMs = to;
    else spans.push({ fromMs: from, toMs: to });
  }
  return spans;
}

function localClock(spans: ReturnType<typeof clockSpans>): (ms: number) => number {
  return (ms) => ms + (spans.find(({ toMs }) => ms < toMs) ?? spans.at(-1)!).offsetMs;
}
