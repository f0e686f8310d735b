import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/db.ts';
import { dayOf, type ImageStore } from '../platform/images/image-store.ts';
import { checkKnownStorage } from './check-storage.ts';
import { forgetImagesBefore } from './image.store.ts';

const DAY_MS = 86_400_000;
/** Small enough that nobody waits for the locks of one statement. */
const BATCH = 2_000;

/** Removes pictures past their time by whole days: the objects first, then their rows. No row, no address. */
export async function removeOldImages(context: {
  readonly config: Pick<Config, 'imageRetentionDays'>;
  readonly clock: Clock;
  readonly images: ImageStore;
  readonly db: Db;
}): Promise<void> {
  const { config, clock, images, db } = context;
  // Rows whose objects lie elsewhere must not be forgotten.
  await checkKnownStorage({ db, images });
  const day = dayOf(new Date(clock.now().getTime() - config.imageRetentionDays * DAY_MS));
  await images.removeBefore(day);
  while ((await forgetImagesBefore(db, { day, atMost: BATCH })) === BATCH);
}
