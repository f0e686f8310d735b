/** The limit and the usage of a feature in a month. */
export interface QuotaState {
  /** Null means unlimited. */
  readonly limit: number | null;
  readonly used: number;
}

/** What is left. Negative where more was used than allowed, since alerts are never refused. Null where unlimited. */
export const balanceOf = ({ limit, used }: QuotaState): number | null =>
  limit === null ? null : limit - used;

/** Whether nothing is left. */
export const isExceeded = ({ limit, used }: QuotaState): boolean => limit !== null && used >= limit;

/** Percentage of the limit that is used, to 0.01 %; null where there is no limit. */
export const usagePercentage = ({ limit, used }: QuotaState): number | null =>
  limit === null ? null : percentOf(used, limit);

/** Percentage to 0.01 %; null where `whole` is 0. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
