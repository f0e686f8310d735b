import { ApiError } from '../http/errors.ts';
import { type Caller, requireScope } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import type { ListedKey } from './api-key.store.ts';
import { createKey } from './create-key.ts';
import type { CreateKey } from './schema.ts';

/**
 * Makes a key that may do no more than the key that asks for it.
 * @throws ApiError INSUFFICIENT_SCOPE, VALIDATION_ERROR
 */
export async function grantKey(
  { db, clock }: Context,
  caller: Caller,
  { name, scopes, expiresAt = null }: CreateKey,
): Promise<ListedKey & { key: string }> {
  for (const scope of scopes) requireScope(caller, scope);
  if (scopes.includes('admin')) {
    throw new ApiError('INSUFFICIENT_SCOPE', 'Keys with the scope admin are made on the command line only');
  }
  if (expiresAt && expiresAt <= clock.now()) {
    const message = 'must lie in the future';
    throw new ApiError('VALIDATION_ERROR', `expiresAt: ${message}`, [{ path: 'expiresAt', message }]);
  }
  return createKey(db, { userId: caller.userId, name, scopes, expiresAt });
}
