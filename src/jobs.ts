import { setTimeout as pause } from 'node:timers/promises';
import { removeOldSessions } from './access/sessions/session.store.ts';
import { removeOldAlerts } from './alerts/retention.job.ts';
import { adviseScenes, removeOldAdvice } from './analytics/advice/advise.job.ts';
import { removeOldReports, sendDueReports } from './analytics/reports/subscriptions/send-due.job.ts';
import { removeOldUnusual, watchScenes } from './analytics/unusual/watch-scenes.job.ts';
import { removeOldAttributes } from './attributes/retention.job.ts';
import { removeOldAudit } from './audit/audit.store.ts';
import { foldMonths } from './billing/fold/fold-months.job.ts';
import { changeMonth } from './billing/month-change.job.ts';
import { removeOldFrameRequests } from './cameras/devices/images/frame-request.store.ts';
import { removeOldPictures } from './cameras/devices/images/live-picture.store.ts';
import { probeIdleDevices } from './cameras/devices/presence.job.ts';
import { removeOldDiscoveries } from './cameras/discovery/discovery.store.ts';
import { noteMovedViews } from './cameras/scenes/checks/check.store.ts';
import { settleOldChecks } from './cameras/scenes/checks/run-check.ts';
import { takeStills } from './cameras/scenes/checks/take-stills.job.ts';
import { startFilming } from './cameras/scenes/checks/times/film-cameras.job.ts';
import { removeOldMessages } from './delivery/notifications/delivery/delivery.store.ts';
import { Notifier } from './delivery/notifications/delivery/notifier.ts';
import { runDeliverers } from './delivery/outbox/run-deliverers.ts';
import { Deliverer } from './delivery/webhooks/deliverer.ts';
import { removeOldDeliveries } from './delivery/webhooks/retention.job.ts';
import { removeOldCalls } from './http/idempotency/call.store.ts';
import { removeOldImages } from './images/retention.job.ts';
import { removeUnknownImages } from './images/sweep.job.ts';
import { DESCRIBE_INSIGHT } from './insights/describe-job-type.ts';
import { settleDeadSearches } from './insights/search/search-tokens.ts';
import { startDescribing } from './insights/start-describing.ts';
import { removeOldFloor } from './metrics/floor/retention.job.ts';
import { removeOldHistory } from './metrics/folded/history-retention.job.ts';
import { packRows } from './metrics/packed/pack-rows.job.ts';
import { removeOldMetrics } from './metrics/retention.job.ts';
import { runMqttBridge } from './mqtt/run-mqtt-bridge.ts';
import { fillAllIndexes, makePartitions } from './partitions.ts';
import { requireDirectDatabaseUrl } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { isDatabaseAway } from './platform/database/database-away.ts';
import { every, untilDone } from './platform/jobs/every.ts';
import { lazyQueue } from './platform/jobs/lazy-queue.ts';
import { type JobType, type Queue, startQueue } from './platform/jobs/queue.ts';
import { isWorkedOff } from './platform/jobs/work-off.ts';
import type { Prometheus } from './platform/prometheus.ts';
import { removeOldExports } from './privacy/export/retention.job.ts';
import { erasePictures } from './privacy/pictures/erase-pictures.job.ts';
import { startDataJobs } from './privacy/work-on-jobs.ts';
import { finishRestarts } from './runs/api/restart/restart-scene.ts';
import { followSchedules } from './runs/api/schedule.job.ts';
import { startRecovery } from './runs/node/recover.ts';
import { deleteOldRecordings, finishErasures } from './runs/recordings/erase-recording.ts';
import { removeUnknownRecordings } from './runs/recordings/sweep.job.ts';
import { isAnyNodeOnline } from './runs/store/nodes.store.ts';
import { removeOldTasks } from './runs/store/retention/remove-old-runs.job.ts';

/** A background job at fixed times. All of them share one queue; `name` is one of `JOBS`. */
const TIMED_JOB: JobType<{ name: string }> = {
  name: 'timed-job',
  // The next time is the next try.
  retryLimit: 0,
  retryDelaySeconds: 1,
  expireSeconds: 3600,
  keyed: true,
};

/** The queue of a program. It connects when it is first used. @param hasJobs false: the program works on no jobs */
export const openQueue = ({ config, logger }: Pick<Context, 'config' | 'logger'>, hasJobs = true): Queue =>
  lazyQueue(() =>
    startQueue({
      databaseUrl: requireDirectDatabaseUrl(config),
      types: hasJobs ? [DESCRIBE_INSIGHT, TIMED_JOB] : [],
      supervise: hasJobs,
      onError: (error) => logger.warn({ err: error }, 'The queue has failed; it tries again'),
    }),
  );

/** The kind of program. `api-without-jobs` is an API with API_JOBS=false. */
export type Place = 'worker' | 'api' | 'api-without-jobs';

const EVERYWHERE = ['worker', 'api'] as const;

export interface JobTools {
  readonly context: Context;
  readonly queue: Queue;
  /** Counts the runs of jobs and the attempts of deliveries. */
  readonly prometheus: Prometheus;
}

