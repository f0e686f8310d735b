import { ApiError } from '../../http/errors.ts';
import { type Caller, wordFor } from '../../http/permission.ts';
import type { Tx } from '../../platform/database/db.ts';
import { type Account, findAccount } from '../user.store.ts';

/** For a call whose key or session has ended since it was authenticated; what was read of a credential is kept ten seconds. */
export const endedCaller = (caller: Caller): ApiError =>
  new ApiError('UNAUTHORIZED', `The ${wordFor(caller)} of this call has ended`);

/** @throws ApiError UNAUTHORIZED when the user was deleted meanwhile */
export async function findOwnAccount(db: Tx, caller: Caller): Promise<Account> {
  const account = await findAccount(db, caller.userId);
  if (!account) throw endedCaller(caller);
  return account;
}
