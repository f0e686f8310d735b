import { removeOldFrameRequests } from './analysis/frame-request.store.ts';
import { followSchedules } from './analysis/schedule.job.ts';
import { removeOldAttributes } from './attributes/retention.job.ts';
import { changeMonth } from './billing/month-change.job.ts';
import { probeIdleDevices } from './devices/presence.job.ts';
import { DESCRIBE_INSIGHT } from './insights/describe-job-type.ts';
import { settleDeadSearches } from './insights/search/search-tokens.ts';
import { removeOldMetrics } from './metrics/retention.job.ts';
import type { Context } from './platform/context.ts';
import { isDatabaseAway } from './platform/database-away.ts';
import { every } from './platform/every.ts';
import { removeOldImages } from './platform/images/retention.job.ts';
import { removeOldDeliveries } from './webhooks/retention.job.ts';

/** What goes through the queue: wanted by something that happened, at its own time. */
export const QUEUE_TYPES = [DESCRIBE_INSIGHT] as const;

interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** Comes round in API processes too: it must happen also where no worker is left. */
  readonly alsoInApi?: true;
  /** Safe to repeat, and safe beside itself on another node. */
  readonly run: (context: Context) => Promise<unknown>;
}

/** What comes round again and again, beside the runs themselves. */
const JOBS: readonly Job[] = [
  { name: 'presence', everySeconds: 2, run: (context) => probeIdleDevices(context) },
  { name: 'schedules', everySeconds: 5, run: followSchedules },
  { name: 'month-change', everySeconds: 10, alsoInApi: true, run: changeMonth },
  { name: 'search-tokens', everySeconds: 30, alsoInApi: true, run: settleDeadSearches },
  { name: 'metrics-retention', everySeconds: 3600, run: removeOldMetrics },
  { name: 'attribute-retention', everySeconds: 3600, run: removeOldAttributes },
  { name: 'image-retention', everySeconds: 3600, run: removeOldImages },
  { name: 'delivery-retention', everySeconds: 3600, run: removeOldDeliveries },
  { name: 'frame-requests', everySeconds: 60, run: ({ db }) => removeOldFrameRequests(db) },
];

/** Does every job of a program at its time until stopped; a job that fails is logged and comes again. */
export function startJobs(context: Context, program: 'api' | 'worker'): { stop(): Promise<void> } {
  const jobs = JOBS.filter(({ alsoInApi }) => program === 'worker' || alsoInApi);
  const running = jobs.map(({ name, everySeconds, run }) =>
    every(
      everySeconds * 1000,
      async () => {
        await run(context);
      },
      (error) => {
        if (isDatabaseAway(error)) return;
        context.logger.error({ err: error, job: name }, 'a job failed');
      },
    ),
  );
  return {
    async stop() {
      await Promise.all(running.map((job) => job.stop()));
    },
  };
}
