import { checkKnownStorage } from '../images/check-storage.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { every } from '../platform/jobs/every.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { createWriter } from './create-writer.ts';
import { sweepInsights, workOnInsights } from './describe.job.ts';

const SWEEP_MS = 30_000;
const CONNECT_MS = 2_000;
/** What is under way when the program is to end may take so long; the rest is handed back. */
const STOP_MS = 5_000;

/**
 * Writes insights until stopped, in every worker and API; while the database is away it waits. `stop()` also stops the
 * queue: only so no job begins while others finish.
 */
export function startDescribing(context: Context, queue: Queue): { stop(): Promise<void> } {
  const { logger } = context;
  const stopping = new AbortController();
  const parts = { ...context, writer: createWriter(context), queue };
  let isWorking = false;
  const failed = (error: unknown) => {
    if (!isDatabaseAway(error)) logger.error({ err: error }, 'insights cannot be worked on at the moment');
  };
  const connect = every(
    CONNECT_MS,
    async () => {
      if (isWorking) return;
      // Without the pictures every insight would fail for good.
      if (parts.writer.needsPictures) await checkKnownStorage(context);
      await workOnInsights(parts, queue, stopping.signal);
      isWorking = true;
    },
    failed,
  );
  const sweep = every(
    SWEEP_MS,
    async () => {
      if (parts.writer.needsPictures) await checkKnownStorage(context);
      await sweepInsights(parts, stopping.signal);
    },
    failed,
  );
  return {
    async stop() {
      const late = setTimeout(() => stopping.abort(), STOP_MS);
      await Promise.all([connect.stop(), sweep.stop(), queue.stop(2 * STOP_MS)]);
      clearTimeout(late);
    },
  };
}
