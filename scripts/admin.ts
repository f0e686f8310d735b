import { Command, InvalidArgumentError } from 'commander';
import {
  createKeyFor,
  createUser,
  deleteUser,
  EVERY_SCOPE,
  type KeyOptions,
} from '../src/access/administer.ts';
import { setNetworks, showNetworks, type UserNetworks } from '../src/access/networks.ts';
import { grantQuota, setQuota } from '../src/billing/admin/operate-quota.ts';
import { auditLedger } from '../src/billing/audit/audit-ledger.ts';
import { readDefaultLimits, writeDefaultLimits } from '../src/billing/base.store.ts';
import { FEATURES, MAX_AMOUNT, UNITS } from '../src/billing/features.ts';
import { loadConfig, requireDatabaseUrl } from '../src/config.ts';
import { isScope, type Scope } from '../src/http/permission.ts';
import { describeDatabaseError } from '../src/platform/database/database-check.ts';
import { createDb, type Db, type DbOptions } from '../src/platform/database/db.ts';
import { openImages } from '../src/platform/images/open-images.ts';
import type { Feature } from '../src/platform/prisma-client/client.ts';
import { main, type Progress, print, progress, table } from './support/terminal.ts';

interface QuotaOptions {
  readonly device?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly json: boolean;
}

async function withDb<Result>(
  act: (db: Db) => Promise<Result>,
  { silenceMs }: Pick<DbOptions, 'silenceMs'> = {},
): Promise<Result> {
  const databaseUrl = requireDatabaseUrl(loadConfig());
  const db = createDb(databaseUrl, { maxConnections: 1, ...(silenceMs && { silenceMs }) });
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

function amount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= MAX_AMOUNT) return value;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_AMOUNT}.`);
}

const UNLIMITED = 'unlimited';
/** Not null: commander takes that for an option without a value. */
const limit = (text: string) => (text === UNLIMITED ? UNLIMITED : amount(text));

/** The four features as options, each a limit. */
function withLimits(command: Command): Command {
  for (const feature of FEATURES) {
    command.option(
      `--${feature} <${UNITS[feature]}>`,
      `monthly limit in ${UNITS[feature]}, or \`unlimited\``,
      limit,
    );
  }
  return command;
}

type Limits = Partial<Record<Feature, number | typeof UNLIMITED>>;

/** Null: unlimited. */
function limitsOf(options: Limits): Partial<Record<Feature, number | null>> {
  const given = FEATURES.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name] === UNLIMITED ? null : options[name]]));
}

const shownLimits = (limits: Readonly<Record<Feature, number | null>>) =>
  table([
    ['feature', 'limit a month', 'unit'],
    ...FEATURES.map((name) => [name, limits[name] ?? UNLIMITED, UNITS[name]]),
  ]);

/** What is done over millions of rows of one user. */
const LONG_MS = 30 * 60_000;

const shownNetworks = ({ email, networks }: UserNetworks) =>
  networks.length === 0
    ? `Cameras of ${email} may lie where STREAM_NETWORKS of the programs says.`
    : `Cameras of ${email} may lie in: ${networks.join(', ')}`;

const program = new Command('admin').description(
  'Users, API keys, networks and quotas. Needs the database (DATABASE_URL) only.',
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
    const erase = (db: Db) => deleteUser({ db, images: openImages(loadConfig()) }, email);
    const deleted = await withDb(erase, { silenceMs: LONG_MS });
    print(json, { email, deleted }, () =>
      deleted ? `User ${email} and all its images and rows are gone.` : `There was no user ${email}.`,
    );
  });

