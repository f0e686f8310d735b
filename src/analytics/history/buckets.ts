import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import { clockSpans } from '../../platform/jobs/local-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The lengths of buckets, shortest first. */
export const BUCKETS = ['1m', '5m', '15m', '30m', '1h', '3h', '6h', '1d', '1w', '1mo'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Sums are kept by the quarter of an hour after minutes and visits are removed. */
export const SHORTEST_OF_SUMS = '15m' satisfies Bucket;
export const isShorterThanSums = (bucket: Bucket): boolean =>
  BUCKETS.indexOf(bucket) < BUCKETS.indexOf(SHORTEST_OF_SUMS);

/** Usual length; buckets in which clocks change are longer or shorter. Of a month the shortest. */
const LENGTH_MS: Readonly<Record<Bucket, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '3h': 3 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1mo': 28 * DAY_MS,
};

/** Most buckets of one answer. */
export const MAX_POINTS = 1_500;
/** A bucket is chosen so that there are at most so many. */
const DEFAULT_POINTS = 400;

/** 1970-01-01 was a Thursday, the fourth day of its week. */
const MONDAY_SHIFT_MS = 3 * DAY_MS;

/** Number of the bucket that holds a local time, and the local time at which a bucket starts. */
interface Calendar {
  numberOf(localMs: number): number;
  startOf(number: number): number;
}

function calendarOf(bucket: Bucket): Calendar {
  if (bucket === '1mo') {
    return {
      numberOf: (localMs) => {
        const date = new Date(localMs);
        return date.getUTCFullYear() * 12 + date.getUTCMonth();
      },
      startOf: (number) => Date.UTC(Math.floor(number / 12), number % 12),
    };
  }
  const length = LENGTH_MS[bucket];
  const shift = bucket === '1w' ? MONDAY_SHIFT_MS : 0;
  return {
    numberOf: (localMs) => Math.floor((localMs + shift) / length),
    startOf: (number) => number * length - shift,
  };
}

/**
 * The edges of the buckets that touch `[fromMs, toMs)`, in ascending order: one more than there are buckets. Buckets follow
 * the clock on the wall. An hour that the clock repeats is two buckets; a longer bucket is a part of one local day, or whole
 * local days, and becomes longer or shorter with it.
 */
export function bucketEdges(
  bucket: Bucket,
  { fromMs, toMs, timezone }: { fromMs: number; toMs: number; timezone: string },
): number[] {
  const { numberOf, startOf } = calendarOf(bucket);
  // A bucket before and after, and the longest change of a clock (a day, at the date line).
  const marginMs = 2 * (bucket === '1mo' ? 31 * DAY_MS : LENGTH_MS[bucket]) + 2 * DAY_MS;
  const repeats = LENGTH_MS[bucket] <= HOUR_MS;
  const edges: number[] = [];
  let current: number | undefined;
  for (const span of clockSpans(timezone, fromMs - marginMs, toMs + marginMs)) {
    const startMs = span.fromMs + span.offsetMs;
    const endMs = span.toMs + span.offsetMs;
    let number = numberOf(startMs);
    if (current !== undefined) {
      // Short buckets are repeated with the clock. Longer ones never go back: the repeated time belongs to them.
      const isEdge = repeats ? number !== current || startOf(number) === startMs : number > current;
      if (!repeats) number = Math.max(number, current);
      if (isEdge) edges.push(span.fromMs);
    }
    for (let next = startOf(number + 1); next < endMs; next = startOf(number + 1)) {
      edges.push(next - span.offsetMs);
      number += 1;
    }
    current = number;
  }
  const first = edges.findLastIndex((edge) => edge <= fromMs);
  const last = edges.findIndex((edge) => edge >= toMs);
  return edges.slice(first, last + 1);
}

interface LocalRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly timezone: string;
}

/** A bucket with the edges that it gives. */
export interface Cut {
  readonly bucket: Bucket;
  readonly edges: readonly number[];
}

/** Cuts the range into buckets; undefined if there are more than so many. It never computes many more than that. */
export function cut(bucket: Bucket, range: LocalRange, points = MAX_POINTS): Cut | undefined {
  // A day of less than 24 hours, and so on, makes a few more.
  if ((range.toMs - range.fromMs) / LENGTH_MS[bucket] > points * 1.2) return undefined;
  const edges = bucketEdges(bucket, range);
  return edges.length - 1 <= points ? { bucket, edges } : undefined;
}

interface ShortestOptions {
  readonly points?: number;
  /** No bucket is shorter. */
  readonly atLeast?: Bucket;
}

/** Cuts the range into the shortest buckets of which there are at most so many; undefined if months are too short. */
export function cutShortest(
  range: LocalRange,
  { points = MAX_POINTS, atLeast = '1m' }: ShortestOptions = {},
): Cut | undefined {
  for (const bucket of BUCKETS.slice(BUCKETS.indexOf(atLeast))) {
    const found = cut(bucket, range, points);
    if (found) return found;
  }
  return undefined;
}

/** For a range whose caller named no bucket. */
export const cutByDefault = (range: LocalRange, atLeast: Bucket = '1m'): Cut | undefined =>
  cutShortest(range, { points: DEFAULT_POINTS, atLeast }) ?? cutShortest(range, { atLeast });

/** The longest range that surely fits, in words. */
export function longestRange(bucket: Bucket): string {
  // Two buckets less: a range seldom begins with a bucket.
  const hours = ((MAX_POINTS - 2) * LENGTH_MS[bucket]) / HOUR_MS;
  return hours < 72 ? `${Math.floor(hours)} hours` : `${Math.floor(hours / 24).toLocaleString('en')} days`;
}

/** The adjoining spans between edges. */
export function spansBetween(edges: readonly number[]): OpenSpan[] {
  const spans: OpenSpan[] = [];
  let fromMs: number | null = null;
  for (const toMs of edges) {
    if (fromMs !== null) spans.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return spans;
}

/** The edges of adjoining spans. */
export const edgesOf = (spans: readonly OpenSpan[]): number[] => [
  ...spans.map(({ fromMs }) => fromMs),
  ...spans.slice(-1).map(({ toMs }) => toMs),
];

/** Adjoining spans with the local time at which each begins. */
export function withLocalTimes<Span extends OpenSpan>(
  spans: readonly Span[],
  timezone: string,
): (Span & { readonly localMs: number })[] {
  const { fromMs, toMs } = spanOf(edgesOf(spans));
  return clockSpans(timezone, fromMs, toMs).flatMap((clock) =>
    spans
      .filter((span) => span.fromMs >= clock.fromMs && span.fromMs < clock.toMs)
      .map((span) => ({ ...span, localMs: span.fromMs + clock.offsetMs })),
  );
}

/** The time from the first edge to the last one; there are two or more. */
export const spanOf = (edges: readonly number[]): { readonly fromMs: number; readonly toMs: number } => ({
  fromMs: edges[0]!,
  toMs: edges.at(-1)!,
});
