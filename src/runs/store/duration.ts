import type { AnalysisTask } from '../../platform/prisma-client/client.ts';

/** Time from the first claim of a run to its end; 0 for a run that no node claimed. */
export function durationOf({ processingTimeMs }: Pick<AnalysisTask, 'processingTimeMs'>) {
  const milliseconds = processingTimeMs ?? 0;
  return { seconds: milliseconds / 1000, milliseconds };
}
