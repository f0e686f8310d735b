import type { Actor } from '../audit/record-audit.ts';
import { ApiError, invalidField } from '../http/errors.ts';
import { type Caller, requireScope, wordFor } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { countKeys, findParent, type ListedKey } from './api-key.store.ts';
import { createKey, recordNewKey } from './create-key.ts';
import type { CreateKey } from './schema.ts';
import { isStillThere } from './sign-in/login-code.store.ts';
import { requireRoom } from './user-cap.ts';

/**
 * Creates a key with no more scopes than the calling key or session. It expires no later than the calling key and is revoked with it.
 * @throws ApiError INSUFFICIENT_SCOPE, VALIDATION_ERROR, LIMIT_REACHED, UNAUTHORIZED (the calling key was revoked meanwhile)
 */
export async function grantKey(
  { db, clock, config }: Context,
  caller: Caller,
  { name, scopes, expiresAt = null, by }: CreateKey & { readonly by: Actor },
  lastStep?: LastStep<ListedKey & { key: string }>,
): Promise<ListedKey & { key: string }> {
  for (const scope of scopes) requireScope(caller, scope);
  if (scopes.includes('admin')) {
    throw new ApiError(
      'INSUFFICIENT_SCOPE',
      'Keys with the scope admin can be created on the command line only',
    );
  }
  if (expiresAt && expiresAt <= clock.now())
    throw invalidField('expiresAt', `must lie in the future; received ${expiresAt.toISOString()}`);
  const { userId, sessionId, keyId: parentId } = caller;
  return db.$transaction(async (tx) => {
    const cap = { userId, what: 'API keys', most: config.maxKeysPerUser, count: () => countKeys(tx, userId) };
    await requireRoom(tx, cap);
    // A key that a session makes belongs to the user and outlives the session, unless the session itself comes from a key.
    const parent = parentId === null ? { expiresAt: null } : await findParent(tx, parentId);
    if (!parent || !(await isStillThere(tx, { sessionId, keyId: parentId })))
      throw new ApiError('UNAUTHORIZED', `The calling ${wordFor(caller)} was revoked`);
    if (expiresAt && parent.expiresAt && expiresAt > parent.expiresAt) {
      throw invalidField(
        'expiresAt',
        `must not be after the end of the calling key, ${parent.expiresAt.toISOString()}; leave it out to use that end`,
      );
    }
    const made = await createKey(tx, {
      userId,
      parentId,
      name,
      scopes,
      expiresAt: expiresAt ?? parent.expiresAt,
    });
    await recordNewKey(tx, made, { userId, by, at: clock.now() });
    await lastStep?.(tx, made);
    return made;
  });
}
