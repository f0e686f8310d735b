import type { AnalysisTask } from '../platform/prisma-client/client.ts';

/** How long a run was worked on since its first claim; 0 for one that no node took. */
export function durationOf({ processingTimeMs }: Pick<AnalysisTask, 'processingTimeMs'>) {
  const milliseconds = processingTimeMs ?? 0;
  return { seconds: milliseconds / 1000, milliseconds };
}
