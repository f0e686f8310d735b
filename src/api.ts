import { Command } from 'commander';
import { announceSetup } from './access/sign-in/announce-setup.ts';
import { watchInstallation } from './analytics/overview/admin/watch-installation.ts';
import { createApp } from './app.ts';
import { startServer } from './http/server/server.ts';
import { openQueue, startJobs } from './jobs.ts';
import { type Config, loadConfig, requireDatabaseUrl } from './platform/config.ts';
import { createContext, withOwnConnections } from './platform/context.ts';
import { isDatabaseAway } from './platform/database/database-away.ts';
import { checkDatabase } from './platform/database/database-check.ts';
import { onStopRequest } from './platform/processes/processes.ts';
import { Prometheus, serveMetrics } from './platform/prometheus.ts';
import type { ReadinessChecks } from './platform/readiness.ts';
import { startTracing } from './platform/tracing/tracing.ts';
import { countOpenTasks } from './runs/store/task.store.ts';

/** Starts the API. It is stateless; any number of replicas may run. */
async function start(config: Config): Promise<void> {
  const context = createContext(config, 'api');
  const { db, logger } = context;
  const tracing = await startTracing(config, { program: 'api', logger });
  const told = await checkDatabase(db, requireDatabaseUrl(config)).catch((error: unknown) => {
    // Missing tables are final. A database that cannot be reached may come back; /readyz reports it until then.
    if (!isDatabaseAway(error)) throw error;
    return `${(error as Error).message} Until then every call is answered 503.`;
  });
  if (told) logger.warn(told);
  const queue = openQueue(context, config.apiJobs);
  const prometheus = new Prometheus('api');
  prometheus.watchPool(db);
  prometheus.watchDatabase(db);
  prometheus.watchQueue(queue);
  prometheus.watchChat(context.chat);
  watchInstallation(prometheus, context);
  const help = 'Analysis tasks of all users that wait for a node, and that a node processes';
  prometheus.watch({ name: 'analysis_tasks', help }, () => countOpenTasks(db));
  const stopping = new AbortController();
  const checks: ReadinessChecks = {
    program: () => (stopping.signal.aborted ? 'ends' : null),
    database: () => db.$queryRaw`SELECT 1`,
    queue: () => queue.check(),
  };
  const metrics = await serveMetrics(prometheus, context, checks);

  const jobsContext = config.apiJobs ? withOwnConnections(context, 'api', config.apiJobsPoolSize) : context;
  if (config.apiJobs) prometheus.watchPool(jobsContext.db, 'jobs_pool_connections');
  const place = config.apiJobs ? 'api' : 'api-without-jobs';
  const jobs = startJobs(place, { context: jobsContext, queue, prometheus });
  const app = createApp(context, {
    stopping: stopping.signal,
    ready: checks,
    ...(metrics && { observe: (answer) => prometheus.observe(answer) }),
  });
  const server = await startServer(app, config);
  logger.info({ url: server.url }, 'The API listens');
  // On standard error, because standard output is the log, which others may read.
  const print = (text: string) => void process.stderr.write(text);
  const setup = announceSetup(context, { address: config.publicUrl ?? server.url, print });

  const stop = async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    // At the same time, so that the stop takes no longer than the slower of the two.
    await Promise.all([server.stop(), jobs.stop(), setup.stop()]);
    await queue.stop();
    await metrics?.stop();
    await tracing.stop();
    await Promise.all([...new Set([db, jobsContext.db])].map((each) => each.$disconnect()));
    logger.info('The API has stopped');
    // A connection without an answer of the database must not keep the stopped process alive.
    process.exit(0);
  };
  onStopRequest(() => void stop());
}

new Command('api')
  .description(
    'The API, its page and the background jobs that need no camera. Run as many as you like; SIGTERM ends it.\nIts settings are environment variables: src/configuration.md lists them.',
  )
  .parse();
try {
  await start(loadConfig(undefined, { program: true }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
