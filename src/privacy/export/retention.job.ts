import { checkKnownStorage, isOwnStorage } from '../../images/check-storage.ts';
import type { Context } from '../../platform/context.ts';
import { expiredFiles, forgetFiles, knownFiles, removeOldJobs } from '../data-job.store.ts';

const AT_ONCE = 500;
/** An export is stored for at most so long before its row names it. */
const UNKNOWN_MS = 86_400_000;

/** Removes the files of exports that have expired, exports and erasures of a year ago, and files that no export names: their program was killed. */
export async function removeOldExports(context: Pick<Context, 'clock' | 'db' | 'images'>): Promise<void> {
  const { clock, db, images } = context;
  await checkKnownStorage(context);
  const now = clock.now();
  for (;;) {
    const files = await expiredFiles(db, now, AT_ONCE);
    if (files.length === 0) break;
    await images.objects.remove(files.flatMap(({ objectKey }) => objectKey ?? []));
    await forgetFiles(
      db,
      files.map(({ id }) => id),
    );
  }
  await removeOldJobs(db, now);
  // Another database that uses the storage by mistake has no rows of these files.
  if (!(await isOwnStorage(context))) return;
  const before = new Date(now.getTime() - UNKNOWN_MS);
  await images.objects.removeUnfinished('exports', before);
  for await (const keys of images.objects.keysBefore('exports', before)) {
    const known = await knownFiles(db, keys);
    await images.objects.remove(keys.filter((key) => !known.has(key)));
  }
}
