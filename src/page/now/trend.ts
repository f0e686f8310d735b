import type { LiveScene } from '../api/live-scenes.ts';

type Trend = 'growing' | 'shrinking' | 'steady';

/** Whether the queue is longer than in the last minutes; null where that is not known. */
export function trendOf({ current, spark }: Pick<LiveScene, 'current' | 'spark'>): Trend | null {
  const before = spark.avgInQueue.slice(-3, -1).flatMap((value) => value ?? []);
  const now = current?.inQueue ?? null;
  if (now === null || before.length === 0) return null;
  const change = now - before.reduce((sum, value) => sum + value, 0) / before.length;
  // One person more or less comes and goes.
  return Math.abs(change) < 1.5 ? 'steady' : change > 0 ? 'growing' : 'shrinking';
}
