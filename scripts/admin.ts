import { Command, InvalidArgumentError } from 'commander';
import { createKey } from '../src/access/create-key.ts';
import { eraseUser, findUser, insertUser, makeAdmin, type User } from '../src/access/user.store.ts';
import { loadConfig, requireDatabaseUrl } from '../src/config.ts';
import { isScope, SCOPES, type Scope } from '../src/http/permission.ts';
import { createDb, type Db } from '../src/platform/db.ts';
import { main, print } from './terminal.ts';

const EVERY_SCOPE = Object.keys(SCOPES).filter(isScope);
const scopesOf = (isAdmin: boolean) => EVERY_SCOPE.filter((scope) => isAdmin || scope !== 'admin');

async function withDb<Result>(act: (db: Db) => Promise<Result>): Promise<Result> {
  const db = createDb(requireDatabaseUrl(loadConfig()));
  try {
    return await act(db);
  } finally {
    await db.$disconnect();
  }
}

async function existingUser(db: Db, email: string): Promise<User> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return user;
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

async function createUser(email: string, options: { admin?: boolean; json?: boolean }): Promise<void> {
  const isAdmin = options.admin ?? false;
  const result = await withDb(async (db) => {
    const made = await insertUser(db, { email, isAdmin });
    if (made) {
      const { key } = await createKey(db, { userId: made.id, name: 'first key', scopes: scopesOf(isAdmin) });
      return { userId: made.id, email, isAdmin, created: true, key };
    }
    const user = await existingUser(db, email);
    if (isAdmin && !user.isAdmin) await makeAdmin(db, user.id);
    return { userId: user.id, email, isAdmin: isAdmin || user.isAdmin, created: false, key: null };
  });
  print(options.json, result, () =>
    result.key
      ? `User ${email} (${result.userId})\nAPI key, shown only now:\n${result.key}`
      : `User ${email} (${result.userId}) was there already; create-key makes another key.`,
  );
}

async function createKeyOf(
  email: string,
  options: { name: string; scopes?: Scope[]; expires?: Date; json?: boolean },
): Promise<void> {
  const result = await withDb(async (db) => {
    const user = await existingUser(db, email);
    const scopes = options.scopes ?? scopesOf(user.isAdmin);
    if (scopes.includes('admin') && !user.isAdmin) {
      throw new Error(`${email} is no administrator: create-user ${email} --admin makes one.`);
    }
    const expiresAt = options.expires ?? null;
    const { id, key } = await createKey(db, { userId: user.id, name: options.name, scopes, expiresAt });
    return { userId: user.id, keyId: id, scopes, expiresAt, key };
  });
  print(options.json, result, () => `API key of ${email}, shown only now:\n${result.key}`);
}

async function deleteUser(email: string, options: { json?: boolean }): Promise<void> {
  const deleted = await withDb(async (db) => {
    const user = await findUser(db, email);
    if (user) await eraseUser(db, user.id);
    return user !== null;
  });
  print(options.json, { email, deleted }, () =>
    deleted ? `User ${email} and all its rows are gone.` : `There was no user ${email}.`,
  );
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
  .action(createUser);
program
  .command('create-key')
  .argument('<name|email>', 'an existing user')
  .description('make one more API key')
  .option('--name <text>', 'what the key is for', 'key')
  .option('--scopes <list>', 'scopes separated by commas (default: all the user may have)', scopeList)
  .option('--expires <date>', 'the day it stops working (default: never)', futureDay)
  .option('--json', 'one JSON document', false)
  .action(createKeyOf);
program
  .command('delete-user')
  .argument('<name|email>', 'the user')
  .description('erase a user and everything that belongs to it')
  .option('--json', 'one JSON document', false)
  .action(deleteUser);

await main(() => program.parseAsync());
