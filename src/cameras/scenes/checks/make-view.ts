import type { Context } from '../../../platform/context.ts';
import { medianPicture } from '../../../video/picture/median.ts';
import { makeCameraAccess } from '../../devices/camera-access.ts';
import { findViewed } from './check.store.ts';

/** Too coarse for faces of those who stay in one place for most of the time. */
const WIDTH = 240;
/** With fewer pictures, or within a shorter time, somebody who stands still for long would be seen. */
const LEAST_STILLS = 9;
const LEAST_MS = 30 * 60_000;

/**
 * The view of the camera of a check that is about to be finished, without people: the median of its stills.
 * @returns null where there is none, or none may be kept
 */
export async function makeView(
  { db, shared, logger }: Pick<Context, 'db' | 'logger' | 'shared'>,
  checkId: string,
): Promise<Uint8Array | null> {
  const stills = await findViewed(db, checkId);
  const [first, last] = [stills[0], stills.at(-1)];
  if (!first || !last || stills.length < LEAST_STILLS) return null;
  if (last.capturedAt.getTime() - first.capturedAt.getTime() < LEAST_MS) return null;
  try {
    const { ffmpeg } = await shared.get(makeCameraAccess).binaries();
    const jpegs = stills.flatMap(({ jpeg }) => (jpeg ? [jpeg] : []));
    return await medianPicture(ffmpeg, jpegs, WIDTH);
  } catch (error) {
    logger.warn({ err: error, checkId }, 'the view of a check could not be made');
    return null;
  }
}
