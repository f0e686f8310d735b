import type { Fault } from '../../devices/condition.ts';
import type { DeviceSeen } from '../../devices/streamed-devices.store.ts';

const OFFLINE_MS = 30_000;
/** Between two frames of a camera that is well; what is analysed least is one a second, with bad luck every other one. */
const SILENCE_MS = 5_000;
/** The time of the last frame is written so often; a change of state is written at once. */
const REFRESH_MS = 5_000;

interface Seen {
  /** When the first frame was expected, frame time. */
  readonly expectedAtMs: number;
  /** Frame time; null before the first frame. */
  lastFrameMs: number | null;
  /** The newest frame that was written. */
  writtenFrameMs: number | null;
  /** Of the last frame, or of the beginning. */
  lastSignAtMs: number;
  status: 'unknown' | 'online' | 'offline';
  /** Of the last write. */
  writtenAtMs: number;
}

/** Whether the cameras of this node are there, by their frames. Times are monotonic ms unless called frame time. */
export class Presence {
  readonly #devices = new Map<string, Seen>();

  /** From now on frames are expected of it. @param frameTimeMs frame time now */
  expect(deviceId: string, nowMs: number, frameTimeMs: number): void {
    if (this.#devices.has(deviceId)) return;
    this.#devices.set(deviceId, {
      expectedAtMs: frameTimeMs,
      lastFrameMs: null,
      writtenFrameMs: null,
      lastSignAtMs: nowMs,
      status: 'unknown',
      writtenAtMs: nowMs,
    });
  }

  /** @param frameTimeMs frame time */
  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    const seen = this.#devices.get(deviceId);
    if (!seen) return;
    seen.lastFrameMs = frameTimeMs;
    seen.lastSignAtMs = nowMs;
  }

  /** It is there, though no frame of it is analysed. */
  sign(deviceId: string, nowMs: number): void {
    const seen = this.#devices.get(deviceId);
    if (seen) seen.lastSignAtMs = nowMs;
  }

  hasFrames(deviceId: string): boolean {
    return this.#devices.get(deviceId)?.lastFrameMs != null;
  }

  /** That no frame comes, where that is so. A camera has longer for its first one. */
  silence(deviceId: string, nowMs: number): Fault | null {
    const seen = this.#devices.get(deviceId);
    if (!seen || nowMs - seen.lastSignAtMs < (seen.lastFrameMs === null ? OFFLINE_MS : SILENCE_MS))
      return null;
    return {
      reason: 'no_frames',
      message: 'No frame comes from the camera: look at it and at its network.',
      sinceMs: seen.lastFrameMs ?? seen.expectedAtMs,
    };
  }

  forget(deviceId: string): void {
    this.#devices.delete(deviceId);
  }

  /** What was to be written was not: it is to be written with the next call. */
  unwritten(due: readonly DeviceSeen[]): void {
    for (const { deviceId } of due) {
      const seen = this.#devices.get(deviceId);
      if (seen) seen.status = 'unknown';
    }
  }

  /** What is to be written now; it counts as written. Without a new frame nobody is called online again. */
  take(nowMs: number): DeviceSeen[] {
    const due: DeviceSeen[] = [];
    for (const [deviceId, seen] of this.#devices) {
      const silentMs = nowMs - seen.lastSignAtMs;
      const status = silentMs >= OFFLINE_MS ? 'offline' : seen.lastFrameMs === null ? 'unknown' : 'online';
      const isRefresh =
        status === 'online' &&
        seen.lastFrameMs !== seen.writtenFrameMs &&
        nowMs - seen.writtenAtMs >= REFRESH_MS;
      if (status === 'unknown' || (status === seen.status && !isRefresh)) continue;
      seen.status = status;
      seen.writtenAtMs = nowMs;
      seen.writtenFrameMs = seen.lastFrameMs;
      due.push({ deviceId, lastFrameMs: seen.lastFrameMs, onlineStatus: status, silentMs });
    }
    return due;
  }
}
