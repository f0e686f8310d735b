import { ApiError } from '../http/errors.ts';
import type { Tx } from '../platform/database/db.ts';

/** Locks the user until the end of the transaction: for creating and revoking keys, and for creating resources with a limit. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}

export interface UserCap {
  readonly userId: string;
  /** Name of the resources for the message, for example `devices`. */
  readonly what: string;
  /** Maximum number per user. */
  readonly most: number;
  /** Counts the resources of the user; called under the lock. */
  readonly count: () => Promise<number>;
}

/**
 * Checks that the user may create one more. Call it in the transaction that creates, before that locks anything else.
 * @throws ApiError LIMIT_REACHED
 */
export async function requireRoom(tx: Tx, { userId, what, most, count }: UserCap): Promise<void> {
  await lockUser(tx, userId);
  const has = await count();
  if (has < most) return;
  throw new ApiError(
    'LIMIT_REACHED',
    `You have ${has} ${what}; the maximum per user is ${most}: delete one that you no longer need, or ask the operator`,
  );
}
