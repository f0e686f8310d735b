import type { z } from 'zod';
import { readNetworks } from '../../access/networks.ts';
import { readBlurPeople } from '../../access/user.store.ts';
import { Slots } from '../../http/request/slots.ts';
import type { Context } from '../../platform/context.ts';
import { patientMs } from '../../platform/processes/patience.ts';
import { grabFrame } from '../../video/grab-frame.ts';
import { framePicture } from '../../video/picture/frame-picture.ts';
import { withoutPeople } from '../../video/picture/hide.ts';
import { StreamError } from '../../video/stream-error.ts';
import { makeCameraAccess } from './camera-access.ts';
import { acceptStreamUrl } from './configure-device.ts';
import { probeStream } from './probe-stream.ts';
import type { probedAddress } from './schema.ts';

type Probed = z.input<typeof probedAddress>;

/** Milliseconds. A camera that sends one key frame in ten seconds may give none. */
const IMAGE_MS = 6_000;

/** For `Context.shared`. Each probe holds a connection to a camera and a process of ffmpeg. */
const makeProbeSlots = () =>
  new Slots({
    ...{ perUser: 2, perProgram: 8 },
    message: 'Other addresses are being probed: wait for their answers, then try again',
    retryAfterSeconds: IMAGE_MS / 1000,
  });

/**
 * What an address of a camera stream sends, with an image. Nothing is stored.
 * @throws ApiError VALIDATION_ERROR, RATE_LIMITED
 */
export async function probeAddress(
  context: Pick<Context, 'config' | 'db' | 'shared'>,
  userId: string,
  streamUrl: string,
): Promise<Probed> {
  const url = await acceptStreamUrl(context, userId, streamUrl);
  return context.shared.get(makeProbeSlots).hold(userId, async () => {
    const cameras = context.shared.get(makeCameraAccess);
    const networks = await readNetworks(context.db, userId);
    const { onlineStatus, info, fault } = await probeStream(url, cameras, { networks });
    const shown = {
      onlineStatus,
      fault: fault && { reason: fault.reason, message: fault.sentence },
      width: info?.width ?? null,
      height: info?.height ?? null,
      codec: info?.codec ?? null,
      sourceFps: info?.sourceFps ?? null,
    };
    if (onlineStatus === 'offline') return { ...shown, image: null, imageError: null };
    const binaries = await cameras.binaries();
    try {
      const grabbed = { binaries, timeoutMs: patientMs(IMAGE_MS), cameraProxy: cameras.proxyFor(networks) };
      const frame = await grabFrame(url, grabbed);
      // Read last, so that a change meanwhile holds.
      const blurPeople = await readBlurPeople(context.db, userId);
      const jpeg = await framePicture(frame, withoutPeople({ masks: [], blurPeople }));
      return { ...shown, image: presentImage(jpeg, frame), imageError: null };
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      return { ...shown, image: null, imageError: error.fault.sentence };
    }
  });
}

const presentImage = (
  jpeg: Buffer,
  { width, height }: { width: number; height: number },
): NonNullable<Probed['image']> => ({
  contentType: 'image/jpeg',
  base64: jpeg.toString('base64'),
  width,
  height,
});
