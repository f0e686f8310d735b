import { openIn } from '../../../cameras/sites/open-hours.ts';
import { openWithin } from '../../../catalogue/hours/opening-hours.ts';
import { average, rounded } from '../../../catalogue/metrics/arithmetic.ts';
import { QUARTER_MS, QUARTER_SECONDS } from '../../../catalogue/metrics/quarter.ts';
import { decodeSpans, stateOf, sumsOf, type TillSums } from '../../../metrics/tills/encode-spans.ts';
import { type TillWindow, tillWindow } from '../../../metrics/tills/till-numbers.ts';
import type { Context } from '../../../platform/context.ts';
import type { TillState } from '../../../vision/tills/till-state.ts';
import { type Bucket, spanOf } from '../buckets.ts';
import type { HistoryScope } from '../history-scope.store.ts';
import { requireCut, type SeriesQuery } from '../read-series.ts';
import {
  findSpans,
  type OpenBuckets,
  sumKnown,
  sumServices,
  sumTills,
  type TillServicesRow,
  type TillSpansRow,
  type TillSumsRow,
} from './tills.store.ts';

/** The states of a longer range are told by the bucket alone: a day and the hour by which it may be longer. */
const LONGEST_SPANS_MS = 25 * 3_600_000;
/** The whole range, among the numbers of buckets. */
const WHOLE = -1;

export interface TillBucket {
  readonly name: string;
  readonly services: number;
  readonly avgServiceSeconds: number | null;
  readonly p90ServiceSeconds: number | null;
  readonly servingSeconds: number;
  readonly freeSeconds: number;
  readonly closedSeconds: number;
  readonly unknownSeconds: number;
  /** Serving ÷ open time. */
  readonly utilization: number | null;
}

export interface TillSpan {
  readonly state: TillState;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ReadTill {
  readonly tillId: string;
  /** Of the whole range. */
  readonly total: TillBucket;
  readonly buckets: readonly TillBucket[];
  /** Null where the range is too long. */
  readonly spans: readonly TillSpan[] | null;
}

export interface ReadTills {
  readonly bucket: Bucket;
  readonly timezone: string;
  readonly edges: readonly number[];
  readonly unfinishedIndex: number | null;
  readonly total: TillWindow;
  readonly buckets: readonly TillWindow[];
  readonly tills: readonly ReadTill[];
}

type BucketSums = Omit<TillSumsRow, 'lastMs'>;

interface Sums {
  /** The name is the last one in the bucket. */
  readonly rows: readonly BucketSums[];
  /** Seconds with known states, by bucket. */
  readonly known: ReadonlyMap<number, number>;
}

/** The states and services of the tills of a scene. @throws ApiError INVALID_DATE_RANGE as `readSeries` */
export async function readTills(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: HistoryScope,
  query: SeriesQuery,
): Promise<ReadTills> {
  const { id, zones } = scenes[0]!;
  const { bucket, edges } = await requireCut(db, [id], query);
  const range = spanOf(edges);
  const open = openIn(hours, range);
  const isShort = range.toMs - range.fromMs <= LONGEST_SPANS_MS;
  const isByQuarter = edges.every((edge) => edge % QUARTER_MS === 0);
  const [spans, services, quarters] = await Promise.all([
    isShort || !isByQuarter ? findSpans(db, id, range) : null,
    sumServices(db, id, { edges, open }),
    isByQuarter ? sumsOfQuarters(db, id, { edges, open }) : null,
  ]);
  // It opens and closes at quarters of an hour.
  const counted = spans?.filter(
    ({ quarterMs }) => !open || openWithin(open, { fromMs: quarterMs, toMs: quarterMs + 1 }) > 0,
  );
  const sums = quarters ?? sumsOfSpans(counted!, edges);
  const nowMs = clock.now().getTime();
  const lengthOf = (at: number): number => {
    const [fromMs, toMs] = at === WHOLE ? [range.fromMs, range.toMs] : [edges[at]!, edges[at + 1]!];
    const untilMs = Math.min(toMs, nowMs);
    return Math.max(0, open ? openWithin(open, { fromMs, toMs: untilMs }) : untilMs - fromMs) / 1000;
  };
  const numbers = Array.from({ length: edges.length - 1 }, (_, at) => at);
  const order = (zones.tills ?? []).map((till) => till.id);
  const found = [...sums.rows, ...services].map(({ tillId }) => tillId).sort();
  const ids = [...new Set([...order, ...found])];
  const names = new Map((zones.tills ?? []).map((till) => [till.id, till.name]));
  const unfinished = numbers.find((at) => edges[at]! <= nowMs && nowMs < edges[at + 1]!);
  const byKey = <Row extends { bucket: number; tillId: string }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [`${row.bucket} ${row.tillId}`, row]));
  const [sumOf, servicesOf] = [byKey(sums.rows), byKey(services)];
  const windowAt = (at: number): TillWindow => {
    const known = sums.known.get(at) ?? 0;
    const all = ids.flatMap((tillId) => sumOf.get(`${at} ${tillId}`) ?? []);
    const sum = (name: keyof BucketSums) => all.reduce((total, row) => total + (row[name] as number), 0);
    return tillWindow(
      {
        ...{ servingSeconds: sum('servingSeconds'), freeSeconds: sum('freeSeconds') },
        ...{ closedSeconds: sum('closedSeconds'), lostSeconds: sum('lostSeconds') },
      },
      known,
    );
  };
  return {
    ...{ bucket, timezone: query.timezone, edges, unfinishedIndex: unfinished ?? null },
    total: windowAt(WHOLE),
    buckets: numbers.map(windowAt),
    tills: ids.map((tillId) => {
      const whole = sumOf.get(`${WHOLE} ${tillId}`);
      const name = whole?.name ?? names.get(tillId) ?? tillId;
      const at = (bucketAt: number) =>
        tillBucket(name, lengthOf(bucketAt), {
          sums: sumOf.get(`${bucketAt} ${tillId}`),
          services: servicesOf.get(`${bucketAt} ${tillId}`),
        });
      const own = spans?.filter((row) => row.tillId === tillId) ?? [];
      return {
        ...{ tillId, total: at(WHOLE), buckets: numbers.map(at) },
        spans: isShort ? spansOf(own, { ...range, toMs: Math.min(range.toMs, nowMs) }) : null,
      };
    }),
  };
}

