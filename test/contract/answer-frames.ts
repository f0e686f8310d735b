import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { storePicture } from '../../src/cameras/devices/images/live-picture.store.ts';
import type { Context } from '../../src/platform/context.ts';

const grey = { width: 64, height: 36, channels: 3, background: 'grey' } as const;
export const greyPicture = async () => new Uint8Array(await sharp({ create: grey }).jpeg().toBuffer());

/** Answers requests for pictures, and sends live pictures, as nodes do, until it is told to stop. */
export function answerFrames({ db }: Context): () => Promise<void> {
  const ended = new AbortController();
  const answering = (async () => {
    const jpeg = await greyPicture();
    while (!ended.signal.aborted) {
      const data = { status: 'completed', jpeg, capturedAt: new Date() } as const;
      await db.frameRequest.updateMany({ where: { status: 'pending' }, data });
      const picture = { capturedAtMs: Date.now(), tracks: '{}', isStill: false, jpeg };
      for (const { device } of await db.liveWish.findMany({ include: { device: true } }))
        await storePicture(db, device.id, { ...picture, privacyRevision: device.privacyRevision });
      await pause(200, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    ended.abort();
    await answering;
  };
}
