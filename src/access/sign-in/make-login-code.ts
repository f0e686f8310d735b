import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { ApiError } from '../../http/errors.ts';
import type { Caller } from '../../http/permission.ts';
import type { Context } from '../../platform/context.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { SessionKind } from '../../platform/prisma-client/enums.ts';
import { type Grant, grantOf, type WantedGrant } from '../sessions/grant.ts';
import { hashOf } from '../sessions/session-token.ts';
import { requireRoom } from '../user-cap.ts';
import { countCodes, insertCode, isStillThere } from './login-code.store.ts';
import { codePath, makeCode } from './one-time-code.ts';

const VALID_MINUTES = 5;
/** Codes of a user that wait to be used. */
const MOST_CODES = 100;

export interface MadeCode {
  readonly id: string;
  /** Available only now. */
  readonly code: string;
  /** Address of the page that takes it, below the address of the service. */
  readonly path: string;
  readonly expiresAt: Date;
}

export interface WantedCode {
  readonly userId: string;
  readonly keyId: string | null;
  readonly sessionId: string | null;
  readonly kind: SessionKind;
  readonly grant: Grant;
  readonly label: string | null;
  /** Who makes it. */
  readonly by: Actor;
}

/**
 * Makes a code that begins one session.
 * @throws ApiError LIMIT_REACHED, UNAUTHORIZED (the key or session of the caller was revoked meanwhile)
 */
export function makeLoginCode(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  { userId, keyId, sessionId, kind, grant, label, by }: WantedCode,
  lastStep?: LastStep<MadeCode>,
): Promise<MadeCode> {
  const now = clock.now();
  const code = makeCode();
  const expiresAt = new Date(now.getTime() + VALID_MINUTES * 60_000);
  return db.$transaction(async (tx) => {
    const count = () => countCodes(tx, userId, now);
    await requireRoom(tx, { userId, what: 'one-time codes that wait to be used', most: MOST_CODES, count });
    if (!(await isStillThere(tx, { sessionId, keyId })))
      throw new ApiError('UNAUTHORIZED', 'The API key or session of this call was revoked');
    const { id } = await insertCode(tx, {
      ...{ userId, apiKeyId: keyId, sessionId, codeHash: hashOf(code), kind, label },
      ...{ role: grant.role, scopes: [...grant.scopes], createdAt: now, expiresAt },
    });
    const details = { kind, role: grant.role, scopes: grant.scopes, label };
    await recordAudit(tx, { userId, actor: by, action: 'login_code_created', details, at: now });
    const made = { id, code, path: codePath('enter', code), expiresAt };
    await lastStep?.(tx, made);
    return made;
  });
}

/** The code of a caller, with no more scopes than the caller has. @throws ApiError INSUFFICIENT_SCOPE, VALIDATION_ERROR */
export function grantCode(
  context: Pick<Context, 'clock' | 'db'>,
  caller: Caller,
  { label, by, ...wanted }: WantedGrant & { readonly label?: string | null | undefined; readonly by: Actor },
  lastStep?: LastStep<MadeCode>,
): Promise<MadeCode> {
  const { userId, keyId, sessionId } = caller;
  const grant = grantOf(caller, wanted);
  const code = { userId, keyId, sessionId, kind: wanted.kind, grant, label: label ?? null, by };
  return makeLoginCode(context, code, lastStep);
}
