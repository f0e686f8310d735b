import type { Fault } from '../../../cameras/devices/condition.ts';
import type { DeviceSeen } from '../../../cameras/devices/streamed-devices.store.ts';

const OFFLINE_MS = 30_000;
/** A working camera is analysed at least once a second; with bad luck every other second. */
const MISSING_FRAMES_MS = 5_000;
/** The time of the last frame is stored this often; a change of the status is stored at once. */
const REFRESH_MS = 5_000;

interface Camera {
  /** Frame time from which a first frame was expected. */
  readonly expectedAtMs: number;
  /** Frame time; null before the first frame. */
  lastFrameMs: number | null;
  /** Of the last analysed frame; null before the first. */
  frameAtMs: number | null;
  /** Frame time of the newest stored frame. */
  writtenFrameMs: number | null;
  /** Of the last frame or signal; before the first one, the time at which the camera was added. */
  lastSignalAtMs: number;
  status: 'unknown' | 'online' | 'offline';
  writtenAtMs: number;
}

/** Whether the cameras of this node are online, by their frames. Times are monotonic ms unless called frame time. */
export class Presence {
  readonly #cameras = new Map<string, Camera>();

  /** From now on frames are expected of the camera. */
  add(deviceId: string, nowMs: number, frameTimeMs: number): void {
    if (this.#cameras.has(deviceId)) return;
    this.#cameras.set(deviceId, {
      expectedAtMs: frameTimeMs,
      lastFrameMs: null,
      frameAtMs: null,
      writtenFrameMs: null,
      lastSignalAtMs: nowMs,
      status: 'unknown',
      writtenAtMs: nowMs,
    });
  }

  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    const camera = this.#cameras.get(deviceId);
    if (!camera) return;
    camera.lastFrameMs = frameTimeMs;
    camera.frameAtMs = nowMs;
    camera.lastSignalAtMs = nowMs;
  }

  /** The camera sends frames, though none of them is analysed. */
  signal(deviceId: string, nowMs: number): void {
    const camera = this.#cameras.get(deviceId);
    if (camera) camera.lastSignalAtMs = nowMs;
  }

  /** Milliseconds since the last analysed frame; null before the first. */
  frameAgeMs(deviceId: string, nowMs: number): number | null {
    const atMs = this.#cameras.get(deviceId)?.frameAtMs ?? null;
    return atMs === null ? null : nowMs - atMs;
  }

  hasFrames(deviceId: string): boolean {
    return this.#cameras.get(deviceId)?.lastFrameMs != null;
  }

  /** @returns the fault of a camera that sends no frames; null while it sends some. The first frame may take longer. */
  missingFrames(deviceId: string, nowMs: number): Fault | null {
    const camera = this.#cameras.get(deviceId);
    if (!camera) return null;
    const { lastSignalAtMs, lastFrameMs, expectedAtMs } = camera;
    if (nowMs - lastSignalAtMs < (lastFrameMs === null ? OFFLINE_MS : MISSING_FRAMES_MS)) return null;
    return {
      reason: 'no_frames',
      message: 'No frames arrive from the camera: check the camera and its network.',
      sinceMs: lastFrameMs ?? expectedAtMs,
    };
  }

  remove(deviceId: string): void {
    this.#cameras.delete(deviceId);
  }

  /** What `take` returned was not stored: the next `take` returns it again. */
  notWritten(deviceId: string): void {
    const camera = this.#cameras.get(deviceId);
    if (camera) camera.status = 'unknown';
  }

  /** @returns what is to be stored now; it counts as stored. A camera without a new frame is not stored as online again. */
  take(nowMs: number): DeviceSeen[] {
    const due: DeviceSeen[] = [];
    for (const [deviceId, camera] of this.#cameras) {
      const { lastFrameMs, writtenFrameMs, writtenAtMs } = camera;
      const silentMs = nowMs - camera.lastSignalAtMs;
      const status = silentMs >= OFFLINE_MS ? 'offline' : lastFrameMs === null ? 'unknown' : 'online';
      const isRefresh =
        status === 'online' && lastFrameMs !== writtenFrameMs && nowMs - writtenAtMs >= REFRESH_MS;
      if (status === 'unknown' || (status === camera.status && !isRefresh)) continue;
      Object.assign(camera, { status, writtenAtMs: nowMs, writtenFrameMs: lastFrameMs });
      due.push({ deviceId, lastFrameMs, onlineStatus: status, silentMs });
    }
    return due;
  }
}
