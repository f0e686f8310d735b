import type { Operator } from './draft.ts';

/** What the API tells of a metric that a preview replayed. */
export interface PreviewCurve {
  readonly metricPath: string;
  readonly t: readonly string[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

interface Firing {
  readonly triggeredAt: string;
  readonly metricPath: string;
  readonly actualValue: number;
}

/**
 * The side of a curve that decides about a condition: the largest values where it holds above its threshold, the least
 * where it holds below.
 */
export const decidingValues = (curve: PreviewCurve, operator: Operator): readonly (number | null)[] =>
  operator === 'LT' || operator === 'LTE' ? curve.min : curve.max;

/** The firings by a metric, as marks of its chart. */
export const marksOf = (firings: readonly Firing[], metricPath: string) =>
  firings
    .filter((firing) => firing.metricPath === metricPath)
    .map(({ triggeredAt, actualValue }) => ({ ms: Date.parse(triggeredAt), value: actualValue }));
