import { z } from 'zod';
import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Page, PageQuery } from '../http/paging.ts';
import type { Scope } from '../http/permission.ts';
import { EVERY_SCOPE, type Role } from '../http/roles.ts';
import { checkKnownStorage } from '../images/check-storage.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { explain, explained } from '../platform/explain/explain.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { Passwords } from './account/password.ts';
import { newPassword } from './account/schema.ts';
import { type ListedKey, listKeys, revokeKey } from './api-key.store.ts';
import { createKey, recordNewKey } from './create-key.ts';
import { WHOLE_ACCOUNT } from './sessions/grant.ts';
import { revokeOthers } from './sessions/session.store.ts';
import { type MadeCode, makeLoginCode } from './sign-in/make-login-code.ts';
import {
  changeAccount,
  eraseUser,
  findUser,
  insertUser,
  listUsers,
  makeAdmin,
  type User,
} from './user.store.ts';
import { lockUser } from './user-cap.ts';

const scopesOf = (isAdmin: boolean) => EVERY_SCOPE.filter((scope) => isAdmin || scope !== 'admin');

export interface CreatedUser {
  readonly userId: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** False when the user already existed; then no key is created. */
  readonly created: boolean;
  /** The key, which is shown only once; null if none was created. */
  readonly key: string | null;
}

export interface AddedUser {
  readonly user: User;
  /** The key, which is shown only once. */
  readonly key: string;
}

/** Creates a user and a first key in one transaction. @returns null when the user already exists */
export function addUser(
  db: Db,
  user: { email: string; name?: string | null; isAdmin: boolean },
  { by, at }: { by: Actor; at: Date },
  lastStep?: LastStep<AddedUser>,
): Promise<AddedUser | null> {
  return db.$transaction(async (tx) => {
    const made = await insertUser(tx, user);
    if (!made) return null;
    const scopes = scopesOf(user.isAdmin);
    const userId = made.id;
    const details = { isAdmin: user.isAdmin };
    await recordAudit(tx, { userId, actor: by, action: 'user_created', details, at });
    const created = await createKey(tx, { userId, name: 'first key', scopes });
    await recordNewKey(tx, created, { userId, by, at });
    const added = { user: made, key: created.key };
    await lastStep?.(tx, added);
    return added;
  });
}

/** Creates a user and a first key with every scope. An existing user gets no key but can become an administrator. */
export async function createUser(db: Db, email: string, isAdmin: boolean): Promise<CreatedUser> {
  const by = { by: OPERATOR, at: systemClock.now() };
  const added = await addUser(db, { email, isAdmin }, by);
  if (added) return { userId: added.user.id, email, isAdmin, created: true, key: added.key };
  const user = await existingUser(db, email);
  if (isAdmin && !user.isAdmin) {
    await db.$transaction(async (tx) => {
      await makeAdmin(tx, user.id);
      const action = 'administrator_granted';
      await recordAudit(tx, { userId: user.id, actor: OPERATOR, action, at: by.at });
    });
  }
  return { userId: user.id, email, isAdmin: isAdmin || user.isAdmin, created: false, key: null };
}

export interface KeyOptions {
  readonly name: string;
  /** Default: all scopes that the user may have. */
  readonly scopes?: readonly Scope[];
  /** Default: never. */
  readonly expires?: Date;
}

/** @throws Error when the user does not exist or may not have the scope `admin` */
export async function createKeyFor(db: Db, email: string, options: KeyOptions) {
  const user = await existingUser(db, email);
  const scopes = options.scopes ?? scopesOf(user.isAdmin);
  if (scopes.includes('admin') && !user.isAdmin) {
    throw new Error(`${email} is not an administrator: run create-user ${email} --admin first.`);
  }
  const expiresAt = options.expires ?? null;
  const userId = user.id;
  const { id, key } = await db.$transaction(async (tx) => {
    const made = await createKey(tx, { userId, name: options.name, scopes, expiresAt });
    await recordNewKey(tx, made, { userId, by: OPERATOR, at: systemClock.now() });
    return made;
  });
  return { userId, keyId: id, scopes, expiresAt, key };
}

