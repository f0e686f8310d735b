import type { Metrics } from '../../src/catalogue/metrics/all.ts';
import { METRIC_CATALOGUE } from '../../src/metrics/catalogue.ts';
import { currentBytes, windowBytes } from '../../src/metrics/stored-numbers.ts';
import type { Random } from '../../src/simulator/random.ts';

/** Metrics of a scene at some moment: one value for each path of the catalogue. */
export function sampleMetrics(random: Random): Metrics {
  const metrics: Record<string, unknown> = {};
  const inQueue = Math.floor(random.between(0, 12));
  const inService = Math.floor(random.between(0, 4));
  const known: Record<string, number> = {
    'current.inQueue': inQueue,
    'current.inService': inService,
    'current.totalPresent': inQueue + inService,
  };
  for (const { path, unit, type } of METRIC_CATALOGUE) {
    const scale = { count: 40, seconds: 300, share: 1, percent: 100, perHour: 90 }[unit];
    const value = known[path] ?? random.between(0, scale);
    put(metrics, path.split('.'), type === 'integer' ? Math.floor(value) : Math.round(value * 1000) / 1000);
  }
  return metrics as unknown as Metrics;
}

/** The same as they are stored, in hexadecimal digits: by group. */
export function sampleBytes(random: Random): Record<string, string> {
  const { current, ...windows } = sampleMetrics(random);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return {
    current: hex(currentBytes(current)),
    ...Object.fromEntries(
      Object.entries(windows).map(([name, metrics]) => [name, hex(windowBytes(metrics))]),
    ),
  };
}

function put(into: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: number): void {
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  into[key] ??= {};
  put(into[key] as Record<string, unknown>, rest, value);
}
