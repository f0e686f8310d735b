/** A bucket: when it starts and ends, and how much of it was seen. */
export interface Bucket {
  readonly fromMs: number;
  readonly toMs: number;
  /** 0-100 */
  readonly coveragePercent: number;
  /** It begins in the future. */
  readonly isAhead: boolean;
  /** Nobody expects anything of it. */
  readonly isClosed?: boolean;
}

/** Below this coverage, a bucket is hatched. */
export const POOR_COVERAGE_PERCENT = 80;

interface Answer {
  readonly t: readonly string[];
  readonly to: string;
  readonly coveragePercent: readonly number[];
  /** Where closed times between the buckets are left out. */
  readonly ends?: readonly string[] | undefined;
  /** Null: nobody has said when it is open. */
  readonly openPercent?: readonly number[] | null | undefined;
}

/** The buckets of an answer of the API. */
export function bucketsOf({ t, to, coveragePercent, ends, openPercent }: Answer, nowMs: number): Bucket[] {
  const starts = t.map((start) => Date.parse(start));
  return starts.map((fromMs, at) => ({
    fromMs,
    toMs: Date.parse(ends?.[at] ?? t[at + 1] ?? to),
    coveragePercent: coveragePercent[at] ?? 0,
    isAhead: fromMs > nowMs,
    ...(openPercent?.[at] === 0 && { isClosed: true }),
  }));
}

/** The buckets side by side, as they are drawn: what is left out between them takes no room. */
export function sideBySide(buckets: readonly Bucket[]): Bucket[] {
  let nextMs = buckets[0]?.fromMs ?? 0;
  return buckets.map((bucket) => {
    const fromMs = nextMs;
    nextMs += bucket.toMs - bucket.fromMs;
    return { ...bucket, fromMs, toMs: nextMs };
  });
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Words at a place of the time axis: what is closed there. */
export interface Seam {
  readonly ms: number;
  readonly label: string;
}

/** The times with such a coverage; neighbours are one span. What lies ahead is neither seen nor missed. */
function spansWith(buckets: readonly Bucket[], holds: (coveragePercent: number) => boolean): Span[] {
  const spans: Span[] = [];
  for (const { fromMs, toMs, coveragePercent, isAhead, isClosed } of buckets) {
    if (isAhead || isClosed || !holds(coveragePercent)) continue;
    const last = spans.at(-1);
    if (last?.toMs === fromMs) spans[spans.length - 1] = { fromMs: last.fromMs, toMs };
    else spans.push({ fromMs, toMs });
  }
  return spans;
}

/** The times without a single frame, for example at night. */
export const unseenSpans = (buckets: readonly Bucket[]): Span[] =>
  spansWith(buckets, (percent) => percent === 0);

/** The times with frames, but poor coverage: their numbers say little. */
export const partlySeenSpans = (buckets: readonly Bucket[]): Span[] =>
  spansWith(buckets, (percent) => percent > 0 && percent < POOR_COVERAGE_PERCENT);

/** How much of the time with frames was seen, in percent; null without frames. Nights without analysis do not count. */
export function coverageWhileSeen(buckets: readonly Bucket[]): number | null {
  let [seen, length] = [0, 0];
  for (const { fromMs, toMs, coveragePercent, isAhead } of buckets) {
    if (isAhead || coveragePercent === 0) continue;
    seen += coveragePercent * (toMs - fromMs);
    length += toMs - fromMs;
  }
  return length === 0 ? null : seen / length;
}

/** Where values probably lie that may be wrong by so much percent; nowhere else is a band. */
export const bandsOf = (
  buckets: readonly Bucket[],
  values: readonly (number | null)[],
  errors: readonly (number | null)[],
): (Span & { readonly low: number; readonly high: number })[] =>
  buckets.flatMap(({ fromMs, toMs }, at) => {
    const [value, error] = [values[at] ?? null, errors[at] ?? null];
    if (value === null || error === null || value === 0 || error === 0) return [];
    const share = error / 100;
    return [{ fromMs, toMs, low: Math.max(0, value * (1 - share)), high: value * (1 + share) }];
  });

export const middleOf = ({ fromMs, toMs }: Span): number => (fromMs + toMs) / 2;

/** The indices of values between two gaps: a line alone would not show them. */
export const isolated = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : [],
  );

/** The bucket in which a moment lies; before the first the first, after the last the last. */
export const indexAt = (buckets: readonly Bucket[], ms: number): number =>
  Math.max(
    0,
    buckets.findLastIndex(({ fromMs }) => fromMs <= ms),
  );

/** The bucket that a key leads to; undefined for other keys. */
export function indexAfterKey(key: string, at: number, count: number): number | undefined {
  const leap = Math.max(2, Math.round(count / 10));
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at - 1,
    ArrowUp: at + 1,
    PageUp: at + leap,
    PageDown: at - leap,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to));
}

/** The smallest and the largest of all values; 0 and 0 without any. */
export function extent(series: readonly (readonly (number | null)[])[]): [smallest: number, largest: number] {
  const values = series.flat().filter((value) => value !== null);
  return [Math.min(0, ...values), Math.max(0, ...values)];
}
