// What numbers of a time are made of. Each sum is defined once, for TypeScript (windows, totals) and for SQL (history, reports).

/** A visit whose outcome was decided. Seconds; null where nothing was measured. */
export interface DecidedVisit {
  readonly outcome: 'completed' | 'abandoned' | 'lost' | null;
  readonly wait: number | null;
  readonly service: number | null;
}

interface VisitCount {
  readonly is: (visit: DecidedVisit) => boolean;
  /** Condition on `outcome`, `wait` and `service` of a visit. */
  readonly sql: string;
  /** Column of SceneTotals; without it, it is not counted since the start. */
  readonly total?: string;
}

/** Numbers of decided visits. */
export const VISIT_COUNTS = {
  completed: {
    is: ({ outcome }) => outcome === 'completed',
    sql: "outcome = 'completed'",
    total: 'completedCount',
  },
  abandoned: {
    is: ({ outcome }) => outcome === 'abandoned',
    sql: "outcome = 'abandoned'",
    total: 'abandonedCount',
  },
  lost: { is: ({ outcome }) => outcome === 'lost', sql: "outcome = 'lost'", total: 'lostCount' },
} as const satisfies Readonly<Record<string, VisitCount>>;

interface Duration {
  readonly measure: 'wait' | 'service';
  readonly outcome: 'completed' | 'abandoned';
  /** Columns of SceneTotals; those of the histogram only where percentiles since the start are known. */
  readonly total: Readonly<Record<'count' | 'sum' | 'max', string>> &
    Readonly<Partial<Record<'histogram' | 'binSeconds', string>>>;
}

/** Durations of visits with an outcome: each has a count, a sum, the longest, and percentiles. */
export const DURATIONS = {
  wait: {
    measure: 'wait',
    outcome: 'completed',
    total: {
      count: 'waitCount',
      sum: 'waitSecondsSum',
      max: 'waitSecondsMax',
      histogram: 'waitHistogram',
      binSeconds: 'waitBinSeconds',
    },
  },
  service: {
    measure: 'service',
    outcome: 'completed',
    total: {
      count: 'serviceCount',
      sum: 'serviceSecondsSum',
      max: 'serviceSecondsMax',
      histogram: 'serviceHistogram',
      binSeconds: 'serviceBinSeconds',
    },
  },
  abandonedWait: {
    measure: 'wait',
    outcome: 'abandoned',
    total: { count: 'abandonedWaitCount', sum: 'abandonedWaitSum', max: 'abandonedWaitMax' },
  },
} as const satisfies Readonly<Record<string, Duration>>;

/** The measured duration of a visit; null for visits with another outcome. */
export const durationOf = ({ measure, outcome }: Duration, visit: DecidedVisit): number | null =>
  visit.outcome === outcome ? visit[measure] : null;

/** Who is there in a frame. */
export interface Held {
  readonly inQueue: number;
  readonly inService: number;
}

interface TimeSum {
  /** What a millisecond adds, or (`max`) what is compared. */
  readonly of: (held: Held) => number;
  readonly fold: 'sum' | 'max';
}

/** Sums over time with frames; each is a column of OccupancyMinute and OccupancyQuarter, beside `coveredMs`. */
export const TIME_SUMS = {
  inQueueMs: { of: ({ inQueue }) => inQueue, fold: 'sum' },
  inServiceMs: { of: ({ inService }) => inService, fold: 'sum' },
  /** Time with at least one person in service. */
  busyMs: { of: ({ inService }) => (inService > 0 ? 1 : 0), fold: 'sum' },
  maxInQueue: { of: ({ inQueue }) => inQueue, fold: 'max' },
  maxInService: { of: ({ inService }) => inService, fold: 'max' },
} as const satisfies Readonly<Record<string, TimeSum>>;

export type CountName = keyof typeof VISIT_COUNTS;
export type DurationName = keyof typeof DURATIONS;
export type TimeSumName = keyof typeof TIME_SUMS;
export const COUNT_NAMES = Object.keys(VISIT_COUNTS) as CountName[];
export const DURATION_NAMES = Object.keys(DURATIONS) as DurationName[];
export const TIME_SUM_NAMES = Object.keys(TIME_SUMS) as TimeSumName[];

/** Percentiles by the end of their names. */
export const SHARES = { P50: 0.5, P90: 0.9 } as const;
export type ShareName = keyof typeof SHARES;
export const SHARE_NAMES = Object.keys(SHARES) as ShareName[];

type NameOf<Fold extends 'sum' | 'max'> = {
  [Name in TimeSumName]: (typeof TIME_SUMS)[Name]['fold'] extends Fold ? Name : never;
}[TimeSumName];

/** Sums of visits of a time. Null where nothing was measured. */
export type VisitSums = Readonly<Record<CountName | `${DurationName}Count` | 'arrivals', number>> &
  Readonly<Record<`${DurationName}${'Sum' | 'Max' | ShareName}`, number | null>>;

/** People over a time with frames, of one scene or of several. */
export type TimeSums = Readonly<Record<'coveredMs' | 'leastCoveredMs' | 'scenes' | 'elapsedMs', number>> &
  Readonly<Record<NameOf<'sum'>, number>> &
  /** The averages of the scenes, added up, and the largest numbers; null without frames. */
  Readonly<Record<`${NameOf<'sum'>}Mean` | NameOf<'max'>, number | null>>;

/**
 * The sums of a time. `coveredMs` is the time with frames of all scenes together, `leastCoveredMs` that of the scene that has least,
 * `scenes` how many have frames, `elapsedMs` the length of the time until now.
 */
export type Sums = VisitSums & TimeSums;
export type SumName = keyof Sums;
