export const FEATURES = ['analysis', 'alert', 'attribute', 'vlm'] as const;
export type Feature = (typeof FEATURES)[number];

/** The names of the features in reports. */
export const REPORT_NAMES = {
  analysis: 'analysisSeconds',
  alert: 'alertCount',
  attribute: 'attributeCount',
  vlm: 'vlmTokens',
} as const satisfies Record<Feature, string>;

/** How full a quota is. */
export type Fullness = 'unlimited' | 'fine' | 'near' | 'full';

interface FeatureUsage {
  readonly used: number;
  readonly limit: number | null;
  readonly isExceeded: boolean;
}

/** The share at which the API warns. */
const NEAR = 0.8;

export function fullness({ used, limit, isExceeded }: FeatureUsage): Fullness {
  if (limit === null) return 'unlimited';
  if (isExceeded || used >= limit) return 'full';
  return used >= limit * NEAR ? 'near' : 'fine';
}

/** How much of a meter is filled, 0-1. A limit of 0 is full. */
export const filled = (used: number, limit: number): number =>
  limit <= 0 ? 1 : Math.min(1, Math.max(0, used / limit));

interface FeatureForecast {
  readonly projected: number;
  readonly limit: number | null;
  readonly projectedExceedAt: string | null;
}

/** What a forecast says about a limit. */
export type Outlook =
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'reached' }
  | { readonly kind: 'ends'; readonly at: string }
  | { readonly kind: 'lasts'; readonly share: number };

/** @param asOf the time of the forecast */
export function outlook({ projected, limit, projectedExceedAt }: FeatureForecast, asOf: string): Outlook {
  if (limit === null) return { kind: 'unlimited' };
  if (projectedExceedAt === null) return { kind: 'lasts', share: limit === 0 ? 0 : projected / limit };
  return Date.parse(projectedExceedAt) <= Date.parse(asOf)
    ? { kind: 'reached' }
    : { kind: 'ends', at: projectedExceedAt };
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The month so many months later, as `2026-11`. */
export function addMonths(month: string, months: number): string {
  const total = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${Math.floor(total / 12)}-${String((total % 12) + 1).padStart(2, '0')}`;
}

/** A month of an address; undefined for one that the API does not know, or that has not begun. */
export function parseMonth(text: string | null, now: string): string | undefined {
  return text !== null && MONTH.test(text) && text >= '2000-01' && text < now ? text : undefined;
}
