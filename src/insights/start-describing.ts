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
  // In a wrong storage no image is found, and every insight would fail for good.
  const checkStorage = async () => {
    if (parts.writer.needsPictures) await checkKnownStorage(context);
  };
  const connect = async () => {
    if (isWorking) return;
    await checkStorage();
    await workOnInsights(parts, queue, stopping.signal);
    isWorking = true;
  };
  const sweep = async () => {
    await checkStorage();
    await sweepInsights(parts, stopping.signal);
  };
  const repeated = [every(CONNECT_MS, connect, failed), every(SWEEP_MS, sweep, failed)];
  return {
    async stop() {
      const late = setTimeout(() => stopping.abort(), STOP_MS);
      await Promise.all([...repeated.map((each) => each.stop()), queue.stop(2 * STOP_MS)]);
      clearTimeout(late);
    },
  };
}
