import { isScope, SCOPES, type Scope } from '../http/permission.ts';
import { checkKnownStorage } from '../images/check-storage.ts';
import { eraseImagesOf } from '../images/erase-images.ts';
import type { Db } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { createKey } from './create-key.ts';
import { eraseUser, findUser, insertUser, makeAdmin, type User } from './user.store.ts';

/** What the operator does from the command line, with the database alone. */

export const EVERY_SCOPE: readonly Scope[] = Object.keys(SCOPES).filter(isScope);

const scopesOf = (isAdmin: boolean) => EVERY_SCOPE.filter((scope) => isAdmin || scope !== 'admin');

export interface CreatedUser {
  readonly userId: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** False when the user was there already; then no key is made. */
  readonly created: boolean;
  /** Shown only now. */
  readonly key: string | null;
}

export interface AddedUser {
  readonly user: User;
  /** Shown only now. */
  readonly key: string;
}

/** Makes a user with a first key, both or neither. @returns null when there is such a user already */
export function addUser(
  db: Db,
  user: { email: string; name?: string | null; isAdmin: boolean },
  lastStep?: LastStep<AddedUser>,
): Promise<AddedUser | null> {
  return db.$transaction(async (tx) => {
    const made = await insertUser(tx, user);
    if (!made) return null;
    const scopes = scopesOf(user.isAdmin);
    const { key } = await createKey(tx, { userId: made.id, name: 'first key', scopes });
    const added = { user: made, key };
    await lastStep?.(tx, added);
    return added;
  });
}

/** Makes a user with a first key of every scope; one who exists is at most made an administrator. */
export async function createUser(db: Db, email: string, isAdmin: boolean): Promise<CreatedUser> {
  const added = await addUser(db, { email, isAdmin });
  if (added) return { userId: added.user.id, email, isAdmin, created: true, key: added.key };
  const user = await existingUser(db, email);
  if (isAdmin && !user.isAdmin) await makeAdmin(db, user.id);
  return { userId: user.id, email, isAdmin: isAdmin || user.isAdmin, created: false, key: null };
}

export interface KeyOptions {
  readonly name: string;
  /** All the user may have where not told. */
  readonly scopes?: readonly Scope[];
  /** Never where not told. */
  readonly expires?: Date;
}

/** @throws Error when there is no such user, or it may not have the scope `admin` */
export async function createKeyFor(db: Db, email: string, options: KeyOptions) {
  const user = await existingUser(db, email);
  const scopes = options.scopes ?? scopesOf(user.isAdmin);
  if (scopes.includes('admin') && !user.isAdmin) {
    throw new Error(`${email} is no administrator: create-user ${email} --admin makes one.`);
  }
  const expiresAt = options.expires ?? null;
  const { id, key } = await createKey(db, { userId: user.id, name: options.name, scopes, expiresAt });
  return { userId: user.id, keyId: id, scopes, expiresAt, key };
}

/**
 * Erases a user with every image and every row.
 * @returns false when there was none
 * @throws Error when the images of this database lie elsewhere
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
  // What a worker stored meanwhile has no row any more.
  await images.removeOf(user.id);
  return true;
}

async function existingUser(db: Db, email: string): Promise<User> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return user;
}
