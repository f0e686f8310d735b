import type { Context } from '../../platform/context.ts';
import { removeExpired } from './call.store.ts';

/** Small enough that nobody waits for the locks of one statement. */
const BATCH = 2_000;

/** Removes calls with an Idempotency-Key after a day. */
export async function removeOldCalls({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await removeExpired(db, BATCH)) === BATCH);
}
