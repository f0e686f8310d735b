import { setTimeout as pause } from 'node:timers/promises';
import { removeOldAttributes } from './attributes/retention.job.ts';
import { changeMonth } from './billing/month-change.job.ts';
import { followSchedules } from './control/schedule.job.ts';
import { probeIdleDevices } from './devices/presence.job.ts';
import { removeOldCalls } from './http/idempotency/retention.job.ts';
import { removeOldImages } from './images/retention.job.ts';
import { removeUnknownImages } from './images/sweep.job.ts';
import { DESCRIBE_INSIGHT } from './insights/describe-job-type.ts';
import { settleDeadSearches } from './insights/search/search-tokens.ts';
import { startDescribing } from './insights/start-describing.ts';
import { removeOldMetrics } from './metrics/retention.job.ts';
import { removeOldFrameRequests } from './node/frame-request.store.ts';
import { startRecovery } from './node/recover.ts';
import type { Context } from './platform/context.ts';
import { isDatabaseAway } from './platform/database/database-away.ts';
import { every } from './platform/jobs/every.ts';
import type { Queue } from './platform/jobs/queue.ts';
import type { Prometheus } from './platform/prometheus.ts';
import { isAnyNodeAlive } from './runs/control.store.ts';
import { startDeliverer } from './webhooks/deliver.job.ts';
import { removeOldDeliveries } from './webhooks/retention.job.ts';

/** What goes through the queue: wanted by something that happened, at its own time. */
export const QUEUE_TYPES = [DESCRIBE_INSIGHT] as const;

/** Where background work is done. `api-without-jobs` is an API with API_JOBS=false. */
export type Place = 'worker' | 'api' | 'api-without-jobs';

const EVERYWHERE = ['worker', 'api'] as const;

export interface JobTools {
  readonly context: Context;
  /** Of the program, which stops it after the jobs. */
  readonly queue: Queue;
  /** Counts turns and attempts. */
  readonly prometheus: Prometheus;
}

/** Every job is safe to repeat, and safe beside itself in any number of programs: it claims what it works on. */
type Job = { readonly name: string; readonly in: readonly Place[] } & (
  | {
      readonly everySeconds: number;
      readonly run: (context: Context, prometheus: Prometheus) => Promise<unknown>;
    }
  | { readonly start: (tools: JobTools, place: Place) => { stop(): Promise<void> } }
);

/** All background work beside the analysis runs themselves, and the programs that do it. */
const JOBS: readonly Job[] = [
  {
    name: 'deliveries',
    in: EVERYWHERE,
    // An API delivers at once only where no worker lives: its requests come first.
    start: ({ context, prometheus }, place) =>
      startDeliverer(context, {
        onMade: (status) => prometheus.countAttempt(status),
        ...(place === 'api' && { doOthersDeliver: () => isAnyNodeAlive(context.db) }),
      }),
  },
  { name: 'insights', in: EVERYWHERE, start: ({ context, queue }) => startDescribing(context, queue) },
  // The supervisor of a worker does the same by itself, after it has renewed its own leases. An API does it always:
  // without it the API would show runs of dead nodes as running.
  { name: 'recovery', in: ['api', 'api-without-jobs'], start: ({ context }) => startRecovery(context) },
  // Opens connections to cameras, which only workers must be able to reach.
  { name: 'presence', in: ['worker'], everySeconds: 2, run: (context) => probeIdleDevices(context) },
  { name: 'schedules', in: EVERYWHERE, everySeconds: 5, run: followSchedules },
  { name: 'month-change', in: EVERYWHERE, everySeconds: 10, run: changeMonth },
  { name: 'search-tokens', in: EVERYWHERE, everySeconds: 30, run: settleDeadSearches },
  { name: 'frame-requests', in: EVERYWHERE, everySeconds: 60, run: ({ db }) => removeOldFrameRequests(db) },
  { name: 'idempotency-retention', in: EVERYWHERE, everySeconds: 600, run: removeOldCalls },
  { name: 'metrics-retention', in: EVERYWHERE, everySeconds: 3600, run: removeOldMetrics },
  { name: 'attribute-retention', in: EVERYWHERE, everySeconds: 3600, run: removeOldAttributes },
  { name: 'image-retention', in: EVERYWHERE, everySeconds: 3600, run: removeOldImages },
  { name: 'image-sweep', in: EVERYWHERE, everySeconds: 3600, run: sweepImages },
  { name: 'delivery-retention', in: EVERYWHERE, everySeconds: 3600, run: removeOldDeliveries },
];

async function sweepImages(context: Context, prometheus: Prometheus): Promise<void> {
  prometheus.countUnknownImages(await removeUnknownImages(context));
}

/** Names of the jobs that are done in a place. */
export const jobsIn = (place: Place): string[] =>
  JOBS.filter((job) => job.in.includes(place)).map(({ name }) => name);

/** Longer than a delivery or an insight under way is waited for. A turn that takes longer may be cut off anywhere. */
const STOP_MS = 10_000;

/**
 * Does every job of a place until stopped. A turn that fails is logged and counted, and the job comes again.
 * `stop()` begins nothing new, lets what runs finish or hands it back, and takes at most 10 s.
 */
export function startJobs(place: Place, tools: JobTools): { stop(): Promise<void> } {
  const running = JOBS.filter((job) => job.in.includes(place)).map((job) =>
    'start' in job ? job.start(tools, place) : repeat(job, tools),
  );
  return {
    async stop() {
      const stopped = new AbortController();
      const late = pause(STOP_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running.map((job) => job.stop())), late]);
      stopped.abort();
    },
  };
}

function repeat(
  { name, everySeconds, run }: Extract<Job, { everySeconds: number }>,
  { context, prometheus }: JobTools,
) {
  return every(
    everySeconds * 1000,
    async () => {
      await run(context, prometheus);
      prometheus.countTurn(name, 'done');
    },
    (error) => {
      prometheus.countTurn(name, 'failed');
      if (!isDatabaseAway(error)) context.logger.error({ err: error, job: name }, 'a job failed');
    },
  );
}
