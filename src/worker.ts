import { Command, Option } from 'commander';
import { describeConfig, loadConfig, requireDatabaseUrl } from './config.ts';
import { QUEUE_TYPES, startJobs } from './jobs.ts';
import { startWorker } from './node/start-worker.ts';
import { createContext, withOwnConnections } from './platform/context.ts';
import { lazyQueue } from './platform/jobs/lazy-queue.ts';
import { startQueue } from './platform/jobs/queue.ts';
import { onStopRequest } from './platform/processes/processes.ts';
import { keepHeapSteady } from './platform/processes/steady-heap.ts';
import { Prometheus, serveMetrics } from './platform/prometheus.ts';

/** Variables of the API alone: read here too, so that one environment serves both, but of no use to a worker. */
const OF_THE_API =
  /^(HOST|PORT|TRUST_PROXY|CORS_ORIGINS|REQUEST_TIMEOUT_SECONDS|SHUTDOWN_SECONDS|API_JOBS)$|_PER_MINUTE$/;

const program = new Command('worker').description(
  'One compute node: takes queued analysis runs, watches their cameras in child processes (lanes) and stores the\nnumbers. Start as many as you like, on as many machines. SIGTERM hands its runs to the others at once.\nEvery option is an environment variable too.',
);
for (const { name, defaultValue, meaning } of describeConfig()) {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')} <value>`;
  const shown = defaultValue === '' ? meaning : `${meaning} (default: ${defaultValue})`;
  const option = new Option(flag, shown).env(name);
  program.addOption(OF_THE_API.test(name) ? option.hideHelp() : option);
}

/** One compute node, until it is told to end. */
async function start(): Promise<void> {
  const given = program.parse().opts<Record<string, string>>();
  const variable = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const context = createContext(
    loadConfig(Object.fromEntries(Object.entries(given).map(([name, value]) => [variable(name), value]))),
    'worker',
  );
  const prometheus = new Prometheus('worker');
  prometheus.watchPool(context.db);
  const metrics = await serveMetrics(prometheus, context);
  const abort = new AbortController();
  onStopRequest(() => abort.abort());
  const queue = lazyQueue(() =>
    startQueue({
      databaseUrl: context.config.directDatabaseUrl ?? requireDatabaseUrl(context.config),
      types: QUEUE_TYPES,
      supervise: true,
      onError: (error) => context.logger.warn({ err: error }, 'The queue had a fault; it tries again'),
    }),
  );
  // Before the lanes, whose model may take a while: what has happened is told all the same.
  const jobsContext = withOwnConnections(context, 'worker', context.config.apiJobsPoolSize);
  const jobs = startJobs('worker', { context: jobsContext, queue, prometheus });
  const onReplaced = () => abort.abort();
  const worker = await startWorker(context, { queue, signal: abort.signal, prometheus, onReplaced });
  if (!abort.signal.aborted) {
    await new Promise((resolve) => abort.signal.addEventListener('abort', resolve, { once: true }));
  }
  await worker?.stop();
  await jobs.stop();
  await queue.stop();
  await metrics?.stop();
  await Promise.all([context.db, jobsContext.db].map((each) => each.$disconnect()));
}

keepHeapSteady('worker');
try {
  await start();
  // A connection that the database never answers must not keep an ended worker.
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