/**
 * Makes a one-time code that begins a session of a user.
 * @throws Error when the user does not exist, or when a screen would get more than it may have
 */
export async function createLoginLink(
  context: Pick<Context, 'clock' | 'db'>,
  email: string,
  { role, screen, label }: { role: Role; screen: boolean; label?: string },
): Promise<MadeCode> {
  const user = await existingUser(context.db, email);
  if (screen && role === 'owner') throw new Error('A screen cannot be an owner: give --role viewer.');
  return makeLoginCode(context, {
    ...{ userId: user.id, keyId: null, sessionId: null, label: label?.slice(0, 100) ?? null },
    kind: screen ? 'screen' : 'person',
    by: OPERATOR,
    grant: role === 'owner' ? WHOLE_ACCOUNT : { role, scopes: [] },
  });
}

/**
 * Deletes a user with all images and rows.
 * @returns false when the user does not exist
 * @throws Error when the images of this database are in another storage
 */
export async function deleteUser(
  { db, images }: { db: Db; images: ImageStore },
  email: string,
): Promise<boolean> {
  const user = await findUser(db, email);
  if (!user) return false;
  await checkKnownStorage({ db, images });
  const eraseFiles = async () => {
    await images.removeOf(user.id);
    await images.objects.removeOf(user.id);
  };
  // A second call continues after an interruption.
  await eraseFiles();
  await eraseUser(db, user.id);
  // Those that a worker stored meanwhile.
  await eraseFiles();
  return true;
}

/** Every user, newest first. @param q part of the email or name */
export const listAllUsers = (db: Db, q?: string): Promise<User[]> =>
  everyPage((page) => listUsers(db, { q, ...page }));

/** The keys of a user that are not revoked, newest first. */
export async function listKeysOf(db: Db, email: string): Promise<ListedKey[]> {
  const { id } = await existingUser(db, email);
  return everyPage((page) => listKeys(db, id, page));
}

async function everyPage<Row>(read: (page: PageQuery) => Promise<Page<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { items: rows, total } = await read({ page, limit: 500 });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}

/**
 * Revokes a key of a user and every key that was created with it.
 * @param key its id, as `list-keys` shows it @throws Error when the user has no such key that works
 */
export async function revokeKeyOf(db: Db, email: string, key: string): Promise<{ keyId: string }> {
  const { id: userId } = await existingUser(db, email);
  const isId = z.uuid().safeParse(key).success;
  const revoked = isId && (await revokeKey(db, { userId, id: key, at: systemClock.now() }, OPERATOR));
  if (!revoked) throw new Error(`${email} has no key "${key}" that works: list-keys shows the ids.`);
  return { keyId: key };
}

/**
 * Sets the password of a user, which ends all sessions and one-time codes of the user.
 * @throws Error when there is no such user, or the password is refused
 */
export async function setPassword(
  context: Pick<Context, 'db' | 'shared' | 'passwordCost'>,
  email: string,
  password: string,
): Promise<{ userId: string }> {
  const { db } = context;
  const { id: userId } = await existingUser(db, email);
  const read = newPassword.safeParse(password, explained());
  if (!read.success) {
    const faults = explain(read.error.issues, { input: undefined }).map(
      ({ message }) => message.split(';')[0],
    );
    throw new Error(`The password ${faults.join(' and ')}.`);
  }
  const passwordHash = await new Passwords(context).hash(read.data);
  const at = systemClock.now();
  await db.$transaction(async (tx) => {
    await lockUser(tx, userId);
    await changeAccount(tx, userId, { passwordHash });
    await revokeOthers(tx, { userId, id: null, at });
    await recordAudit(tx, { userId, actor: OPERATOR, action: 'password_changed', at });
  });
  return { userId };
}

async function existingUser(db: Db, email: string): Promise<User> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return user;
}
