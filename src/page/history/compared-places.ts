import type { Resource } from '../../client/client.ts';

type Series = Resource<'MetricSeries'>;
type Distribution = Resource<'Distribution'>;

/** Numbers of one area of a site; null where nothing was measured. */
export interface PlaceNumbers {
  readonly arrivals: number | null;
  readonly p90Seconds: number | null;
  /** The share of the served people who waited at most `WITHIN_SECONDS`. */
  readonly within: number | null;
  /** The share within the target of the place; null without a target. */
  readonly level: number | null;
  readonly abandonmentRate: number | null;
  /** Average length over time. */
  readonly queue: readonly (number | null)[];
}

/** One of the limits that the API counts unasked. */
export const WITHIN_SECONDS = 180;

const sum = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null)
    ? null
    : values.reduce<number>((total, value) => total + (value ?? 0), 0);

export function numbersOf(
  {
    arrivals,
    completed,
    abandoned,
    avgInQueue,
  }: Pick<Series, 'arrivals' | 'completed' | 'abandoned' | 'avgInQueue'>,
  { waits, serviceLevel }: Pick<Distribution, 'waits' | 'serviceLevel'>,
): PlaceNumbers {
  const longer = waits?.longerThan.find(({ seconds }) => seconds === WITHIN_SECONDS)?.share ?? null;
  const gaveUp = sum(abandoned);
  const ended = (sum(completed) ?? 0) + (gaveUp ?? 0);
  return {
    arrivals: sum(arrivals),
    p90Seconds: waits?.p90Seconds ?? null,
    level: serviceLevel?.level ?? null,
    within: longer === null ? null : 1 - longer,
    abandonmentRate: gaveUp === null || ended === 0 ? null : gaveUp / ended,
    queue: avgInQueue,
  };
}

/** The longest waits first; where nothing was measured, last. */
export const worstFirst = <Place extends PlaceNumbers>(places: readonly Place[]): Place[] =>
  [...places].sort((one, other) => (other.p90Seconds ?? -1) - (one.p90Seconds ?? -1));
