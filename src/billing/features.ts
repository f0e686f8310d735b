import type { Feature } from '../platform/prisma-client/client.ts';

/** The metered features, in the order in which one transaction charges several. Another order could deadlock. */
export const FEATURES = ['analysis', 'alert', 'attribute', 'vlm'] as const satisfies readonly Feature[];

export const UNITS = {
  analysis: 'seconds',
  alert: 'count',
  attribute: 'count',
  vlm: 'tokens',
} as const satisfies Record<Feature, string>;

/** One value for each feature. */
export type PerFeature<Value> = { readonly [Name in Feature]: Value };

export const perFeature = <Value>(make: (feature: Feature) => Value): PerFeature<Value> => ({
  analysis: make('analysis'),
  alert: make('alert'),
  attribute: make('attribute'),
  vlm: make('vlm'),
});

/** The names of the features in the API. */
export const API_NAMES = {
  analysis: 'analysisSeconds',
  alert: 'alertCount',
  attribute: 'attributeCount',
  vlm: 'vlmTokens',
} as const satisfies PerFeature<string>;

/** The values of the features under their names in the API. */
export const withApiNames = <Value>(of: PerFeature<Value>) => ({
  analysisSeconds: of.analysis,
  alertCount: of.alert,
  attributeCount: of.attribute,
  vlmTokens: of.vlm,
});

/** The monthly limits of a user unless the operator sets others; null means unlimited. */
export const BUILT_IN_LIMITS: PerFeature<number | null> = {
  /** One camera, day and night, for 31 days. */
  analysis: 31 * 86_400,
  alert: 10_000,
  attribute: 100_000,
  vlm: 1_000_000,
};

/** The largest quantity: far above real usage, and exact as a JSON number. */
export const MAX_AMOUNT = 1_000_000_000_000;
