import { Command, InvalidArgumentError } from 'commander';
import {
  createKeyFor,
  createLoginLink,
  createUser,
  deleteUser,
  type KeyOptions,
} from '../src/access/administer.ts';
import { setNetworks, showNetworks, type UserNetworks } from '../src/access/networks.ts';
import { addressOf } from '../src/access/sign-in/address.ts';
import { grantQuota, setQuota } from '../src/billing/admin/operate-quota.ts';
import { auditLedger } from '../src/billing/audit/audit-ledger.ts';
import { readDefaultLimits, writeDefaultLimits } from '../src/billing/base.store.ts';
import { FEATURES, MAX_AMOUNT, UNITS } from '../src/billing/features.ts';
import { auditHistory } from '../src/history/audit-history.ts';
import { isScope, type Scope } from '../src/http/permission.ts';
import { EVERY_SCOPE, ROLE_NAMES, type Role } from '../src/http/roles.ts';
import { PARTITIONED } from '../src/partitions.ts';
import { systemClock } from '../src/platform/clock.ts';
import { loadConfig, requireDatabaseUrl } from '../src/platform/config.ts';
import { Sealer } from '../src/platform/crypto.ts';
import { describeDatabaseError } from '../src/platform/database/database-check.ts';
import { createDb, type Db, type DbOptions } from '../src/platform/database/db.ts';
import { createPartitions } from '../src/platform/database/partitions/create-partitions.store.ts';
import { readStorage } from '../src/platform/database/storage.store.ts';
import { openImages } from '../src/platform/images/open-images.ts';
import type { Feature } from '../src/platform/prisma-client/client.ts';
import { loadSecrets } from '../src/platform/secrets.ts';
import { rotateKeys } from '../src/rotate-keys.ts';
import { printing } from './support/printing.ts';
import { main, type Progress, progress, table } from './support/terminal.ts';

interface QuotaOptions {
  readonly device?: string;
  readonly reference?: string;
  readonly reason?: string;
}

/** A person waits for the command and can end it; a busy machine needs long to open a connection. */
const PATIENCE_MS = 60_000;

