import { isOwnStorage } from '../../images/check-storage.ts';
import type { Context } from '../../platform/context.ts';
import { knownKeys } from './recording.store.ts';

/** An upload that was killed. A file of this age without a row gets none any more. */
const DAY_MS = 86_400_000;

/**
 * Removes files of recordings without a row and unfinished ones: their uploads were killed. A repetition changes nothing.
 * @returns number of removed files
 */
export async function removeUnknownRecordings(
  context: Pick<Context, 'clock' | 'db' | 'images' | 'logger'>,
): Promise<number> {
  const { db, images, clock, logger } = context;
  if (!(await isOwnStorage({ db, images }))) return 0;
  const before = new Date(clock.now().getTime() - DAY_MS);
  await images.objects.removeUnfinished('recordings', before);
  let removed = 0;
  for await (const keys of images.objects.keysBefore('recordings', before)) {
    const known = await knownKeys(db, keys);
    const unknown = keys.filter((key) => !known.has(key));
    if (unknown.length > 0) await images.objects.remove(unknown);
    removed += unknown.length;
  }
  if (removed > 0) logger.warn({ removed }, 'files of recordings without a row were removed');
  return removed;
}
