import { RateLimit } from '../../../http/server/rate-limit.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Codes and test messages of a user within the window: nobody can fill a foreign mailbox with them. */
const MOST = 20;
const WINDOW_SECONDS = 3_600;

const limits = new WeakMap<Db, RateLimit>();

/**
 * Counts a code or test message before it is stored, over all API processes.
 * @throws ApiError RATE_LIMITED
 */
export function countMessage({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  let limit = limits.get(db);
  if (!limit) {
    limit = new RateLimit('messages', MOST, { sharedBy: db, isShown: false, windowSeconds: WINDOW_SECONDS });
    limits.set(db, limit);
  }
  return limit.consume(userId);
}
