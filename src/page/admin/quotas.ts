import type { Resource } from '../../client/client.ts';

export const FEATURES = ['analysisSeconds', 'alertCount', 'attributeCount', 'vlmTokens'] as const;
export type Feature = (typeof FEATURES)[number];

/** The names that the call to add to a quota has. */
export const FEATURE_TYPES = {
  analysisSeconds: 'analysis',
  alertCount: 'alert',
  attributeCount: 'attribute',
  vlmTokens: 'vlm',
} as const satisfies Readonly<Record<Feature, string>>;

/** How many units of the API are one unit of the page, which shows analysis in hours. */
const SCALE: Readonly<Record<Feature, number>> = {
  analysisSeconds: 3600,
  alertCount: 1,
  attributeCount: 1,
  vlmTokens: 1,
};

const MAX_AMOUNT = 1_000_000_000_000;

export const shownAmount = (feature: Feature, amount: number): number => amount / SCALE[feature];

export type AmountFault = 'missing' | 'number' | 'positive' | 'large';
export type Amount = { readonly amount: number | null } | { readonly fault: AmountFault };

function amountOf(feature: Feature, typed: string): number | AmountFault {
  const value = Number(typed);
  if (!Number.isFinite(value) || value < 0) return 'number';
  const amount = Math.round(value * SCALE[feature]);
  return amount > MAX_AMOUNT ? 'large' : amount;
}

/** What was typed as a monthly limit; nothing means no limit. */
export function readLimit(feature: Feature, typed: string): Amount {
  if (typed.trim() === '') return { amount: null };
  const amount = amountOf(feature, typed);
  return typeof amount === 'number' ? { amount } : { fault: amount };
}

/** What was typed as an addition. */
export function readAddition(feature: Feature, typed: string): Amount {
  if (typed.trim() === '') return { fault: 'missing' };
  const amount = amountOf(feature, typed);
  if (typeof amount !== 'number') return { fault: amount };
  return amount === 0 ? { fault: 'positive' } : { amount };
}

export interface Meter {
  readonly feature: Feature;
  readonly used: number;
  /** Null: no limit. */
  readonly limit: number | null;
  /** Limit with which each month begins. */
  readonly monthly: number | null;
  /** 0-1 and more; null without a limit. */
  readonly share: number | null;
  readonly over: number;
}

/** The quotas of a user's month, in the units of the page. */
export function metersOf({ month, monthlyLimits }: Resource<'UserDetail'>): Meter[] {
  return FEATURES.map((feature) => {
    const { used, limit } = month[feature];
    const inUnits = (amount: number | null) => (amount === null ? null : shownAmount(feature, amount));
    return {
      feature,
      used: shownAmount(feature, used),
      limit: inUnits(limit),
      monthly: inUnits(monthlyLimits[feature]),
      share: limit === null ? null : limit === 0 ? Number(used > 0) : used / limit,
      over: limit === null ? 0 : shownAmount(feature, Math.max(0, used - limit)),
    };
  });
}

/** What an administrator is about to change. */
export interface QuotaChange {
  readonly kind: 'topUp' | 'setLimit';
  readonly feature: Feature;
}
