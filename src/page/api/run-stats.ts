import type { Resource } from './client.ts';

export type RunStats = Resource<'AnalysisStatus'>['devices'][number]['scenes'][number]['stats'];

/** Percent of the frames that needed no detection, because nobody was there and nothing changed; null before the first frame. */
export function skippedPercent({
  processedFrames,
  skippedFrames,
}: Pick<RunStats, 'processedFrames' | 'skippedFrames'>): number | null {
  return processedFrames > 0 ? Math.round((100 * skippedFrames) / processedFrames) : null;
}