/** The action of a command that works on the database and prints the result. */
const onDb = <Given extends unknown[], Result extends object>(
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

function scopeList(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. There are: ${EVERY_SCOPE.join(', ')}.`);
  }
  return names.filter(isScope);
}

interface LinkOptions {
  readonly role: Role;
  readonly screen: boolean;
  readonly label?: string;
}

function role(text: string): Role {
  const found = ROLE_NAMES.find((name) => name === text);
  if (!found) throw new InvalidArgumentError(`There are: ${ROLE_NAMES.join(', ')}.`);
  return found;
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
/** Not null, which commander takes for an option without a value. */
const limit = (text: string) => (text === UNLIMITED ? UNLIMITED : amount(text));

/** Adds an option with a limit for each of the four features. */
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

/** Null means unlimited. */
function limitsOf(options: Limits): Partial<Record<Feature, number | null>> {
  const given = FEATURES.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name] === UNLIMITED ? null : options[name]]));
}

const shownLimits = (limits: Readonly<Record<Feature, number | null>>) =>
  table([
    ['feature', 'limit a month', 'unit'],
    ...FEATURES.map((name) => [name, limits[name] ?? UNLIMITED, UNITS[name]]),
  ]);

/** For commands that may handle millions of rows of one user. */
const LONG = { silenceMs: 30 * 60_000 };

const shownNetworks = ({ email, networks }: UserNetworks) =>
  networks.length === 0
    ? `Cameras of ${email} may be in the networks of STREAM_NETWORKS.`
    : `Cameras of ${email} may be in these networks: ${networks.join(', ')}`;

const program = new Command('admin').description(
  'Users, API keys, sign-in links, networks, quotas, audits, storage and encryption keys. Needs only the database (DATABASE_URL).',
);

const command = (name: string, description: string): Command =>
  program.command(name).description(description).option('--json', 'print one JSON document', false);

const commandOnUser = (name: string, description: string): Command =>
  command(name, description).argument('<name|email>', 'the user');

commandOnUser('create-user', 'create a user and its first key; an existing user stays as it is')
  .option('--admin', 'with the scope `admin`', false)
  .action(
    onDb(
      (db, email: string, { admin }: { admin: boolean }) => createUser(db, email, admin),
      ({ userId, key }, email) =>
        key
          ? `User ${email} (${userId})\nAPI key, shown only now:\n${key}`
          : `User ${email} (${userId}) exists already; create-key makes another key.`,
    ),
  );

commandOnUser('create-key', 'create one more API key of a user')
  .option('--name <text>', 'what the key is for', 'key')
  .option('--scopes <list>', 'scopes separated by commas (default: all that the user may have)', scopeList)
  .option('--expires <date>', 'the day on which it becomes invalid (default: never)', futureDay)
  .action(
    onDb(
      (db, email: string, options: KeyOptions) => createKeyFor(db, email, options),
      ({ key }, email) => `API key of ${email}, shown only now:\n${key}`,
    ),
  );

commandOnUser(
  'login-link',
  'print a link that signs a browser in as the user; it works once within five minutes',
)
  .option('--role <role>', ROLE_NAMES.join(', '), role, 'owner')
  .option('--screen', 'for a display: the session does not expire', false)
  .option('--label <text>', 'what the session is for')
  .action(
    onDb(
      async (db, email: string, options: LinkOptions) => {
        const made = await createLoginLink({ db, clock: systemClock }, email, options);
        return { ...made, link: `${addressOf(loadConfig())}${made.path}` };
      },
      ({ link, code }, email) =>
        `This link signs in as ${email}, once, within five minutes:\n${link}\n\nOr send the code: POST /api/v1/session {"code":"${code}"}`,
    ),
  );

commandOnUser('delete-user', 'delete a user and everything that belongs to it').action(
  onDb(
    async (db, email: string) => {
      const deleted = await deleteUser({ db, images: openImages(loadConfig()) }, email);
      return { email, deleted };
    },
    ({ email, deleted }) =>
      deleted ? `User ${email} and all its images and rows are deleted.` : `There was no user ${email}.`,
    LONG,
  ),
);

commandOnUser(
  'set-networks',
  'set the networks in which the cameras of a user may be, instead of STREAM_NETWORKS; open streams outside them end',
)
  .argument(
    '[networks...]',
    '`public`, `private`, `multicast`, `none`, or networks like 10.1.0.0/16 and fd12:3456::/48',
  )
  .option('--clear', 'remove the networks of the user: STREAM_NETWORKS applies again', false)
  .action(
    onDb(async (db, email: string, networks: string[], { clear }: { clear: boolean }) => {
      if (clear === networks.length > 0)
        throw new Error('Name the networks, or give --clear. show-networks shows the present ones.');
      return setNetworks(db, email, networks);
    }, shownNetworks),
  );

commandOnUser('show-networks', 'show the networks in which the cameras of a user may be').action(
  onDb((db, email: string) => showNetworks(db, email), shownNetworks),
);

commandOnUser('top-up', 'add to a limit of this month; the addition ends with the month')
  .argument('<feature>', FEATURES.join(', '))
  .argument('<amount>', 'added to the limit of this month, in the unit of the feature', amount)
  .option('--device <id>', 'the limit of this device of the user')
  .option('--reference <uuid>', 'your own id: the same id adds only once (default: a new one)')
  .option('--reason <text>', 'for the ledger')
  .action(
    onDb(
      (db, email: string, feature: string, amount: number, options: QuotaOptions) =>
        grantQuota(db, email, { feature, amount, ...options }),
      ({ limits }) => shownLimits(limits),
    ),
  );

withLimits(commandOnUser('set-quota', 'set monthly limits, for this month and later ones; others stay'))
  .option('--device <id>', 'the limits of this device of the user')
  .option('--reason <text>', 'for the ledger')
  .action(
    onDb(
      (db, email: string, { device, reason, ...options }: QuotaOptions & Limits) =>
        setQuota(db, email, { device, reason, limits: limitsOf(options) }),
      ({ limits }) => shownLimits(limits),
    ),
  );

withLimits(
  command('default-quota', 'show, or with options set, the monthly limits of users without own limits'),
).action(
  onDb(async (db, options: Limits) => {
    const limits = { ...(await readDefaultLimits(db)), ...limitsOf(options) };
    if (Object.keys(limitsOf(options)).length > 0) await writeDefaultLimits(db, limits);
    return limits;
  }, shownLimits),
);

command(
  'audit-ledger',
  'recompute every counter from ledger, events and days, and list each difference; exit code 1 where there are any',
)
  .argument('[name|email]', 'only this user (default: all)')
  .action(
    onDb(
      async (db, email: string | undefined) => {
        let bar: Progress | undefined;
        const onUser = (done: number, total: number) => {
          bar ??= progress('audit', total, 'users');
          bar.update(done);
        };
        const { users, differences } = await auditLedger(db, { email, onUser }).finally(() => bar?.stop());
        if (differences.length > 0) process.exitCode = 1;
        return { users, differences };
      },
      ({ users, differences }) =>
        differences.length === 0
          ? `The books of ${users} users add up.`
          : [
              `${differences.length} differences in the books of ${users} users:`,
              ...differences.map(
                ({ email, period, feature, scope, scopeId, message }) =>
                  `${email} ${period} ${feature}${scope === 'device' ? ` device ${scopeId}` : ''}: ${message}`,
              ),
            ].join('\n'),
      LONG,
    ),
  );

command(
  'audit-history',
  'compare the totals, the sums of quarters of an hour and a series of each scene with its rows, and list each difference; exit code 1 where there are any',
)
  .argument('[name|email]', 'only the scenes of this user (default: all)')
  .action(
    onDb(
      async (db, email: string | undefined) => {
        let bar: Progress | undefined;
        const onScene = (done: number, total: number) => {
          bar ??= progress('audit', total, 'scenes');
          bar.update(done);
        };
        const { scenes, differences } = await auditHistory(db, { email, onScene }).finally(() => bar?.stop());
        if (differences.length > 0) process.exitCode = 1;
        return { scenes, differences };
      },
      ({ scenes, differences }) =>
        differences.length === 0
          ? `The numbers of ${scenes} scenes add up.`
          : [
              `${differences.length} differences in ${scenes} scenes:`,
              ...differences.map(({ sceneId, message }) => `scene ${sceneId}: ${message}`),
            ].join('\n'),
      LONG,
    ),
  );

command(
  'rotate-keys',
  'seal stream addresses, webhook secrets, push keys and messages again with the first of ENCRYPTION_KEYS, while the service runs',
).action(
  onDb(
    async (db) => {
      let bar: Progress | undefined;
      const onColumn = (done: number, total: number) => {
        bar ??= progress('rotate', total, 'columns');
        bar.update(done);
      };
      const config = loadConfig();
      const sealer = new Sealer(loadSecrets(config).encryptionKeys);
      const columns = await rotateKeys({ db, sealer }, onColumn).finally(() => bar?.stop());
      if (columns.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1;
      return { columns };
    },
    ({ columns }) => {
      const sum = (of: 'resealed' | 'unreadable') => columns.reduce((total, column) => total + column[of], 0);
      return [
        table([
          ['column', 'sealed again', 'unreadable'],
          ...columns.map(({ name, resealed, unreadable }) => [name, resealed, unreadable]),
        ]),
        '',
        sum('unreadable') > 0
          ? `${sum('unreadable')} texts were sealed with a key that ENCRYPTION_KEYS lacks. Add that key and run this again.`
          : sum('resealed') > 0
            ? 'Run this again until nothing is sealed again. A day later the other keys can be removed from ENCRYPTION_KEYS.'
            : 'Everything is sealed with the first key. The others can be removed from ENCRYPTION_KEYS a day after they stopped being the first.',
      ].join('\n');
    },
    LONG,
  ),
);

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0);

command(
  'storage',
  'show what each table holds: rows (estimated by PostgreSQL), megabytes, its oldest row, and what a year of days like the last one would add',
).action(
  onDb(
    async (db) => {
      let bar: Progress | undefined;
      const onTable = (done: number, total: number) => {
        bar ??= progress('storage', total, 'tables');
        bar.update(done);
      };
      const lateDays = { VisitQuarter: loadConfig().visitRetentionDays };
      return readStorage(db, { now: systemClock.now(), lateDays, onTable }).finally(() => bar?.stop());
    },
    ({ bytes, tables }) =>
      [
        table([
          ['table', 'rows', 'MB', 'oldest row', 'new rows in 24 h', 'MB a year'],
          ...tables.map(({ table, rows, bytes, oldest, newRows, bytesPerYear }) => [
            ...[table, rows, megabytes(bytes), oldest?.toISOString().slice(0, 10) ?? '–', newRows ?? '–'],
            bytesPerYear === null ? '–' : megabytes(bytesPerYear),
          ]),
        ]),
        '',
        `The database has ${megabytes(bytes)} MB, with the job queue. A year counts no deletion: see the RETENTION variables.`,
      ].join('\n'),
    LONG,
  ),
);

command(
  'make-partitions',
  'make the partitions of the next days and months also beside a large default partition: it is read for each of them, while its table can be neither read nor written',
).action(
  onDb(
    async (db) => {
      const refusals: string[] = [];
      for (const spec of PARTITIONED) {
        const refusal = await createPartitions(db, spec, systemClock.now(), { mostBytes: Infinity });
        if (refusal) refusals.push(refusal);
      }
      if (refusals.length > 0) process.exitCode = 1;
      return { refusals };
    },
    ({ refusals }) =>
      refusals.join('\n') || 'Every day of the next week, and the next month, has its partition.',
    { ...LONG, waitMs: LONG.silenceMs },
  ),
);

await main(() => program.parseAsync());
