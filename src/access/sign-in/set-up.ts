import { recordAudit, strangerAt } from '../../audit/record-audit.ts';
import { ApiError, notFound } from '../../http/errors.ts';
import type { Client } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { Passwords } from '../account/password.ts';
import { requireStrong } from '../account/strong-password.ts';
import { type BegunSession, beginSession } from '../sessions/begin-session.ts';
import { WHOLE_ACCOUNT } from '../sessions/grant.ts';
import { hashOf } from '../sessions/session-token.ts';
import { makeCode, readCode } from './one-time-code.ts';
import type { SetUp } from './schema.ts';
import {
  hasUsers,
  insertFirstAdmin,
  insertSetupCode,
  isSetupCode,
  lockUsers,
  useSetupCodes,
} from './setup.store.ts';
import { makeDevice } from './sign-in-limits.ts';

const VALID_HOURS = 24;

/**
 * Makes the code with which the first administrator is created. Every API prints one when it starts; each works.
 * @returns null when there is a user
 */
export async function makeSetupCode({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<string | null> {
  if (await hasUsers(db)) return null;
  const code = makeCode();
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + VALID_HOURS * 3_600_000);
  await insertSetupCode(db, { codeHash: hashOf(code), createdAt, expiresAt });
  return code;
}

/**
 * Creates the first administrator and signs it in. Of calls at the same time one succeeds.
 * @throws ApiError NOT_FOUND when there is a user, UNAUTHORIZED when the code is not valid, VALIDATION_ERROR for a password that is easy to guess
 */
export async function setUp(context: Context, client: Client, body: SetUp): Promise<BegunSession> {
  const { db, clock } = context;
  const { email, password, name = null, timezone = null } = body;
  const now = clock.now();
  const code = readCode(body.code);
  const codeHash = hashOf(code ?? '');
  const isValid = code !== null && (await isSetupCode(db, codeHash, now));
  // After the look at the code: who creates the first user uses up all codes in the same transaction.
  if (await hasUsers(db)) throw isSetUp();
  if (!isValid) throw isWrong();
  await requireStrong(password, [email, name]);
  const passwordHash = await new Passwords(context).hash(password);
  const begun = await db.$transaction(async (tx) => {
    await lockUsers(tx);
    if (await hasUsers(tx)) throw isSetUp();
    if (!(await useSetupCodes(tx, codeHash, now))) throw isWrong();
    const userId = await insertFirstAdmin(tx, { email, name, timezone, passwordHash });
    const session = { userId, apiKeyId: null, kind: 'person', method: 'password', label: null } as const;
    const { address, userAgent } = client;
    const actor = strangerAt(address);
    await recordAudit(tx, { userId, actor, action: 'administrator_created', details: { email }, at: now });
    return beginSession(tx, { ...session, ...WHOLE_ACCOUNT }, { now, address, userAgent });
  });
  client.setCookie('vas-device', makeDevice(context, begun.account.id));
  client.setCookie('vas', begun.token);
  return begun;
}

const isSetUp = () => notFound('Setup');
const isWrong = () =>
  new ApiError(
    'UNAUTHORIZED',
    `This code is not valid: copy it from the terminal of the API, where it is printed at the start. It is valid for ${VALID_HOURS} hours; a restart prints a new one`,
  );
