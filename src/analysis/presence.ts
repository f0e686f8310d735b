import type { DeviceSeen } from './run.store.ts';

const OFFLINE_MS = 30_000;
/** A time of the last frame that is this old is near enough; a change of state is told at once. */
const REFRESH_MS = 5_000;

interface Seen {
  /** Frame time; null before the first frame. */
  lastFrameMs: number | null;
  /** Of the last frame, or of the beginning. */
  lastSignAtMs: number;
  status: 'unknown' | 'online' | 'offline';
  toldMs: number;
}

/** Whether the cameras of this node are there, by their frames. Times are monotonic ms unless called frame time. */
export class Presence {
  readonly #devices = new Map<string, Seen>();

  /** From now on frames are expected of it. */
  expect(deviceId: string, nowMs: number): void {
    if (this.#devices.has(deviceId)) return;
    this.#devices.set(deviceId, { lastFrameMs: null, lastSignAtMs: nowMs, status: 'unknown', toldMs: nowMs });
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

  /** What is to be written now; it counts as written. */
  take(nowMs: number): DeviceSeen[] {
    const due: DeviceSeen[] = [];
    for (const [deviceId, seen] of this.#devices) {
      const isSilent = nowMs - seen.lastSignAtMs >= OFFLINE_MS;
      const status = isSilent ? 'offline' : seen.lastFrameMs === null ? 'unknown' : 'online';
      const isNews = status !== seen.status || (status === 'online' && nowMs - seen.toldMs >= REFRESH_MS);
      if (status === 'unknown' || !isNews) continue;
      seen.status = status;
      seen.toldMs = nowMs;
      due.push({ deviceId, lastFrameMs: seen.lastFrameMs, onlineStatus: status });
    }
    return due;
  }
}
