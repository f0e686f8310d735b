import type { Context } from '../platform/context.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';
import { dayOf } from '../platform/images/image-store.ts';
import { checkKnownStorage } from './check-storage.ts';

/** Removes images after IMAGE_RETENTION_DAYS, in whole days: first the objects, then their rows. */
export async function removeOldImages({
  config,
  clock,
  images,
  db,
}: Pick<Context, 'clock' | 'images' | 'db'> & {
  readonly config: Pick<Context['config'], 'imageRetentionDays'>;
}): Promise<void> {
  // Rows must stay while their storage cannot be reached.
  await checkKnownStorage({ db, images });
  const day = dayOf(daysBefore(clock.now(), config.imageRetentionDays));
  await images.removeBefore(day);
  // Keys begin with their day.
  await removeOld(db, { table: 'StoredImage', column: 'objectKey', before: day });
}
