import { ApiError } from '../../http/errors.ts';
import type { Tx } from '../../platform/database/db.ts';

/** Bytes of all files of a user, also of those whose deletion is not finished. */
async function sumBytes(db: Tx, userId: string): Promise<number> {
  // Each half reads an index of its own.
  const [row] = await db.$queryRaw<[{ bytes: bigint }]>`
    SELECT coalesce(sum("sizeBytes"), 0)::bigint AS bytes FROM (
      SELECT "sizeBytes" FROM "Recording" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL
      UNION ALL
      SELECT "sizeBytes" FROM "Recording" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NOT NULL) AS file`;
  return Number(row.bytes);
}

/** The same of every user who has a recording. */
export async function bytesByUser(db: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await db.recording.groupBy({ by: ['userId'], _sum: { sizeBytes: true } });
  return new Map(rows.map(({ userId, _sum }) => [userId, Number(_sum.sizeBytes)]));
}

/**
 * Checks that a file of so many bytes still has room.
 * @returns the bytes that are free
 * @throws ApiError LIMIT_REACHED with the limit and the use
 */
export async function requireSpareBytes(
  db: Tx,
  { userId, mostBytes, bytes }: { userId: string; mostBytes: number; bytes: number },
): Promise<number> {
  const used = await sumBytes(db, userId);
  if (used + bytes <= mostBytes) return mostBytes - used;
  throw noRoom({ limit: mostBytes, used });
}

/** The error of a file that has no room. */
export function noRoom({ limit, used }: { limit: number; used: number }): ApiError {
  const message = `Your recordings have ${used} of ${limit} bytes (MAX_RECORDING_BYTES_PER_USER), and this file has no room: delete recordings that you no longer need, or ask the operator`;
  return new ApiError('LIMIT_REACHED', message, [{ path: '', message, reason: 'stored_bytes', limit, used }]);
}