program
  .command('set-networks')
  .argument('<name|email>', 'the user')
  .argument(
    '[networks...]',
    '`public`, `private`, `multicast`, `none`, or networks like 10.1.0.0/16 and fd12:3456::/48',
  )
  .description(
    'say where the cameras of a user may lie: this replaces STREAM_NETWORKS for the user; running streams that may not be opened any more end',
  )
  .option('--clear', 'no networks of the user’s own: STREAM_NETWORKS again', false)
  .option('--json', 'one JSON document', false)
  .action(async (email: string, texts: string[], { clear, json }: { clear: boolean; json: boolean }) => {
    if (clear === texts.length > 0)
      throw new Error('Name the networks, or give --clear. show-networks shows what there is.');
    const result = await withDb((db) => setNetworks(db, email, texts));
    print(json, result, () => shownNetworks(result));
  });
program
  .command('show-networks')
  .argument('<name|email>', 'the user')
  .description('show where the cameras of a user may lie')
  .option('--json', 'one JSON document', false)
  .action(async (email: string, { json }: { json: boolean }) => {
    const result = await withDb((db) => showNetworks(db, email));
    print(json, result, () => shownNetworks(result));
  });

program
  .command('top-up')
  .argument('<name|email>', 'the user')
  .argument('<feature>', FEATURES.join(', '))
  .argument('<amount>', 'added to the limit of this month, in the unit of the feature', amount)
  .description('add to a limit of this month; it lapses with the month')
  .option('--device <id>', 'of this device of the user instead')
  .option('--reference <uuid>', 'your own id of it: the same again tops up once (default: a new one)')
  .option('--reason <text>', 'for the ledger')
  .option('--json', 'one JSON document', false)
  .action(async (email: string, feature: string, amount: number, { json, ...options }: QuotaOptions) => {
    const result = await withDb((db) => grantQuota(db, email, { feature, amount, ...options }));
    print(json, result, () => shownLimits(result.limits));
  });
withLimits(program.command('set-quota'))
  .argument('<name|email>', 'the user')
  .description('set monthly limits, of this month and those to come; what is not named stays')
  .option('--device <id>', 'of this device of the user instead')
  .option('--reason <text>', 'for the ledger')
  .option('--json', 'one JSON document', false)
  .action(async (email: string, { json, device, reason, ...options }: QuotaOptions & Limits) => {
    const result = await withDb((db) => setQuota(db, email, { device, reason, limits: limitsOf(options) }));
    print(json, result, () => shownLimits(result.limits));
  });
withLimits(program.command('default-quota'))
  .description('show, or with options set, what a month of a user without limits of its own opens with')
  .option('--json', 'one JSON document', false)
  .action(async ({ json, ...options }: Limits & { json: boolean }) => {
    const limits = await withDb(async (db) => {
      const wanted = { ...(await readDefaultLimits(db)), ...limitsOf(options) };
      if (Object.keys(limitsOf(options)).length > 0) await writeDefaultLimits(db, wanted);
      return wanted;
    });
    print(json, limits, () => shownLimits(limits));
  });

program
  .command('audit-ledger')
  .argument('[name|email]', 'of this user alone (default: of all)')
  .description(
    'recompute every counter from ledger, events and days, and name each difference; exit code 1 where there are any',
  )
  .option('--json', 'one JSON document', false)
  .action(async (email: string | undefined, { json }: { json: boolean }) => {
    let bar: Progress | undefined;
    const onUser = (done: number, total: number) => {
      bar ??= progress('audit', total, 'users');
      bar.update(done);
    };
    const audit = (db: Db) => auditLedger(db, { email, onUser });
    const { users, differences } = await withDb(audit, { silenceMs: LONG_MS }).finally(() => bar?.stop());
    if (differences.length > 0) process.exitCode = 1;
    print(json, { users, differences }, () =>
      differences.length === 0
        ? `The books of ${users} users add up.`
        : [
            `${differences.length} differences in the books of ${users} users:`,
            ...differences.map(
              ({ email, period, feature, scope, scopeId, message }) =>
                `${email} ${period} ${feature}${scope === 'device' ? ` device ${scopeId}` : ''}: ${message}`,
            ),
          ].join('\n'),
    );
  });

await main(() => program.parseAsync());
