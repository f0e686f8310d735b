import { setTimeout as pause } from 'node:timers/promises';
import { NO_IMAGE } from '../../../lanes/lane-pool.ts';
import type { LaneImage } from '../../../lanes/lane-protocol.ts';

/** A change of masks reaches a lane within this time, unless the database is away. */
const TRIES = 8;
const PAUSE_MS = 250;
const CHANGED = 'The privacy settings of this device have just changed: try again in a few seconds.';

/**
 * A picture that was made for the present masks of its device. A picture for former masks is thrown away and made again.
 * @param make asks a lane for the picture
 * @param isPresent uses the picture, or finds that it was made for former masks
 */
export async function presentPicture(
  make: () => Promise<LaneImage>,
  isPresent: (image: LaneImage) => Promise<boolean>,
): Promise<LaneImage> {
  for (let tried = 1; tried <= TRIES; tried++) {
    const image = await make();
    if (!image.jpeg || (await isPresent(image))) return image;
    await pause(PAUSE_MS);
  }
  return { ...NO_IMAGE, fault: CHANGED };
}
