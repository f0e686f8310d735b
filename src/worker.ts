import { Command, Option } from 'commander';
import { openQueue, startJobs } from './jobs.ts';
import { describeConfig, loadConfig } from './platform/config.ts';
import { createContext, withOwnConnections } from './platform/context.ts';
import { onStopRequest } from './platform/processes/processes.ts';
import { keepHeapSteady } from './platform/processes/steady-heap.ts';
import { Prometheus, serveMetrics } from './platform/prometheus.ts';
import { startTracing } from './platform/tracing/tracing.ts';
import { type RunningWorker, startWorker } from './runs/node/start-worker.ts';

/** Variables that only the API uses. A worker accepts them too, so that both can share one environment. */
const API_ONLY =
  /^(HOST|PORT|TRUST_PROXY|CORS_ORIGINS|REQUEST_TIMEOUT_SECONDS|SHUTDOWN_SECONDS|API_JOBS)$|_PER_MINUTE$/;

const program = new Command('worker').description(
  'One compute node: claims queued analysis runs, analyses their cameras in child processes (lanes) and stores the\nmetrics. Start as many as you like, on as many machines. SIGTERM releases its runs to the others at once.\nEvery option is also an environment variable.',
);
for (const { name, defaultValue, meaning } of describeConfig()) {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')} <value>`;
  const shown = defaultValue === '' ? meaning : `${meaning} (default: ${defaultValue})`;
  const option = new Option(flag, shown).env(name);
  program.addOption(API_ONLY.test(name) ? option.hideHelp() : option);
}

/** Runs one compute node until the process is asked to stop. */
async function start(): Promise<void> {
  const given = program.parse().opts<Record<string, string>>();
  const variable = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [variable(name), value]));
  const context = createContext(loadConfig(undefined, { options, program: true }), 'worker');
  const tracing = await startTracing(context.config, { program: 'worker', logger: context.logger });
  const prometheus = new Prometheus('worker');
  prometheus.watchPool(context.db);
  prometheus.watchDatabase(context.db);
  prometheus.watchChat(context.chat);
  const abort = new AbortController();
  onStopRequest(() => abort.abort());
  const queue = openQueue(context);
  let node = null as RunningWorker | null;
  const metrics = await serveMetrics(prometheus, context, {
    program: () => (abort.signal.aborted ? 'ends' : null),
    database: () => context.db.$queryRaw`SELECT 1`,
    queue: () => queue.check(),
    lanes: () => (node ? node.ready.lanes() : 'being started'),
    heartbeat: () => (node ? node.ready.heartbeat() : 'no heartbeat yet'),
  });
  // Before the lanes, whose model may take minutes to load: webhooks are delivered meanwhile.
  const jobsContext = withOwnConnections(context, 'worker', context.config.apiJobsPoolSize);
  const jobs = startJobs('worker', { context: jobsContext, queue, prometheus });
  const onReplaced = () => abort.abort();
  node = await startWorker(context, { queue, signal: abort.signal, prometheus, onReplaced });
  if (!abort.signal.aborted) {
    await new Promise((resolve) => abort.signal.addEventListener('abort', resolve, { once: true }));
  }
  await node?.stop();
  await jobs.stop();
  await queue.stop();
  await metrics?.stop();
  await tracing.stop();
  await Promise.all([context.db, jobsContext.db].map((each) => each.$disconnect()));
}

keepHeapSteady('worker');
try {
  await start();
  // A connection that the database never answers must not keep the process alive.
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
