import { type DecidedVisit, DURATIONS, type Duration, TIME_SUMS, VISIT_COUNTS } from './counted.ts';

export type CountName = keyof typeof VISIT_COUNTS;
export type DurationName = keyof typeof DURATIONS;
export type TimeSumName = keyof typeof TIME_SUMS;
export const COUNT_NAMES = Object.keys(VISIT_COUNTS) as CountName[];
export const DURATION_NAMES = Object.keys(DURATIONS) as DurationName[];
export type DistributionName = (typeof DURATIONS)[DurationName]['distribution']['name'];
export const TIME_SUM_NAMES = Object.keys(TIME_SUMS) as TimeSumName[];

/** The names of sums, and of what is compared for the largest number. */
export const SUMMED_NAMES = TIME_SUM_NAMES.filter(
  (name) => TIME_SUMS[name].fold === 'sum',
) as NameOf<'sum'>[];
export const MOST_NAMES = TIME_SUM_NAMES.filter((name) => TIME_SUMS[name].fold === 'max') as NameOf<'max'>[];

type TimeSumEntries = typeof TIME_SUMS;
export type TillSumName = {
  [Name in TimeSumName]: TimeSumEntries[Name] extends { ofTills: unknown } ? Name : never;
}[TimeSumName];
export const TILL_SUM_NAMES = TIME_SUM_NAMES.filter((name) => 'ofTills' in TIME_SUMS[name]) as TillSumName[];

/** The sum of the time over which a sum is averaged. */
export const overOf = (name: TimeSumName): 'coveredMs' | 'tillKnownMs' => {
  const sum = TIME_SUMS[name];
  return 'over' in sum ? sum.over : 'coveredMs';
};

/** The measured duration of a visit; null for visits with another outcome. */
export const durationOf = ({ measure, outcome }: Duration, visit: DecidedVisit): number | null =>
  visit.outcome === outcome ? visit[measure] : null;

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

/** The sums that metrics are made of. */
export const neededSums = (
  metrics: readonly { readonly expression: { readonly of: readonly SumName[] } }[],
): ReadonlySet<SumName> => new Set(metrics.flatMap(({ expression }) => expression.of));
