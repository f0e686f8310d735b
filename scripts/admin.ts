import { Command, InvalidArgumentError } from 'commander';
import {
  createKeyFor,
  createUser,
  deleteUser,
  EVERY_SCOPE,
  type KeyOptions,
} from '../src/access/administer.ts';
import { loadConfig, requireDatabaseUrl } from '../src/config.ts';
import { isScope, type Scope } from '../src/http/permission.ts';
import { describeDatabaseError } from '../src/platform/database-check.ts';
import { createDb, type Db } from '../src/platform/db.ts';
import { main, print } from './terminal.ts';

async function withDb<Result>(act: (db: Db) => Promise<Result>): Promise<Result> {
  const databaseUrl = requireDatabaseUrl(loadConfig());
  const db = createDb(databaseUrl, { maxConnections: 1 });
  try {
    return await act(db);
  } catch (error) {
    throw describeDatabaseError(error, databaseUrl);
  } finally {
    await db.$disconnect();
  }
}

function scopeList(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. There are: ${EVERY_SCOPE.join(', ')}.`);
  }
  return names.filter(isScope);
}

function futureDay(text: string): Date {
  const date = new Date(text);
  if (!(date > new Date()))
    throw new InvalidArgumentError('It must be a date in the future, like 2027-01-31.');
  return date;
}

const program = new Command('admin').description(
  'Users and API keys. Needs the database (DATABASE_URL) only.',
);
program
  .command('create-user')
  .argument('<name|email>', 'by which you will know the user')
  .description('make a user and its first key; a user who exists stays as it is')
  .option('--admin', 'with the scope `admin`', false)
  .option('--json', 'one JSON document', false)
  .action(async (email: string, { admin, json }: { admin: boolean; json: boolean }) => {
    const result = await withDb((db) => createUser(db, email, admin));
    print(json, result, () =>
      result.key
        ? `User ${email} (${result.userId})\nAPI key, shown only now:\n${result.key}`
        : `User ${email} (${result.userId}) was there already; create-key makes another key.`,
    );
  });
program
  .command('create-key')
  .argument('<name|email>', 'an existing user')
  .description('make one more API key')
  .option('--name <text>', 'what the key is for', 'key')
  .option('--scopes <list>', 'scopes separated by commas (default: all the user may have)', scopeList)
  .option('--expires <date>', 'the day it stops working (default: never)', futureDay)
  .option('--json', 'one JSON document', false)
  .action(async (email: string, { json, ...options }: KeyOptions & { json: boolean }) => {
    const result = await withDb((db) => createKeyFor(db, email, options));
    print(json, result, () => `API key of ${email}, shown only now:\n${result.key}`);
  });
program
  .command('delete-user')
  .argument('<name|email>', 'the user')
  .description('erase a user and everything that belongs to it')
  .option('--json', 'one JSON document', false)
  .action(async (email: string, { json }: { json: boolean }) => {
    const deleted = await withDb((db) => deleteUser(db, email));
    print(json, { email, deleted }, () =>
      deleted ? `User ${email} and all its rows are gone.` : `There was no user ${email}.`,
    );
  });

await main(() => program.parseAsync());
