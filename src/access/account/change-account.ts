import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { recordGroups } from '../../audit/record-groups.ts';
import { ApiError, invalidField } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Caller } from '../../http/permission.ts';
import { ROLES } from '../../http/roles.ts';
import type { Context } from '../../platform/context.ts';
import { findListed, type ListedSession, revokeOthers } from '../sessions/session.store.ts';
import { isStillThere } from '../sign-in/login-code.store.ts';
import { countCheck } from '../sign-in/sign-in-limits.ts';
import { type Account, type AccountChange, changeAccount, findAccount } from '../user.store.ts';
import { lockUser } from '../user-cap.ts';
import { endedCaller } from './own-account.ts';
import { Passwords } from './password.ts';
import type { ChangeAccount } from './schema.ts';
import { requireStrong } from './strong-password.ts';

/** A link of the command line shows that somebody may set a password for so long. */
const FRESH_MS = 10 * 60_000;

/**
 * Changes the account of the caller. A new password ends all other sessions of the user.
 * @throws ApiError FORBIDDEN, VALIDATION_ERROR, RATE_LIMITED, UNAUTHORIZED
 */
export async function changeOwnAccount(
  context: Context,
  caller: Caller,
  { by, ...body }: ChangeAccount & { readonly by: Actor },
): Promise<Account> {
  const { db, clock } = context;
  const { password, currentPassword, ...plain } = body;
  if (password === undefined && currentPassword !== undefined)
    throw invalidField('password', 'is missing: currentPassword is read only together with a new password');
  const change: AccountChange = definedFields(plain);
  if (password !== undefined) {
    await requireRight(context, caller, currentPassword);
    const account = await findAccount(db, caller.userId);
    await requireStrong(password, [account?.email ?? null, account?.name ?? null, body.name ?? null]);
    change.passwordHash = await new Passwords(context).hash(password);
  }
  return db.$transaction(async (tx) => {
    await lockUser(tx, caller.userId);
    // The session may have been revoked since it was authenticated, by a new password for example.
    if (!(await isStillThere(tx, caller))) throw endedCaller(caller);
    const before = await findAccount(tx, caller.userId);
    const changed = await changeAccount(tx, caller.userId, change);
    if (!changed) throw endedCaller(caller);
    if (password !== undefined && caller.sessionId !== null)
      await revokeOthers(tx, { userId: caller.userId, id: caller.sessionId, at: clock.now() });
    const { userId } = caller;
    const { blurPeople: _, attributeGroups: __, ...others } = definedFields(plain);
    const fields = Object.keys(others).sort();
    const at = clock.now();
    const { blurPeople } = changed;
    if (before && blurPeople !== before.blurPeople) {
      const details = { from: before.blurPeople, to: blurPeople };
      await recordAudit(tx, { userId, actor: by, action: 'blur_people_changed', details, at });
    }
    if (before) await recordGroups(tx, [before, changed], { userId, actor: by, at });
    if (fields.length > 0)
      await recordAudit(tx, { userId, actor: by, action: 'account_changed', details: { fields }, at });
    if (password !== undefined) await recordAudit(tx, { userId, actor: by, action: 'password_changed', at });
    return changed;
  });
}

/** Checks that the caller may set a password: whoever has one can do everything that the user can. */
async function requireRight(
  context: Context,
  caller: Caller,
  currentPassword: string | undefined,
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
  // Only who knows the password can begin such a session, so that nobody gets more guesses by more sessions.
  const ownCounter = session?.method === 'password' ? sessionId : null;
  const takeBack = await countCheck(context, userId, ownCounter);
  if (!(await new Passwords(context).isRight(currentPassword, account?.passwordHash ?? null)))
    throw invalidField('currentPassword', 'is not the present password');
  await takeBack();
}

/**
 * Whether a link of the command line has just begun this session, for the whole account. A code that a session or key makes is
 * not enough: whoever has taken over a session could then set a password without the present one.
 */
function isFresh(session: ListedSession, { scopes }: Caller, now: Date): boolean {
  const { byOperator, createdAt } = session;
  const isWhole = ROLES.owner.scopes.every((scope) => scopes.has(scope));
  return byOperator && isWhole && now.getTime() - createdAt.getTime() < FRESH_MS;
}