function tillBucket(
  name: string,
  length: number,
  { sums, services }: { sums: BucketSums | undefined; services: TillServicesRow | undefined },
): TillBucket {
  const { servingSeconds = 0, freeSeconds = 0, closedSeconds = 0 } = sums ?? {};
  return {
    name: sums?.name ?? name,
    services: services?.services ?? 0,
    avgServiceSeconds: rounded(services?.avgServiceSeconds ?? null),
    p90ServiceSeconds: rounded(services?.p90ServiceSeconds ?? null),
    ...{ servingSeconds, freeSeconds, closedSeconds },
    utilization: average(servingSeconds, servingSeconds + freeSeconds),
    unknownSeconds: Math.max(0, Math.round(length) - servingSeconds - freeSeconds - closedSeconds),
  };
}

async function sumsOfQuarters(db: Context['db'], id: string, buckets: OpenBuckets): Promise<Sums> {
  const [named, known] = await Promise.all([sumTills(db, id, buckets), sumKnown(db, id, buckets)]);
  const sums = new Map<string, BucketSums>();
  // The newest first: its name is that of the till in the bucket, and in the whole range.
  for (const row of named.toSorted((a, b) => b.lastMs - a.lastMs)) {
    for (const bucket of [row.bucket, WHOLE]) {
      const key = `${bucket} ${row.tillId}`;
      const newer = sums.get(key);
      sums.set(key, newer ? { ...newer, ...added(newer, row) } : { ...row, bucket });
    }
  }
  const byBucket = new Map(known.map((row) => [row.bucket, row.known]));
  byBucket.set(
    WHOLE,
    known.reduce((all, row) => all + row.known, 0),
  );
  return { rows: [...sums.values()], known: byBucket };
}

const added = (a: TillSums, b: TillSums): TillSums => ({
  servingSeconds: a.servingSeconds + b.servingSeconds,
  freeSeconds: a.freeSeconds + b.freeSeconds,
  closedSeconds: a.closedSeconds + b.closedSeconds,
  lostSeconds: a.lostSeconds + b.lostSeconds,
});

/** For buckets that are shorter than a quarter of an hour. */
function sumsOfSpans(spans: readonly TillSpansRow[], edges: readonly number[]): Sums {
  const rows: BucketSums[] = [];
  const known = new Map<number, number>();
  const ids = [...new Set(spans.map(({ tillId }) => tillId))];
  for (const tillId of ids) {
    const own = spans.filter((row) => row.tillId === tillId);
    const codes = Array.from({ length: edges.length - 1 }, (): number[] => []);
    const names = codes.map((): string | null => null);
    let at = 0;
    for (const { quarterMs, name, spans: stored } of own) {
      codesOf(stored).forEach((code, second) => {
        const timeMs = quarterMs + second * 1000;
        while (at < codes.length - 1 && timeMs >= edges[at + 1]!) at++;
        if (timeMs < edges[at]! || timeMs >= edges[at + 1]!) return;
        codes[at]!.push(code);
        names[at] = name;
      });
    }
    codes.forEach((ofBucket, bucket) => {
      const sums = sumsOf(ofBucket);
      if (names[bucket] !== null) rows.push({ ...{ bucket, tillId, name: names[bucket]! }, ...sums });
      const all = sums.servingSeconds + sums.freeSeconds + sums.closedSeconds;
      known.set(bucket, Math.max(known.get(bucket) ?? 0, all));
    });
    const name = own.at(-1)!.name;
    rows.push({ ...{ bucket: WHOLE, tillId, name }, ...sumsOf(codes.flat()) });
  }
  known.set(
    WHOLE,
    [...known.values()].reduce((all, seconds) => all + seconds, 0),
  );
  return { rows, known };
}

/** The state of each second of a quarter of an hour; unknown once its states are removed. */
const codesOf = (stored: TillSpansRow['spans']): Uint8Array =>
  stored ? decodeSpans(stored) : new Uint8Array(QUARTER_SECONDS);

/** The states as spans; times without a row are unknown. */
export function spansOf(
  rows: readonly TillSpansRow[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): TillSpan[] {
  const spans: { state: TillState; fromMs: number; toMs: number }[] = [];
  const add = (state: TillState, startMs: number, endMs: number) => {
    const [from, to] = [Math.max(fromMs, startMs), Math.min(toMs, endMs)];
    if (from >= to) return;
    const last = spans.at(-1);
    if (last?.state === state && last.toMs === from) last.toMs = to;
    else spans.push({ state, fromMs: from, toMs: to });
  };
  let untilMs = fromMs;
  for (const { quarterMs, spans: stored } of rows) {
    add('unknown', untilMs, quarterMs);
    codesOf(stored).forEach((code, second) => {
      const startMs = quarterMs + second * 1000;
      add(stateOf(code), startMs, startMs + 1000);
    });
    untilMs = quarterMs + QUARTER_MS;
  }
  add('unknown', untilMs, toMs);
  return spans;
}
