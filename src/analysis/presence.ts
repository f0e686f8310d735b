import type { DeviceSeen } from './run.store.ts';

const OFFLINE_MS = 30_000;
/** The time of the last frame is written so often; a change of state is written at once. */
const REFRESH_MS = 5_000;

interface Seen {
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

  /** From now on frames are expected of it. */
  expect(deviceId: string, nowMs: number): void {
    if (this.#devices.has(deviceId)) return;
    this.#devices.set(deviceId, {
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

  forget(deviceId: string): void {
    this.#devices.delete(deviceId);
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
