import { Command } from 'commander';
import { loadConfig, requireDatabaseUrl } from '../../src/platform/config.ts';
import { describeDatabaseError } from '../../src/platform/database/database-check.ts';
import { createDb, type Db, type DbOptions } from '../../src/platform/database/db.ts';
import { printing } from '../support/printing.ts';

/** A person waits for the command and can end it; a busy machine needs long to open a connection. */
const PATIENCE_MS = 60_000;

/** The action of a command that works on the database and prints the result. */
export const onDb = <Given extends unknown[], Result extends object>(
  work: (db: Db, ...given: Given) => Promise<Result>,
  text: (result: Result, first: Given[0]) => string,
  options: Pick<DbOptions, 'silenceMs' | 'waitMs'> = {},
) =>
  printing(async (...given: Given) => {
    const databaseUrl = requireDatabaseUrl(loadConfig());
    const db = createDb(databaseUrl, { maxConnections: 1, waitMs: PATIENCE_MS, ...options });
    try {
      return await work(db, ...given);
    } catch (error) {
      throw describeDatabaseError(error, databaseUrl);
    } finally {
      await db.$disconnect();
    }
  }, text);

/** For commands that may handle millions of rows of one user. */
export const LONG = { silenceMs: 30 * 60_000 };

export const program = new Command('admin').description(
  'Users, API keys, sign-in links, networks, quotas, audits, storage and encryption keys. Needs only the database (DATABASE_URL).',
);

export const command = (name: string, description: string): Command =>
  program.command(name).description(description).option('--json', 'print one JSON document', false);

export const commandOnUser = (name: string, description: string): Command =>
  command(name, description).argument('<name|email>', 'the user');
