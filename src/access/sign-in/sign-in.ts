import { strangerAt } from '../../audit/record-audit.ts';
import { recordHourly } from '../../audit/record-once.ts';
import { ApiError } from '../../http/errors.ts';
import type { Client } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/db.ts';
import { Passwords } from '../account/password.ts';
import { hashSecret, parseApiKey } from '../api-key.ts';
import { type Begin, type BegunSession, beginSession } from '../sessions/begin-session.ts';
import { WHOLE_ACCOUNT } from '../sessions/grant.ts';
import { hashOf } from '../sessions/session-token.ts';
import { findByEmail } from '../user.store.ts';
import { lockUser } from '../user-cap.ts';
import { findUserOfCode, findWorkingKey, useCode } from './login-code.store.ts';
import { readCode } from './one-time-code.ts';
import type { SignIn } from './schema.ts';
import { countByKey, countTry, makeDevice } from './sign-in-limits.ts';

/** Entries of wrong passwords of a user in an hour. */
const MOST_FAILURES = 100;

/**
 * Begins a session and sets its cookie.
 * @throws ApiError UNAUTHORIZED, LIMIT_REACHED, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function signIn(context: Context, client: Client, body: SignIn): Promise<BegunSession> {
  const { address, userAgent } = client;
  const begin = { now: context.clock.now(), address, userAgent };
  const begun =
    'code' in body
      ? await withCode(context, body.code, begin)
      : 'apiKey' in body
        ? await withKey(context, body.apiKey, begin)
        : await withPassword(context, body, { ...begin, device: client.device });
  if (begun.session.method === 'password')
    client.setCookie('vas-device', makeDevice(context, begun.account.id));
  client.setCookie('vas', begun.token);
  return begun;
}

async function withPassword(
  context: Context,
  { email, password }: { email: string; password: string },
  begin: Begin & { readonly device: string | undefined },
): Promise<BegunSession> {
  const user = await findByEmail(context.db, email);
  const { device, ...where } = begin;
  const takeBack = await countTry(context, { email, userId: user?.id ?? null, device });
  // An unknown user takes as long as a wrong password.
  const isRight = await new Passwords(context).isRight(password, user?.passwordHash ?? null);
  if (user && !isRight) recordFailure(context, user.id, where);
  if (!user || !isRight) throw wrong('The e-mail address or the password is wrong');
  await takeBack();
  const session = {
    userId: user.id,
    apiKeyId: null,
    kind: 'person',
    method: 'password',
    label: null,
  } as const;
  return locked(context, user.id, async (tx) => {
    const begun = await beginSession(tx, { ...session, ...WHOLE_ACCOUNT }, where);
    // The password was changed, or the user is being deleted, while the old one was checked.
    if (begun.account.passwordHash !== user.passwordHash) throw wrong('The password was changed just now');
    return begun;
  });
}

/** In the background: otherwise a wrong password of a known user would take longer than that of an unknown one. */
function recordFailure({ db, logger }: Context, userId: string, { now: at, address }: Begin): void {
  const actor = strangerAt(address);
  const key = actor.networkAddress ?? 'unknown';
  recordHourly(db, { userId, actor, action: 'sign_in_failed', at, key, most: MOST_FAILURES }).catch(
    (error: unknown) =>
      logger.warn({ err: error }, 'a wrong password could not be written into the audit log'),
  );
}

async function withCode(context: Context, typed: string, begin: Begin): Promise<BegunSession> {
  const code = readCode(typed);
  const codeHash = hashOf(code ?? '');
  const userId = code && (await findUserOfCode(context.db, codeHash));
  const begun =
    userId &&
    (await locked(context, userId, async (tx) => {
      const used = await useCode(tx, codeHash, begin.now);
      return used && beginSession(tx, { ...used, method: 'code' }, begin);
    }));
  if (begun) return begun;
  throw wrong(
    'This code is not valid: it is unknown, was used already or is older than five minutes. Make a new one',
  );
}

async function withKey(context: Context, text: string, begin: Begin): Promise<BegunSession> {
  const key = parseApiKey(text);
  const named = key && { keyId: key.keyId, secretHash: hashSecret(key.secret), now: begin.now };
  const found = named && (await findWorkingKey(context.db, named));
  if (found) await countByKey(context, found.id);
  const begun =
    found &&
    (await locked(context, found.userId, async (tx) => {
      // Again, because the key may have been removed before the user was locked.
      if (!(await findWorkingKey(tx, named))) return null;
      const { id, userId, scopes } = found;
      const session = { userId, apiKeyId: id, kind: 'person', method: 'key', label: null } as const;
      return beginSession(tx, { ...session, role: null, scopes }, begin);
    }));
  if (begun) return begun;
  throw wrong('This API key is not valid: it is unknown, revoked, expired or was not copied as a whole');
}

/** Every change of what signs a user in takes this lock first. */
const locked = <Result>(
  { db }: Context,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  db.$transaction(async (tx) => {
    await lockUser(tx, userId);
    return work(tx);
  });

const wrong = (message: string) => new ApiError('UNAUTHORIZED', message);