type Run = (context: Context, prometheus: Prometheus) => Promise<unknown>;

/** One background job. Every job may run twice and at the same time in any number of programs. */
type Job = { readonly name: string; readonly in: readonly Place[] } & (
  | { readonly cron: string; readonly run: Run }
  | { readonly everySeconds: number; readonly run: Run }
  | { readonly start: (tools: JobTools, place: Place) => { stop(): Promise<void> } }
);

/**
 * All background jobs, and the programs that run them. There are three kinds:
 * - `cron`: pg-boss starts it at these times (UTC) in one of the programs, each in another second of the minute.
 * - `everySeconds`: every program repeats it. Schedules of pg-boss have a resolution of one minute, which is too slow for these
 *   jobs. Each claims its rows, so that programs share the work.
 * - `start`: it works without pause. Deliveries claim their rows by hand, because receivers and users must get fair shares.
 */
const JOBS: readonly Job[] = [
  {
    name: 'deliveries',
    in: EVERYWHERE,
    // An API delivers at once only while no worker lives, because its requests come first.
    start: ({ context, prometheus }, place) =>
      runDeliverers(
        context,
        (onFree) => [
          new Deliverer(context, { onFree, onMade: (status) => prometheus.countAttempt(status) }),
          new Notifier(context, {
            onFree,
            onMade: (channel, status) => prometheus.countNotification(channel, status),
          }),
        ],
        place === 'api' ? { doOthersDeliver: () => isAnyNodeOnline(context.db) } : {},
      ),
  },
  { name: 'insights', in: EVERYWHERE, start: ({ context, queue }) => startDescribing(context, queue) },
  // The supervisor of a worker does the same after it has renewed its own leases. An API always does it: otherwise it would
  // show the runs of dead nodes as running.
  { name: 'recovery', in: ['api', 'api-without-jobs'], start: ({ context }) => startRecovery(context) },
  { name: 'mqtt', in: EVERYWHERE, start: ({ context, prometheus }) => runMqttBridge(context, prometheus) },
  { name: 'data-jobs', in: EVERYWHERE, start: ({ context }) => startDataJobs(context) },
  // Connects to cameras, which only workers must be able to reach.
  { name: 'presence', in: ['worker'], everySeconds: 2, run: (context) => probeIdleDevices(context) },
  { name: 'check-stills', in: EVERYWHERE, everySeconds: 5, run: takeStills },
  { name: 'check-films', in: EVERYWHERE, start: ({ context }) => startFilming(context) },
  { name: 'schedules', in: EVERYWHERE, everySeconds: 5, run: followSchedules },
  { name: 'scene-restarts', in: EVERYWHERE, everySeconds: 5, run: finishRestarts },
  { name: 'month-change', in: EVERYWHERE, everySeconds: 10, run: changeMonth },
  { name: 'search-tokens', in: EVERYWHERE, everySeconds: 30, run: settleDeadSearches },
  { name: 'reports', in: EVERYWHERE, everySeconds: 10, run: sendDueReports },
  // At the start too: so the rows of a service that stood still for weeks find their partition.
  { name: 'partitions', in: EVERYWHERE, everySeconds: 3600, run: makePartitions },
  // Each hour, in a loop of its own: it may take minutes, in which the jobs of the queue must go on.
  { name: 'full-indexes', in: EVERYWHERE, everySeconds: 3600, run: fillAllIndexes },
  { name: 'frame-requests', in: EVERYWHERE, cron: '* * * * *', run: removeOldFrameRequests },
  { name: 'live-pictures', in: EVERYWHERE, cron: '* * * * *', run: removeOldPictures },
  { name: 'discovery-requests', in: EVERYWHERE, cron: '* * * * *', run: removeOldDiscoveries },
  { name: 'idempotency-retention', in: EVERYWHERE, cron: '*/10 * * * *', run: removeOldCalls },
  { name: 'session-retention', in: EVERYWHERE, cron: '*/10 * * * *', run: removeOldSessions },
  { name: 'packed-rows', in: EVERYWHERE, cron: '*/5 * * * *', run: packRows },
  { name: 'metrics-retention', in: EVERYWHERE, cron: '5 * * * *', run: removeOldMetrics },
  { name: 'history-retention', in: EVERYWHERE, cron: '8 * * * *', run: removeOldHistory },
  { name: 'moved-checks', in: EVERYWHERE, cron: '* * * * *', run: noteMovedViews },
  { name: 'check-retention', in: EVERYWHERE, cron: '12 * * * *', run: settleOldChecks },
  { name: 'run-retention', in: EVERYWHERE, cron: '18 * * * *', run: removeOldTasks },
  { name: 'staffing-advice', in: EVERYWHERE, cron: '* * * * *', run: adviseScenes },
  { name: 'advice-retention', in: EVERYWHERE, cron: '12 * * * *', run: removeOldAdvice },
  { name: 'unusual-activity', in: EVERYWHERE, cron: '* * * * *', run: watchScenes },
  { name: 'unusual-retention', in: EVERYWHERE, cron: '12 * * * *', run: removeOldUnusual },
  { name: 'floor-retention', in: EVERYWHERE, cron: '10 * * * *', run: removeOldFloor },
  { name: 'attribute-retention', in: EVERYWHERE, cron: '15 * * * *', run: removeOldAttributes },
  { name: 'deleted-pictures', in: EVERYWHERE, cron: '* * * * *', run: erasePictures },
  { name: 'export-retention', in: EVERYWHERE, cron: '20 * * * *', run: removeOldExports },
  { name: 'usage-retention', in: EVERYWHERE, cron: '30 * * * *', run: foldMonths },
  { name: 'alert-retention', in: EVERYWHERE, cron: '28 * * * *', run: removeOldAlerts },
  { name: 'recording-retention', in: EVERYWHERE, cron: '*/10 * * * *', run: deleteOldRecordings },
  { name: 'image-retention', in: EVERYWHERE, cron: '25 * * * *', run: removeOldImages },
  { name: 'image-sweep', in: EVERYWHERE, cron: '35 * * * *', run: sweepImages },
  { name: 'audit-retention', in: EVERYWHERE, cron: '40 * * * *', run: removeOldAudit },
  { name: 'recording-erasure', in: EVERYWHERE, cron: '* * * * *', run: finishErasures },
  { name: 'recording-sweep', in: EVERYWHERE, cron: '50 * * * *', run: removeUnknownRecordings },
  { name: 'delivery-retention', in: EVERYWHERE, cron: '45 * * * *', run: removeOldDeliveries },
  { name: 'report-retention', in: EVERYWHERE, cron: '55 * * * *', run: removeOldReports },
  { name: 'notification-retention', in: EVERYWHERE, cron: '50 * * * *', run: removeOldMessages },
];

