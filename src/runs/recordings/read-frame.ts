import { findPrivacy } from '../../cameras/devices/privacy.store.ts';
import { READ } from '../../cameras/scenes/checks/times/film.ts';
import { mayShowPeople } from '../../cameras/scenes/checks/times/times.store.ts';
import { invalidField, orNotFound } from '../../http/errors.ts';
import { Slots } from '../../http/request/slots.ts';
import type { Context } from '../../platform/context.ts';
import { framePicture } from '../../video/picture/frame-picture.ts';
import { withoutPeople } from '../../video/picture/hide.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { Container } from '../../video/recording/container.ts';
import { readFilm, readStill } from './read-recording.ts';
import { findRecording } from './recording.store.ts';

/** For `Context.shared`. Each still costs a process of ffmpeg. */
const makeStillSlots = () =>
  new Slots({
    ...{ perUser: 3, perProgram: 8 },
    message: 'Other images of recordings are being read: wait for their answers, then try again',
    retryAfterSeconds: 1,
  });

/** Pixels. */
const LONGEST = 1920;

export interface WantedStill {
  readonly userId: string;
  readonly id: string;
  /** Seconds in the file. */
  readonly at: number;
  /** Pixels. */
  readonly width: number;
}

export interface WantedFilm {
  readonly userId: string;
  readonly id: string;
  /** Seconds in the file. */
  readonly from: number;
  readonly seconds: number;
  readonly checkId?: string | undefined;
}

/**
 * An image of a recording, on which zones can be drawn.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, RATE_LIMITED, UNREADABLE_VIDEO, SERVICE_UNAVAILABLE
 */
export async function recordingFrame(
  context: Context,
  { userId, id, at, width }: WantedStill,
  signal: AbortSignal,
): Promise<{ jpeg: Buffer; capturedAt: Date; deviceId: string }> {
  const recording = orNotFound(await findRecording(context.db, userId, id), 'Recording');
  const { durationMs, objectKey, recordedAt, videoTrack } = recording;
  if (at * 1000 >= durationMs)
    throw invalidField('at', `must be less than the length of the recording, ${durationMs / 1000} s`);
  const container = recording.format as Container;
  const jpeg = await context.shared.get(makeStillSlots).hold(userId, async () => {
    const frame = await readStill(
      context,
      { objectKey, container, videoTrack },
      { atSeconds: at, longest: LONGEST, rotation: recording.device.rotation as Rotation, signal },
    );
    // Read last, so that a mask that was drawn meanwhile holds.
    const privacy = orNotFound(await findPrivacy(context.db, recording.deviceId), 'Recording');
    return framePicture(frame, withoutPeople(privacy), Math.min(width, frame.width));
  });
  const capturedAt = new Date(recordedAt.getTime() + Math.round(at * 1000));
  return { jpeg, capturedAt, deviceId: recording.deviceId };
}

/** Pixels of the longer side: a film is looked at, and its pictures are many. */
const FILM_LONGEST = 640;

/**
 * A piece of a recording as JPEGs, one after the other.
 * @param wanted.checkId an open check of times of the recording: it may show people whom other pictures hide
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, RATE_LIMITED, UNREADABLE_VIDEO, SERVICE_UNAVAILABLE
 */
export async function recordingFilm(
  context: Context,
  { userId, id, from, seconds, checkId }: WantedFilm,
  signal: AbortSignal,
): Promise<{ jpegs: Buffer; deviceId: string; showsPeople: boolean }> {
  const recording = orNotFound(await findRecording(context.db, userId, id), 'Recording');
  const { durationMs, objectKey, videoTrack, deviceId, sceneId } = recording;
  if (from * 1000 >= durationMs)
    throw invalidField('from', `must be less than the length of the recording, ${durationMs / 1000} s`);
  const container = recording.format as Container;
  const showsPeople =
    checkId !== undefined && orNotFound(await mayShowPeople(context.db, { sceneId, checkId }), 'Check');
  const jpegs = await context.shared.get(makeStillSlots).hold(userId, async () => {
    const rotation = recording.device.rotation as Rotation;
    const part = { atSeconds: from, seconds, fps: READ.fps, longest: FILM_LONGEST, rotation };
    const frames = await readFilm(context, { objectKey, container, videoTrack }, { ...part, signal });
    const privacy = orNotFound(await findPrivacy(context.db, deviceId), 'Recording');
    const hidden = withoutPeople({ ...privacy, ...(showsPeople && { blurPeople: 'none' as const }) });
    return Buffer.concat(
      await Promise.all(
        frames.map((frame) => framePicture(frame, hidden, Math.min(FILM_LONGEST, frame.width))),
      ),
    );
  });
  return { jpegs, deviceId, showsPeople };
}
