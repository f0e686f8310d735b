import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, orNotFound } from '../../../http/errors.ts';
import type { Part } from '../../../http/part.ts';
import type { Context } from '../../../platform/context.ts';
import { findDeviceConditions } from '../condition.store.ts';
import { findDevice } from '../device.store.ts';
import { liveHub, type Watched } from './live-hub.ts';
import type { LivePart, Watcher } from './watched-device.ts';

/** A node that sends only stills of the device sends one within half of this time. */
const FIRST_PICTURE_MS = 10_000;

/**
 * Live pictures of a device, without end while it is analysed. The answer begins with the first picture, so that a client
 * gets an error instead of an answer without pictures.
 * @throws ApiError NOT_FOUND, NOT_RUNNING, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function watchDevice(
  context: Context,
  watched: Watched,
  { signal, firstPictureMs = FIRST_PICTURE_MS }: { signal: AbortSignal; firstPictureMs?: number },
): Promise<AsyncGenerator<Part>> {
  orNotFound(await findDevice(context.db, watched.userId, watched.deviceId), 'Device');
  const ended = new AbortController();
  const watcher = await liveHub(context).watch(context.db, watched, AbortSignal.any([signal, ended.signal]));
  const first = await inTime(watcher.next(), firstPictureMs);
  if (first) return partsOf(first, watcher);
  ended.abort();
  throw await noPicture(context, watched.deviceId, firstPictureMs);
}

async function* partsOf(first: LivePart, watcher: Watcher): AsyncGenerator<Part> {
  for (let picture: LivePart | null = first; picture; picture = await watcher.next()) yield picture.part;
}

/** @returns null when none came in time */
async function inTime(picture: Promise<LivePart | null>, timeoutMs: number): Promise<LivePart | null> {
  const settled = new AbortController();
  const late = pause(timeoutMs, null, { signal: settled.signal }).catch(() => null);
  const first = await Promise.race([picture, late]);
  settled.abort();
  return first;
}

async function noPicture({ db }: Context, deviceId: string, timeoutMs: number): Promise<ApiError> {
  const condition = (await findDeviceConditions(db, [deviceId])).get(deviceId);
  const why = condition?.fault?.message ?? 'Its analysis may not have begun, or its node may be away.';
  const message = `No picture came within ${timeoutMs / 1000} seconds. ${why} Try again`;
  return new ApiError('SERVICE_UNAVAILABLE', message, [], { retryAfterSeconds: 10 });
}
