import { ApiError, invalidField, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Caller } from '../../http/permission.ts';
import { ROLES } from '../../http/roles.ts';
import type { Client } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { findListed, type ListedSession, revokeOthers } from '../sessions/session.store.ts';
import { countTry } from '../sign-in/sign-in-limits.ts';
import { type Account, type AccountChange, changeAccount, findAccount } from '../user.store.ts';
import { lockUser } from '../user-cap.ts';
import { Passwords } from './password.ts';
import type { ChangeAccount } from './schema.ts';

/** A code shows that somebody may set a password for so long. */
const FRESH_MS = 10 * 60_000;

/**
 * Changes the account of the caller. A new password ends all other sessions of the user.
 * @throws ApiError FORBIDDEN, VALIDATION_ERROR, RATE_LIMITED
 */
export async function changeOwnAccount(
  context: Context,
  caller: Caller,
  { client, body }: { client: Pick<Client, 'device'>; body: ChangeAccount },
): Promise<Account> {
  const { db, clock } = context;
  const { password, currentPassword, ...plain } = body;
  if (password === undefined && currentPassword !== undefined)
    throw invalidField('password', 'is missing: currentPassword is read only together with a new password');
  const change: AccountChange = definedFields(plain);
  if (password !== undefined) {
    await requireRight(context, caller, { currentPassword, client });
    change.passwordHash = await new Passwords(context).hash(password);
  }
  return db.$transaction(async (tx) => {
    await lockUser(tx, caller.userId);
    const changed = orNotFound(await changeAccount(tx, caller.userId, change), 'User');
    if (password !== undefined && caller.sessionId !== null)
      await revokeOthers(tx, { userId: caller.userId, id: caller.sessionId, at: clock.now() });
    return changed;
  });
}

/** Checks that the caller may set a password: whoever has one can do everything that the user can. */
async function requireRight(
  context: Context,
  caller: Caller,
  { currentPassword, client }: { currentPassword: string | undefined; client: Pick<Client, 'device'> },
): Promise<void> {
  const { db, clock } = context;
  const { userId, sessionId } = caller;
  if (sessionId === null) {
    throw new ApiError(
      'FORBIDDEN',
      'An API key cannot set a password, which would outlive it: sign in with POST /session first',
    );
  }
  const [account, session] = await Promise.all([
    findAccount(db, userId),
    findListed(db, { userId, id: sessionId }),
  ]);
  if (currentPassword === undefined) {
    if (session && isFresh(session, caller, clock.now())) return;
    throw account?.passwordHash
      ? invalidField('currentPassword', 'is missing: send the present password with the new one')
      : new ApiError(
          'FORBIDDEN',
          'There is no password yet. To set the first one, sign in with a link of `npm run admin -- login-link` and do it within ten minutes',
        );
  }
  const takeBack = await countTry(context, { email: '', userId, device: client.device });
  if (!(await new Passwords(context).isRight(currentPassword, account?.passwordHash ?? null)))
    throw invalidField('currentPassword', 'is not the present password');
  await takeBack();
}

/** Whether a code has just begun this session, for the whole account, and no API key made that code. */
function isFresh(session: ListedSession, { scopes }: Caller, now: Date): boolean {
  const { method, apiKeyId, createdAt } = session;
  const isWhole = ROLES.owner.scopes.every((scope) => scopes.has(scope));
  return method === 'code' && apiKeyId === null && isWhole && now.getTime() - createdAt.getTime() < FRESH_MS;
}
