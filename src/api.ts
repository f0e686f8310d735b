import { createApp } from './app.ts';
import { type Config, loadConfig, requireDatabaseUrl } from './config.ts';
import { type RunningServer, startServer } from './http/server.ts';
import { createContext } from './platform/context.ts';
import { isDatabaseAway } from './platform/database-away.ts';
import { checkDatabase } from './platform/database-check.ts';
import { checkImageStorage } from './platform/images/check-storage.ts';

/** The API: stateless, as many replicas as wanted. */
async function start(config: Config): Promise<void> {
  const context = createContext(config, 'api');
  try {
    await checkDatabase(context.db, requireDatabaseUrl(config));
    await checkImageStorage(context);
  } catch (error) {
    // Without tables nothing will ever work; a database that is only away comes back, and /readyz says so.
    if (!isDatabaseAway(error)) throw error;
    context.logger.warn(`${(error as Error).message} Until then every call is answered 503.`);
  }
  const stopping = new AbortController();
  const server = await startServer(createApp(context, { stopping: stopping.signal }), config);
  context.logger.info({ url: server.url }, 'The API listens');

  const stop = async (server: RunningServer) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
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
