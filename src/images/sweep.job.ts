import type { Context } from '../platform/context.ts';
import { dayOf, ownerOf } from '../platform/images/image-store.ts';
import { checkKnownStorage, isOurs } from './check-storage.ts';
import { claimSweep, expectedStorageId, knownImages, knownUsers, leaveSweep } from './image.store.ts';

const DAY_MS = 86_400_000;
/** Most pages of keys in one run, so that a run ends before its claim. */
const PAGES = 100;
/** Longer than a run. After this time another program continues the work of a killed one. */
const CLAIM_MS = 3_600_000;
/** Time from the end of a round, which checks every key, to the next round. */
const ROUND_MS = DAY_MS;

type SweepContext = Pick<Context, 'db' | 'images' | 'clock' | 'logger'>;

/**
 * Removes images without a row: their writer was killed before it wrote the row. An image that was stored within the last day
 * may still get its row, unless its user was erased. Each run checks a bounded number of keys, and the next one continues.
 * Only one program does this at a time; a repetition changes nothing.
 * @returns number of removed images
 */
export async function removeUnknownImages(context: SweepContext, pages = PAGES): Promise<number> {
  const { db, images, clock, logger } = context;
  if ((await expectedStorageId(db)) === null) return 0;
  await checkKnownStorage({ db, images });
  const now = clock.now();
  const after = await claimSweep(db, { now, claimedUntil: new Date(now.getTime() + CLAIM_MS) });
  if (after === null) return 0;
  const nextRound = new Date(now.getTime() + ROUND_MS);
  if (!(await isOurs(context))) {
    logger.warn(
      { place: images.place },
      'images without a row are not removed: the storage belongs to another database',
    );
    await leaveSweep(db, { after: '', notBefore: nextRound });
    return 0;
  }
  const day = dayOf(new Date(now.getTime() - DAY_MS));
  if (after === '') await images.removeUnfinishedBefore(day);
  const looked = { keys: 0, removed: 0, pages: 0 };
  let last = after;
  for await (const keys of images.keysAfter(after)) {
    const unknown = await unknownOf(context, keys, day);
    if (unknown.length > 0) await images.remove(unknown);
    looked.keys += keys.length;
    looked.removed += unknown.length;
    looked.pages += 1;
    last = keys.at(-1) ?? last;
    if (looked.pages === pages) break;
  }
  const isDone = looked.pages < pages;
  await leaveSweep(db, isDone ? { after: '', notBefore: nextRound } : { after: last, notBefore: now });
  if (looked.removed > 0) logger.warn(looked, 'images without a row were removed');
  return looked.removed;
}

/** @param day images of this day and later may still get their row */
async function unknownOf({ db }: SweepContext, keys: readonly string[], day: string): Promise<string[]> {
  const known = await knownImages(db, keys);
  const without = keys.filter((key) => !known.has(key));
  const owners = [...new Set(without.flatMap((key) => ownerOf(key) ?? []))];
  const users = owners.length > 0 ? await knownUsers(db, owners) : new Set<string>();
  return without.filter((key) => {
    const owner = ownerOf(key);
    return key < day || (owner !== null && !users.has(owner));
  });
}
