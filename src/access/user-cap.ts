import { ApiError } from '../http/errors.ts';
import type { Tx } from '../platform/database/db.ts';

/** Lets one transaction at a time do what needs the user's row locked: making and revoking keys, creating below a cap. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}

export interface UserCap {
  readonly userId: string;
  /** What is counted, for the message: `devices`. */
  readonly what: string;
  /** How many a user may have. */
  readonly most: number;
  /** How many the user has now; asked under the lock. */
  readonly count: () => Promise<number>;
}

/**
 * Makes sure that the user may create one more; call it in the transaction that creates, before it locks anything else.
 * @throws ApiError LIMIT_REACHED
 */
export async function requireRoom(tx: Tx, { userId, what, most, count }: UserCap): Promise<void> {
  await lockUser(tx, userId);
  const has = await count();
  if (has < most) return;
  throw new ApiError(
    'LIMIT_REACHED',
    `You have ${has} ${what}, and this installation allows ${most} per user: delete one that you no longer need, or ask the operator`,
  );
}
