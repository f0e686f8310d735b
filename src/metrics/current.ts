import { existing } from '../catalogue/items/items.ts';
import type { Visit } from '../vision/types.ts';
import { isServed, isWaiting } from '../vision/zones/visit-states.ts';
import { average, type CurrentMetrics, round } from './metrics.ts';

/** With fewer completions in the last 15 minutes no rate is estimated. */
const FEWEST_COMPLETIONS = 3;

/**
 * The metrics `current.*` of a scene with both zones: the open visits and their durations so far.
 * @param completions number of completions, and seconds with frames, in the last 15 minutes
 */
export function currentMetrics(
  open: readonly Visit[],
  timeMs: number,
  completions: { count: number; coveredSeconds: number },
): CurrentMetrics {
  const waiting = open.filter(isWaiting);
  const served = open.filter(isServed);
  const waits = waiting.map((visit) =>
    secondsSince(existing(visit.queueEnteredAtMs, 'queue entered at ms'), timeMs),
  );
  const services = served.map((visit) =>
    secondsSince(existing(visit.serviceStartedAtMs, 'service started at ms'), timeMs),
  );
  const measurable = completions.count >= FEWEST_COMPLETIONS && completions.coveredSeconds > 0;
  return {
    inQueue: waiting.length,
    inService: served.length,
    totalPresent: waiting.length + served.length,
    avgWaitSeconds: averageOf(waits),
    maxWaitSeconds: maxOf(waits),
    avgServiceSeconds: averageOf(services),
    maxServiceSeconds: maxOf(services),
    estimatedWaitSeconds: measurable
      ? round((waiting.length * completions.coveredSeconds) / completions.count)
      : null,
  };
}

const secondsSince = (sinceMs: number, timeMs: number): number => Math.max(0, timeMs - sinceMs) / 1000;

export const averageOf = (values: readonly number[]): number | null =>
  average(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );

export const maxOf = (values: readonly number[]): number | null =>
  values.length > 0 ? round(Math.max(...values)) : null;
