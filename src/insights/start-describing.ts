import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database-away.ts';
import { every } from '../platform/every.ts';
import type { Queue } from '../platform/queue.ts';
import { createWriter } from './create-writer.ts';
import { sweepInsights, workOnInsights } from './describe.job.ts';

const SWEEP_MS = 30_000;
const CONNECT_MS = 2_000;

/** A worker's part in writing insights, until stopped; while the database is away it waits. */
export function startDescribing(context: Context, queue: Queue): { stop(): Promise<void> } {
  const { logger } = context;
  const parts = { ...context, writer: createWriter(context), queue };
  let isWorking = false;
  const failed = (error: unknown) => {
    if (!isDatabaseAway(error)) logger.error({ err: error }, 'insights cannot be worked on at the moment');
  };
  const connect = every(
    CONNECT_MS,
    async () => {
      if (isWorking) return;
      await workOnInsights(parts, queue);
      isWorking = true;
    },
    failed,
  );
  const sweep = every(SWEEP_MS, () => sweepInsights(parts), failed);
  return {
    async stop() {
      await Promise.all([connect.stop(), sweep.stop()]);
      await queue.stop();
    },
  };
}
