import { type ChatClient, openChat } from './chat/chat-client.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Config, misspelt, requireDatabaseUrl } from './config.ts';
import { Sealer } from './crypto.ts';
import { createDb, type Db } from './database/db.ts';
import { sessionOwner } from './database/session-owner.ts';
import type { ImageStore } from './images/image-store.ts';
import { openImages } from './images/open-images.ts';
import { createLogger, type Logger } from './logger.ts';
import { MadeOnce } from './made-once.ts';
import { openMailer } from './mail/mailer.ts';
import { loadSecrets } from './secrets.ts';

/** The connections to the outside world that every feature receives. A program builds it once; tests replace parts. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly images: ImageStore;
  /** Null where no model server is configured. */
  readonly chat: ChatClient | null;
  readonly shared: MadeOnce;
  /** Signs image addresses. The API and every worker use the same key. */
  readonly urlSigningKey: string;
  /** What the hash of a password costs; only tests give one, because the safe cost is a quarter of a second. */
  readonly passwordCost?: { readonly logN: number; readonly r: number; readonly p: number };
}

/** @param program name in the log, e.g. `api` @throws Error one sentence: a secret is missing, a file cannot be read */
export function createContext(config: Config, program: string): Context {
  // A file of certificates that cannot be read ends the start, not the first e-mail.
  openMailer({ config });
  const { encryptionKeys, urlSigningKey } = loadSecrets(config);
  const logger = createLogger({ level: config.logLevel, program });
  for (const sentence of misspelt()) logger.warn(sentence);
  return {
    config,
    db: openDb(config, logger, { program, maxConnections: config.databasePoolSize }),
    logger,
    clock: systemClock,
    sealer: new Sealer(encryptionKeys),
    images: openImages(config),
    chat: openChat(config, systemClock),
    shared: new MadeOnce({ config, logger }),
    urlSigningKey,
  };
}

/** A copy with its own database connections, so that its work never takes connections from other work. */
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
