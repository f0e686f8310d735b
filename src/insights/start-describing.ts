import { checkKnownStorage } from '../images/check-storage.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { every, untilDone } from '../platform/jobs/every.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { createWriter } from './create-writer.ts';
import { sweepInsights, workOnInsights } from './describe.job.ts';

const SWEEP_MS = 30_000;
const CONNECT_MS = 2_000;
/** Time that insights in progress have when the program stops; then they are handed back. */
const STOP_MS = 5_000;

/**
 * Writes insights until stopped, in every worker and API. While the database cannot be reached it waits.
 * `stop()` also stops the queue, so that no new job begins while insights in progress finish or are handed back.
 */
export function startDescribing(context: Context, queue: Queue): { stop(): Promise<void> } {
  const { logger } = context;
  const stopping = new AbortController();
  const parts = { ...context, writer: createWriter(context), queue };
  const failed = (error: unknown) => {
    if (!isDatabaseAway(error)) logger.error({ err: error }, 'insights cannot be worked on at the moment');
  };
  // With a wrong image storage no image would be found, and every insight would fail for good.
  const checkStorage = async () => {
    if (parts.writer.needsImages) await checkKnownStorage(context);
  };
  const connect = async () => {
    await checkStorage();
    await workOnInsights(parts, queue, stopping.signal);
  };
  const sweep = async () => {
    await checkStorage();
    await sweepInsights(parts, stopping.signal);
  };
  const repeated = [untilDone(CONNECT_MS, connect, failed), every(SWEEP_MS, sweep, failed)];
  return {
    async stop() {
      const late = setTimeout(() => stopping.abort(), STOP_MS);
      await Promise.all([...repeated.map((each) => each.stop()), queue.stop(2 * STOP_MS)]);
      clearTimeout(late);
    },
  };
}
