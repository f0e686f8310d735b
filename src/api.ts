import { createApp } from './app.ts';
import { type Config, loadConfig, requireDatabaseUrl } from './config.ts';
import { type RunningServer, startServer } from './http/server.ts';
import { createContext } from './platform/context.ts';
import { isDatabaseAway } from './platform/database-away.ts';
import { checkDatabase } from './platform/database-check.ts';

/** The API: stateless, as many replicas as wanted. */
async function start(config: Config): Promise<void> {
  const context = createContext(config, 'api');
  await checkDatabase(context.db, requireDatabaseUrl(config)).catch((error: unknown) => {
    // Without tables nothing will ever work; a database that is only away comes back, and /readyz says so.
    if (!isDatabaseAway(error)) throw error;
    context.logger.warn(`${(error as Error).message} Until then every call is answered 503.`);
  });
  let stopping = false;
  const server = await startServer(createApp(context, { isStopping: () => stopping }), config);
  context.logger.info({ url: server.url }, 'The API listens');

  const stop = async (server: RunningServer) => {
    if (stopping) return;
    stopping = true;
    await server.stop();
    await context.db.$disconnect();
    context.logger.info('The API has stopped');
  };
  process.on('SIGTERM', () => void stop(server));
  process.on('SIGINT', () => void stop(server));
}

try {
  await start(loadConfig());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
