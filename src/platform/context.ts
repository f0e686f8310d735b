import { type Config, requireDatabaseUrl } from '../config.ts';
import { type Clock, systemClock } from './clock.ts';
import { Sealer } from './crypto.ts';
import { createDb, type Db } from './database/db.ts';
import { sessionOwner } from './database/session-owner.ts';
import type { ImageStore } from './images/image-store.ts';
import { openImages } from './images/open-images.ts';
import { createLogger, type Logger } from './logger.ts';
import { loadSecrets } from './secrets.ts';

/** The outside world as every feature is given it: built once by a program, by tests with parts of their own. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly images: ImageStore;
  /** Signs image addresses: the same on the API and every worker. */
  readonly urlSigningKey: string;
}

/** @param program its name in the log, e.g. `api` */
export function createContext(config: Config, program: string): Context {
  const { encryptionKeys, urlSigningKey } = loadSecrets(config);
  const logger = createLogger({ level: config.logLevel, program });
  return {
    config,
    db: openDb(config, logger, { program, maxConnections: config.databasePoolSize }),
    logger,
    clock: systemClock,
    sealer: new Sealer(encryptionKeys),
    images: openImages(config),
    urlSigningKey,
  };
}

/** The same with database connections of its own: work over it never takes one from the others. */
export function withOwnConnections(context: Context, program: string, maxConnections: number): Context {
  return { ...context, db: openDb(context.config, context.logger, { program, maxConnections }) };
}

const openDb = (
  config: Config,
  logger: Logger,
  { program, maxConnections }: { program: string; maxConnections: number },
): Db =>
  createDb(requireDatabaseUrl(config), {
    maxConnections,
    owner: sessionOwner(program),
    onPoolError: (error) => logger.warn({ err: error }, 'A database connection broke; it will be replaced'),
  });
