// What is counted. Each sum is defined once, for TypeScript (windows, totals) and for SQL (history, reports).
import { BOTH, CHECKOUT, QUEUE, type ZoneName } from './needed-zones.ts';

/** A visit whose outcome was decided. Seconds; null where nothing was measured. */
export interface DecidedVisit {
  readonly outcome: 'completed' | 'abandoned' | 'lost' | null;
  readonly wait: number | null;
  readonly service: number | null;
  /** Whether the wait was within the target that held at the decision; null without a target, or without a wait. */
  readonly isInTime: boolean | null;
}

interface VisitCount {
  readonly is: (visit: DecidedVisit) => boolean;
  /** Condition on `outcome`, `wait`, `service` and `"isInTime"` of a visit. */
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
  // The service level: served within the target ÷ (all who were served + those who gave up after it).
  inTime: {
    is: ({ outcome, isInTime }) => outcome === 'completed' && isInTime === true,
    sql: `outcome = 'completed' AND "isInTime"`,
    total: 'inTimeCount',
  },
  late: {
    is: ({ outcome, isInTime }) => outcome === 'completed' && isInTime === false,
    sql: `outcome = 'completed' AND NOT "isInTime"`,
    total: 'lateCount',
  },
  gaveUpLate: {
    is: ({ outcome, isInTime }) => outcome === 'abandoned' && isInTime === false,
    sql: `outcome = 'abandoned' AND NOT "isInTime"`,
    total: 'gaveUpLateCount',
  },
  /** Nobody knows whether they would have been served in time: not part of the level. */
  gaveUpEarly: {
    is: ({ outcome, isInTime }) => outcome === 'abandoned' && isInTime === true,
    sql: `outcome = 'abandoned' AND "isInTime"`,
    total: 'gaveUpEarlyCount',
  },
} as const satisfies Readonly<Record<string, VisitCount>>;

export interface Duration {
  readonly measure: 'wait' | 'service';
  readonly outcome: 'completed' | 'abandoned';
  readonly zones: readonly ZoneName[];
  /** Its histogram in the distribution of a range. */
  readonly distribution: { readonly name: string; readonly description: string };
  /** Columns of SceneTotals; those of the histogram only where percentiles since the start are known. */
  readonly total: Readonly<Record<'count' | 'sum' | 'max', string>> &
    Readonly<Partial<Record<'histogram' | 'binSeconds', string>>>;
}

/** Durations of visits with an outcome: each has a count, a sum, the longest, and percentiles. */
export const DURATIONS = {
  wait: {
    measure: 'wait',
    outcome: 'completed',
    zones: QUEUE,
    distribution: { name: 'waits', description: 'Waits of served people; null if no zone measures them' },
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
    zones: CHECKOUT,
    distribution: { name: 'services', description: 'Services; null if no zone measures them' },
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
    zones: BOTH,
    distribution: {
      name: 'abandonedWaits',
      description: 'Waits of people who gave up; null if the zones cannot tell who gave up',
    },
    total: { count: 'abandonedWaitCount', sum: 'abandonedWaitSum', max: 'abandonedWaitMax' },
  },
} as const satisfies Readonly<Record<string, Duration>>;

/** How well a frame shows the people in the queue zone. */
export interface LineSigns {
  /** Sure detections, and how many more or fewer than in the frame before. */
  readonly sure: number;
  readonly steps: number;
  /** People who are followed in this frame. */
  readonly followed: number;
  /** Counted people who are not seen in this frame. */
  readonly unseen: number;
}

/** Who is there in a frame. */
export interface Held {
  readonly inQueue: number;
  readonly inService: number;
  /** Left out in a scene without a queue zone. */
  readonly signs?: LineSigns | undefined;
}

interface TimeSum {
  /** What a millisecond adds, or (`max`) what is compared. */
  readonly of: (held: Held) => number;
  readonly fold: 'sum' | 'max';
}

/** The tills of a scene in a second of frame time, once their states are final. */
export interface HeldTills {
  readonly serving: number;
  readonly free: number;
  /** Somebody waits while a till is free that serves their line. */
  readonly isWaitedWithFree: boolean;
}

/** Of scenes with tills; kept since the start in a column of SceneTotals. */
interface TillSum {
  /** What a millisecond adds. */
  readonly ofTills: (tills: HeldTills) => number;
  readonly fold: 'sum';
  /** The sum of the time over which it is averaged. */
  readonly over: 'tillKnownMs';
}

/** Sums over time with frames; each is a column of OccupancyMinute and OccupancyQuarter, beside `coveredMs`. */
export const TIME_SUMS = {
  inQueueMs: { of: ({ inQueue }) => inQueue, fold: 'sum' },
  inServiceMs: { of: ({ inService }) => inService, fold: 'sum' },
  /** Time with at least one person in service. */
  busyMs: { of: ({ inService }) => (inService > 0 ? 1 : 0), fold: 'sum' },
  maxInQueue: { of: ({ inQueue }) => inQueue, fold: 'max' },
  maxInService: { of: ({ inService }) => inService, fold: 'max' },
  // What tells without labels how right `inQueueMs` is.
  followedMs: { of: ({ signs }) => signs?.followed ?? 0, fold: 'sum' },
  unseenMs: { of: ({ signs }) => signs?.unseen ?? 0, fold: 'sum' },
  sureMs: { of: ({ signs }) => signs?.sure ?? 0, fold: 'sum' },
  stepsMs: { of: ({ signs }) => signs?.steps ?? 0, fold: 'sum' },
  /** Time in which the states of the tills are known. */
  tillKnownMs: { ofTills: () => 1, fold: 'sum', over: 'tillKnownMs' },
  openTillMs: { ofTills: ({ serving, free }) => serving + free, fold: 'sum', over: 'tillKnownMs' },
  servingTillMs: { ofTills: ({ serving }) => serving, fold: 'sum', over: 'tillKnownMs' },
  waitedWithFreeMs: {
    ofTills: (tills) => (tills.isWaitedWithFree ? 1 : 0),
    fold: 'sum',
    over: 'tillKnownMs',
  },
} as const satisfies Readonly<Record<string, TimeSum | TillSum>>;
