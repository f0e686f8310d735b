import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, notFound } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { sceneConfigSchema } from '../../vision/scene-config.ts';
import type { QueueZones } from '../../vision/types.ts';
import { findDevice, findZonesOf } from '../device.store.ts';
import { drawZones } from './draw-zones.ts';
import { askForFrame, findFrame } from './frame-request.store.ts';

const WAIT_MS = 5_000;
const POLL_EVERY_MS = 100;

/**
 * An image of what a device sees now, as JPEG.
 * @param wanted.sceneId a scene of the device whose zones are drawn
 * @throws ApiError NOT_FOUND, SERVICE_UNAVAILABLE when no node has an image within 5 seconds
 */
export async function currentFrame(
  db: Db,
  wanted: { userId: string; deviceId: string; sceneId?: string | undefined },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { userId, deviceId, sceneId } = wanted;
  if (!(await findDevice(db, userId, deviceId))) throw notFound('Device');
  const config = sceneId === undefined ? null : await findZonesOf(db, { userId, deviceId, sceneId });
  if (sceneId !== undefined && config === null) throw notFound('Scene');
  const jpeg = await awaitFrame(db, await askForFrame(db, deviceId), signal);
  return config === null ? jpeg : drawZones(jpeg, sceneConfigSchema.parse(config).zones as QueueZones);
}

async function awaitFrame(db: Db, requestId: string, signal: AbortSignal): Promise<Uint8Array> {
  const deadline = performance.now() + WAIT_MS;
  do {
    const request = await findFrame(db, requestId);
    if (request?.status === 'completed' && request.jpeg) return request.jpeg;
    if (request?.status === 'failed') {
      throw new ApiError('SERVICE_UNAVAILABLE', request.errorMessage ?? 'There is no image at the moment.');
    }
    await pause(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
  } while (performance.now() < deadline && !signal.aborted);
  throw new ApiError(
    'SERVICE_UNAVAILABLE',
    'No compute node had an image within 5 seconds: check that a node is alive and the camera can be reached, then try again',
  );
}
