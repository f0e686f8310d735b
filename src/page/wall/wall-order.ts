import type { LiveScene } from '../api/live-scenes.ts';

/** So many tiles can be read from five metres. */
export const MOST = 9;
/** Where there are more, each group of tiles is shown so long. */
const TURN_MS = 15_000;

/** Always the same order, so that everybody knows where to look. @param nameOf what stands above the tile */
export function inOrder<Scene>(scenes: readonly Scene[], nameOf: (scene: Scene) => string): Scene[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return [...scenes].sort((one, other) => compare(nameOf(one), nameOf(other)));
}

/** Which tiles are shown now: all, or one group after the other. */
export function turnOf(count: number, nowMs: number): { from: number; to: number } {
  const turns = Math.max(1, Math.ceil(count / MOST));
  const from = (Math.floor(nowMs / TURN_MS) % turns) * MOST;
  return { from, to: Math.min(count, from + MOST) };
}

export type Trend = 'growing' | 'shrinking' | 'steady';

/** Whether the queue is longer than in the last minutes; null where that is not known. */
export function trendOf({ current, spark }: Pick<LiveScene, 'current' | 'spark'>): Trend | null {
  const before = spark.avgInQueue.slice(-3, -1).flatMap((value) => value ?? []);
  const now = current?.inQueue ?? null;
  if (now === null || before.length === 0) return null;
  const change = now - before.reduce((sum, value) => sum + value, 0) / before.length;
  // One person more or less comes and goes.
  return Math.abs(change) < 1.5 ? 'steady' : change > 0 ? 'growing' : 'shrinking';
}
