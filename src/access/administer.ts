import { type Actor, OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Scope } from '../http/permission.ts';
import { EVERY_SCOPE, type Role } from '../http/roles.ts';
import { checkKnownStorage } from '../images/check-storage.ts';
import { eraseImagesOf } from '../images/erase-images.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { createKey, recordNewKey } from './create-key.ts';
import { WHOLE_ACCOUNT } from './sessions/grant.ts';
import { type MadeCode, makeLoginCode } from './sign-in/make-login-code.ts';
import { eraseUser, findUser, insertUser, makeAdmin, type User } from './user.store.ts';

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
  await eraseImagesOf({ db, images }, user.id);
  await eraseUser(db, user.id);
  // Images that a worker stored meanwhile no longer have a row.
  await images.removeOf(user.id);
  await images.objects.removeOf(user.id);
  return true;
}

async function existingUser(db: Db, email: string): Promise<User> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return user;
}
