import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/db.ts';
import { removeOld } from '../../platform/database/remove-old.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

/** Identifies a call; the same for every repetition. */
export interface CallName {
  readonly userId: string;
  /** Method and path template. */
  readonly route: string;
  /** SHA-256 of the client's key. */
  readonly keyHash: Uint8Array<ArrayBuffer>;
}

/** The attempt that may create. `token` distinguishes it from an earlier attempt whose claim expired. */
export interface Attempt extends CallName {
  readonly token: string;
}

/** A stored call. */
export interface KnownCall {
  readonly requestSealed: string;
  /** Null while the call is running. */
  readonly answerSealed: string | null;
}

const KEPT_HOURS = 24;

const named = ({ userId, route, keyHash }: CallName) =>
  Prisma.sql`"userId" = ${userId}::uuid AND route = ${route} AND "keyHash" = ${keyHash}`;
const isMine = (attempt: Attempt) => Prisma.sql`${named(attempt)} AND token = ${attempt.token}::uuid`;
/** The call is not running and has no answer, or it is older than a day: it counts as never made. */
const IS_FREE = Prisma.sql`("IdempotentCall"."expiresAt" <= clock_timestamp()
  OR ("IdempotentCall"."answerSealed" IS NULL AND "IdempotentCall"."claimedUntil" <= clock_timestamp()))`;

/** @returns null if the call was never made, was released, or is older than a day */
export async function findCall(db: Db, call: CallName): Promise<KnownCall | null> {
  const [row] = await db.$queryRaw<KnownCall[]>`
    SELECT "requestSealed", "answerSealed" FROM "IdempotentCall" WHERE ${named(call)} AND NOT ${IS_FREE}`;
  return row ?? null;
}

/** Number of other stored calls of the user, counted up to `atMost`. */
export async function countCalls(db: Db, call: CallName, atMost: number): Promise<number> {
  const [row] = await db.$queryRaw<[{ kept: bigint }]>`
    SELECT count(*) AS kept FROM (
      SELECT 1 FROM "IdempotentCall" WHERE "userId" = ${call.userId}::uuid AND NOT (${named(call)})
      LIMIT ${atMost}) calls`;
  return Number(row.kept);
}

/** Begins an attempt; only one process succeeds. @returns null when another attempt is running or has ended */
export async function claimCall(
  db: Db,
  call: CallName,
  { requestSealed, claimSeconds }: { requestSealed: string; claimSeconds: number },
): Promise<Attempt | null> {
  const { userId, route, keyHash } = call;
  const token = randomUUID();
  const claimed = await db.$executeRaw`
    INSERT INTO "IdempotentCall" ("userId", route, "keyHash", token, "requestSealed", "claimedUntil", "expiresAt")
    VALUES (${userId}::uuid, ${route}, ${keyHash}, ${token}::uuid, ${requestSealed},
      clock_timestamp() + make_interval(secs => ${claimSeconds}),
      clock_timestamp() + make_interval(hours => ${KEPT_HOURS}))
    ON CONFLICT ("userId", route, "keyHash") DO UPDATE SET
      token = EXCLUDED.token, "requestSealed" = EXCLUDED."requestSealed", "answerSealed" = NULL,
      "claimedUntil" = EXCLUDED."claimedUntil", "expiresAt" = EXCLUDED."expiresAt"
    WHERE ${IS_FREE}`;
  return claimed > 0 ? { ...call, token } : null;
}

/** An attempt that takes long stays alive. @returns false when another attempt has taken over */
export async function prolongClaim(db: Db, attempt: Attempt, claimSeconds: number): Promise<boolean> {
  const prolonged = await db.$executeRaw`
    UPDATE "IdempotentCall" SET "claimedUntil" = clock_timestamp() + make_interval(secs => ${claimSeconds})
    WHERE ${isMine(attempt)} AND "answerSealed" IS NULL`;
  return prolonged > 0;
}

/** Stores the answer of an attempt. @returns false when another attempt has taken over */
export async function keepAnswer(tx: Tx, attempt: Attempt, answerSealed: string): Promise<boolean> {
  const kept = await tx.$executeRaw`
    UPDATE "IdempotentCall" SET "answerSealed" = ${answerSealed} WHERE ${isMine(attempt)}`;
  return kept > 0;
}

/** Releases an attempt that created nothing and whose answer is not stored, so that the next one can begin. */
export async function releaseCall(db: Db, attempt: Attempt): Promise<void> {
  await db.$executeRaw`DELETE FROM "IdempotentCall" WHERE ${isMine(attempt)} AND "answerSealed" IS NULL`;
}

/** Removes stored calls a day after they were made. */
export const removeOldCalls = ({ db }: { readonly db: Db }): Promise<void> =>
  removeOld(db, { table: 'IdempotentCall', column: 'expiresAt', before: new Date() });
