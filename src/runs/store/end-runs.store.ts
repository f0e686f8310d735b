import type { Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { returnRest } from './meter.store.ts';
import { emitRunEvents } from './run-events.ts';
import { type ShownRun, showRuns } from './run-state.store.ts';

/** Of "AnalysisTask" t: milliseconds since the first claim; null for a run that no node claimed. */
export const ELAPSED_MS = Prisma.sql`(extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::int`;

/** For SET on "AnalysisTask" t, when a run ends. */
export const END_TIMES = Prisma.sql`"completedAt" = clock_timestamp(), "processingTimeMs" = ${ELAPSED_MS}`;

/** Completes the end of runs in the transaction that ended them: scene rows, refund of unused seconds, events. */
export async function settleEnded(
  tx: Tx,
  ended: readonly ShownRun[],
  event: 'analysis_stopped' | 'analysis_error' = 'analysis_stopped',
): Promise<void> {
  const ids = ended.map(({ id }) => id);
  await showRuns(tx, ended);
  await returnRest(tx, ids);
  await emitRunEvents(tx, event, ids);
}
