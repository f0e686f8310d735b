/** What of a feature a user or device may use in a month, and has used. */
export interface QuotaState {
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly used: number;
}

/** What is left; negative where more was used than allowed (alerts are never refused); null: unlimited. */
export const balanceOf = ({ limit, used }: QuotaState): number | null =>
  limit === null ? null : limit - used;

/** Nothing is left. */
export const isExceeded = ({ limit, used }: QuotaState): boolean => limit !== null && used >= limit;

/** Used of the limit, to 0.01 %; null where there is no limit to take a share of. */
export const usagePercentage = ({ limit, used }: QuotaState): number | null =>
  limit === null ? null : percentOf(used, limit);

/** To 0.01 %; null of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