async function sweepImages(context: Context, prometheus: Prometheus): Promise<void> {
  prometheus.countUnknownImages(await removeUnknownImages(context));
}

const jobsOf = (place: Place): readonly Job[] => JOBS.filter((job) => job.in.includes(place));

/** Names of the jobs that a kind of program runs. */
export const jobsIn = (place: Place): string[] => jobsOf(place).map(({ name }) => name);

const TIMED = JOBS.flatMap((job) => ('cron' in job ? [job.name] : []));

/**
 * How long after the beginning of its minute a job with `cron` starts. Each has a second of its own: all of them at once kept the database
 * busy for so long that leases could not be renewed.
 */
export const delaySecondsOf = (name: string): number => Math.floor((TIMED.indexOf(name) * 60) / TIMED.length);

/** Most time that a stop takes; longer than a delivery or an insight in progress may take. */
const STOP_MS = 10_000;
const CONNECT_MS = 2_000;

/**
 * Runs the jobs of a program until stopped. A run that fails is logged and counted; the job runs again at its next time.
 * `stop()` starts nothing new, waits at most 10 s for what runs, and hands back the rest.
 */
export function startJobs(place: Place, tools: JobTools): { stop(): Promise<void> } {
  const jobs = jobsOf(place);
  const running = jobs.flatMap((job) => {
    if ('start' in job) return [job.start(tools, place)];
    return 'everySeconds' in job
      ? [
          every(
            job.everySeconds * 1000,
            () => runOnce(job, tools),
            () => undefined,
          ),
        ]
      : [];
  });
  const timed = jobs.filter((job) => 'cron' in job);
  if (timed.length > 0) running.push(startTimedJobs(timed, tools));
  return {
    async stop() {
      const stopped = new AbortController();
      const late = pause(STOP_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running.map((job) => job.stop())), late]);
      stopped.abort();
    },
  };
}

/**
 * Makes the schedules and works on the jobs they cause, as soon as the queue can be reached. The job `insights`, which runs in
 * the same programs, stops the queue.
 */
function startTimedJobs(jobs: readonly Extract<Job, { cron: string }>[], tools: JobTools) {
  const { context, queue } = tools;
  return untilDone(
    CONNECT_MS,
    async () => {
      for (const { name, cron } of jobs)
        await queue.schedule(TIMED_JOB, { name }, { cron, key: name, delaySeconds: delaySecondsOf(name) });
      await queue.work(TIMED_JOB, { concurrency: 1 }, async ({ name }) => {
        // During an upgrade another program may schedule a job that this version does not have.
        const job = jobs.find((each) => each.name === name);
        if (job) await runOnce(job, tools);
      });
    },
    (error) => {
      if (!isDatabaseAway(error)) context.logger.error({ err: error }, 'timed jobs cannot be scheduled yet');
    },
  );
}

/** Runs a job once; an error is logged and counted. */
async function runOnce({ name, run }: { name: string; run: Run }, { context, prometheus }: JobTools) {
  try {
    const worked = await run(context, prometheus);
    if (isWorkedOff(worked)) prometheus.countRows(name, worked);
    prometheus.countTurn(name, 'done');
  } catch (error) {
    prometheus.countTurn(name, 'failed');
    if (!isDatabaseAway(error)) context.logger.error({ err: error, job: name }, 'a job failed');
  }
}
