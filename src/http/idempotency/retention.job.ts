import type { Context } from '../../platform/context.ts';
import { removeExpired } from './call.store.ts';

/** Rows per statement; a small number keeps its locks short. */
const BATCH = 2_000;

/** Removes stored calls a day after they were made. */
export async function removeOldCalls({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await removeExpired(db, BATCH)) === BATCH);
}
