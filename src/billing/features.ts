import type { Feature } from '../platform/prisma-client/client.ts';

/** What is metered, in the order in which one transaction charges several (another order could deadlock). */
export const FEATURES = ['analysis', 'alert', 'attribute', 'vlm'] as const satisfies readonly Feature[];

export const UNITS = {
  analysis: 'seconds',
  alert: 'count',
  attribute: 'count',
  vlm: 'tokens',
} as const satisfies Record<Feature, string>;

/** Something for each feature. */
export type PerFeature<Value> = { readonly [Name in Feature]: Value };

/** @param make called once for each feature */
export const perFeature = <Value>(make: (feature: Feature) => Value): PerFeature<Value> => ({
  analysis: make('analysis'),
  alert: make('alert'),
  attribute: make('attribute'),
  vlm: make('vlm'),
});

/** What a month of a user opens with unless the operator says otherwise; null is unlimited. */
export const BUILT_IN_LIMITS: PerFeature<number | null> = {
  /** One camera around the clock for 31 days. */
  analysis: 31 * 86_400,
  alert: 10_000,
  attribute: 100_000,
  vlm: 1_000_000,
};

/** The largest amount of anything: far above use, far below what a JSON number holds exactly. */
export const MAX_AMOUNT = 1_000_000_000_000;
