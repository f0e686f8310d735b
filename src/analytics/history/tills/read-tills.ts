import { openIn } from '../../../cameras/sites/open-hours.ts';
import { type OpenSpan, openWithin } from '../../../catalogue/hours/opening-hours.ts';
import { average, rounded } from '../../../catalogue/metrics/arithmetic.ts';
import { QUARTER_MS, QUARTER_SECONDS } from '../../../catalogue/metrics/quarter.ts';
import { decodeSpans, stateOf, sumsOf, type TillSums } from '../../../metrics/tills/encode-spans.ts';
import { type TillWindow, tillWindow } from '../../../metrics/tills/till-numbers.ts';
import type { Context } from '../../../platform/context.ts';
import type { TillState } from '../../../vision/tills/till-state.ts';
import { type Bucket, spanOf, spansBetween } from '../buckets.ts';
import type { SceneScope } from '../history-scope.store.ts';
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
  { scene: { id, zones }, hours }: Pick<SceneScope, 'scene' | 'hours'>,
  query: SeriesQuery,
): Promise<ReadTills> {
  const { bucket, edges } = await requireCut(db, [id], query);
  const range = spanOf(edges);
  const buckets = spansBetween(edges);
  const open = openIn(hours, range);
  const isShort = range.toMs - range.fromMs <= LONGEST_SPANS_MS;
  const isByQuarter = edges.every((edge) => edge % QUARTER_MS === 0);
  const [spans, services, quarters] = await Promise.all([
    isShort || !isByQuarter ? findSpans(db, id, range) : [],
    sumServices(db, id, { edges, open }),
    isByQuarter ? sumsOfQuarters(db, id, { edges, open }) : null,
  ]);
  // It opens and closes at quarters of an hour.
  const counted = spans.filter(
    ({ quarterMs }) => !open || openWithin(open, { fromMs: quarterMs, toMs: quarterMs + 1 }) > 0,
  );
  const sums = quarters ?? sumsOfSpans(counted, buckets);
  const nowMs = clock.now().getTime();
  const lengthOf = ({ fromMs, toMs }: OpenSpan): number => {
    const untilMs = Math.min(toMs, nowMs);
    return Math.max(0, open ? openWithin(open, { fromMs, toMs: untilMs }) : untilMs - fromMs) / 1000;
  };
  const order = (zones.tills ?? []).map((till) => till.id);
  const found = [...sums.rows, ...services].map(({ tillId }) => tillId).sort();
  const ids = [...new Set([...order, ...found])];
  const names = new Map((zones.tills ?? []).map((till) => [till.id, till.name]));
  const unfinished = buckets.findIndex(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs);
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
    ...{ bucket, timezone: query.timezone, edges, unfinishedIndex: unfinished < 0 ? null : unfinished },
    total: windowAt(WHOLE),
    buckets: buckets.map((_, at) => windowAt(at)),
    tills: ids.map((tillId) => {
      const whole = sumOf.get(`${WHOLE} ${tillId}`);
      const name = whole?.name ?? names.get(tillId) ?? tillId;
      const bucketOf = (span: OpenSpan, at: number) =>
        tillBucket(name, lengthOf(span), {
          sums: sumOf.get(`${at} ${tillId}`),
          services: servicesOf.get(`${at} ${tillId}`),
        });
      const own = spans.filter((row) => row.tillId === tillId);
      return {
        ...{ tillId, total: bucketOf(range, WHOLE), buckets: buckets.map(bucketOf) },
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

interface BucketCodes extends OpenSpan {
  readonly bucket: number;
  readonly codes: number[];
  /** Null: nothing is stored of it. */
  name: string | null;
}

/** For buckets that are shorter than a quarter of an hour. */
function sumsOfSpans(spans: readonly TillSpansRow[], buckets: readonly OpenSpan[]): Sums {
  const rows: BucketSums[] = [];
  const known = new Map<number, number>();
  const lastNames = new Map(spans.map(({ tillId, name }) => [tillId, name]));
  for (const [tillId, lastName] of lastNames) {
    const parts = buckets.map((span, bucket): BucketCodes => ({ ...span, bucket, codes: [], name: null }));
    const left = [...parts];
    for (const { quarterMs, name, spans: stored } of spans.filter((row) => row.tillId === tillId)) {
      for (const [second, code] of codesOf(stored).entries()) {
        const timeMs = quarterMs + second * 1000;
        while (left[0] && timeMs >= left[0].toMs) left.shift();
        const [part] = left;
        if (!part || timeMs < part.fromMs) continue;
        part.codes.push(code);
        part.name = name;
      }
    }
    for (const { bucket, codes, name } of parts) {
      const sums = sumsOf(codes);
      if (name !== null) rows.push({ ...{ bucket, tillId, name }, ...sums });
      const all = sums.servingSeconds + sums.freeSeconds + sums.closedSeconds;
      known.set(bucket, Math.max(known.get(bucket) ?? 0, all));
    }
    const all = sumsOf(parts.flatMap(({ codes }) => codes));
    rows.push({ ...{ bucket: WHOLE, tillId, name: lastName }, ...all });
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
