import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { ApiError, notFound } from '../../../http/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { JPEG } from '../../../video/jpeg.ts';
import { storedConfig } from '../../../vision/stored-config.ts';
import { findDevice, findZonesOf } from '../device.store.ts';
import { drawZones } from './draw-zones.ts';
import { askForFrame, findFrame } from './frame-request.store.ts';

const WAIT_MS = 5_000;
const POLL_EVERY_MS = 100;

/** An image, and when its frame came. */
export interface CapturedImage {
  readonly jpeg: Uint8Array;
  readonly capturedAt: Date;
}

/**
 * An image of what a device sees now, as JPEG.
 * @param wanted.sceneId a scene of the device whose zones are drawn
 * @param wanted.width pixels; the image is never enlarged
 * @throws ApiError NOT_FOUND, SERVICE_UNAVAILABLE when no node has an image within 5 seconds
 */
export async function currentFrame(
  db: Db,
  wanted: { userId: string; deviceId: string; sceneId?: string | undefined; width?: number | undefined },
  signal: AbortSignal,
): Promise<CapturedImage> {
  const { userId, deviceId, sceneId, width } = wanted;
  if (!(await findDevice(db, userId, deviceId))) throw notFound('Device');
  const config = sceneId === undefined ? null : await findZonesOf(db, { userId, deviceId, sceneId });
  if (sceneId !== undefined && config === null) throw notFound('Scene', 'sceneId');
  const { jpeg, capturedAt } = await awaitFrame(db, await askForFrame(db, deviceId), signal);
  const zones = config === null ? null : storedConfig.parse(config).zones;
  const drawn = zones === null ? jpeg : await drawZones(jpeg, zones);
  return { jpeg: width === undefined ? drawn : await atMost(width, drawn), capturedAt };
}

const atMost = (width: number, jpeg: Uint8Array): Promise<Buffer> =>
  sharp(jpeg).resize({ width, withoutEnlargement: true }).jpeg(JPEG).toBuffer();

async function awaitFrame(db: Db, requestId: string, signal: AbortSignal): Promise<CapturedImage> {
  const deadline = performance.now() + WAIT_MS;
  do {
    const request = await findFrame(db, requestId);
    if (request?.status === 'completed' && request.jpeg && request.capturedAt)
      return { jpeg: request.jpeg, capturedAt: request.capturedAt };
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
