import { findPrivacy } from '../../cameras/devices/privacy.store.ts';
import { invalidField, orNotFound } from '../../http/errors.ts';
import { Slots } from '../../http/request/slots.ts';
import type { Context } from '../../platform/context.ts';
import { framePicture } from '../../video/picture/frame-picture.ts';
import { withoutPeople } from '../../video/picture/hide.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { Container } from '../../video/recording/container.ts';
import { readStill } from './read-recording.ts';
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
