import { InvalidArgumentError } from 'commander';
import {
  createKeyFor,
  createLoginLink,
  createUser,
  deleteUser,
  type KeyOptions,
  listAllUsers,
  listKeysOf,
  revokeKeyOf,
  setPassword,
} from '../../src/access/administer.ts';
import { setNetworks, showNetworks, type UserNetworks } from '../../src/access/networks.ts';
import { addressOf } from '../../src/access/sign-in/address.ts';
import { isScope, type Scope } from '../../src/http/permission.ts';
import { EVERY_SCOPE, ROLE_NAMES, type Role } from '../../src/http/roles.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { openImages } from '../../src/platform/images/open-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { MadeOnce } from '../../src/platform/made-once.ts';
import { bytesByUser } from '../../src/runs/recordings/stored-bytes.store.ts';
import { table } from '../support/terminal.ts';
import { command, commandOnUser, LONG, onDb } from './command.ts';
import { readPassword } from './read-password.ts';

/** Commands about users, their keys, passwords, sign-in links and networks. */

function scopeList(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. There are: ${EVERY_SCOPE.join(', ')}.`);
  }
  return names.filter(isScope);
}

const dayOf = (time: Date | null) => time?.toISOString().slice(0, 10) ?? '–';

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

const shownNetworks = ({ email, networks }: UserNetworks) =>
  networks.length === 0
    ? `Cameras of ${email} may be in the networks of STREAM_NETWORKS.`
    : `Cameras of ${email} may be in these networks: ${networks.join(', ')}`;

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

command('list-users', 'list all users, newest first, with the bytes of their recordings')
  .argument('[part]', 'only users with this part in their email or name')
  .action(
    onDb(
      async (db, part: string | undefined) => {
        const users = await listAllUsers(db, part);
        const bytes = await bytesByUser(db);
        return { users: users.map((user) => ({ ...user, recordingBytes: bytes.get(user.id) ?? 0 })) };
      },
      ({ users }) =>
        table([
          ['email', 'name', 'administrator', 'created', 'recordings, MB'],
          ...users.map(({ email, name, isAdmin, createdAt, recordingBytes }) => [
            ...[email, name ?? '–', isAdmin ? 'yes' : 'no', dayOf(createdAt)],
            Math.round(recordingBytes / 1e6),
          ]),
        ]),
    ),
  );

commandOnUser('list-keys', 'list the API keys of a user that are not revoked, newest first').action(
  onDb(
    async (db, email: string) => ({ keys: await listKeysOf(db, email) }),
    ({ keys }) =>
      table([
        ['id', 'name', 'ends with', 'created', 'last used', 'expires', 'scopes'],
        ...keys.map(({ id, name, last4, createdAt, lastUsedAt, expiresAt, scopes }) => [
          ...[id, name, last4, dayOf(createdAt), dayOf(lastUsedAt), dayOf(expiresAt)],
          scopes.length === EVERY_SCOPE.length ? 'all' : scopes.join(' '),
        ]),
      ]),
  ),
);

commandOnUser('revoke-key', 'revoke an API key of a user, and every key that was created with it')
  .argument('<id>', 'id of the key, as list-keys shows it')
  .action(
    onDb(
      (db, email: string, id: string) => revokeKeyOf(db, email, id),
      ({ keyId }, email) => `Key ${keyId} of ${email} is revoked.`,
    ),
  );

commandOnUser(
  'set-password',
  'set the password of a user, read from the terminal or from standard input; it ends all sessions of the user',
).action(
  onDb(
    async (db, email: string) => {
      const config = loadConfig();
      const shared = new MadeOnce({ config, logger: createLogger({ level: 'silent', program: 'admin' }) });
      return setPassword({ db, shared }, email, await readPassword(email));
    },
    (_, email) => `The password of ${email} is set, and every session has ended.`,
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
