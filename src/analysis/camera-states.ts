import { isDeepStrictEqual } from 'node:util';
import { writeTroubles } from '../devices/trouble.store.ts';
import type { Fault, Troubles } from '../devices/trouble.ts';
import type { Db } from '../platform/db.ts';
import { Presence } from './presence.ts';
import { writeDevicesSeen } from './run.store.ts';

const WELL: Troubles = { fault: null, warnings: [] };

interface Camera {
  /** What its stream stopped with; over with the next frame. */
  stopped: Fault | null;
  /** What its lane said last. */
  told: Troubles;
}

/**
 * How the cameras of this node are: whether they are there, and what is wrong with them. Times are monotonic ms, and frame
 * time where they are called so.
 */
export class CameraStates {
  readonly #presence = new Presence();
  readonly #cameras = new Map<string, Camera>();
  readonly #stored = new Map<string, Troubles>();
  /** The last word about cameras that are not streamed here any more. */
  readonly #left = new Map<string, Troubles>();
  readonly #nodeId: string;

  constructor(nodeId: string) {
    this.#nodeId = nodeId;
  }

  /** From now on frames are expected of it. @param frameTimeMs frame time now */
  expect(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.expect(deviceId, nowMs, frameTimeMs);
    this.#camera(deviceId);
  }

  /** A frame was analysed: its stream is well. @param frameTimeMs frame time */
  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    this.#presence.frame(deviceId, frameTimeMs, nowMs);
    // The last frame before the stream stopped may be analysed after it.
    const camera = this.#camera(deviceId);
    if (camera.stopped && frameTimeMs > camera.stopped.sinceMs) camera.stopped = null;
  }

  /** What its lane says of it, each second. Whoever finds its pictures wrong has seen some. */
  tell(deviceId: string, { fault, warnings }: Troubles, nowMs: number): void {
    const camera = this.#camera(deviceId);
    camera.told = { fault, warnings };
    if (fault && !camera.stopped) this.#presence.sign(deviceId, nowMs);
  }

  /** Its stream has stopped. One that is tried in vain has stopped once, for the newest reason. */
  stop(deviceId: string, fault: Fault): void {
    const camera = this.#camera(deviceId);
    camera.stopped = { ...fault, sinceMs: camera.stopped?.sinceMs ?? fault.sinceMs };
  }

  /** Its stream is opened anew: frames and troubles of before say nothing any more. */
  renew(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.forget(deviceId);
    this.#cameras.delete(deviceId);
    this.expect(deviceId, nowMs, frameTimeMs);
  }

  /** Nobody streams it here any more. What was wrong with its pictures is not known from now on. */
  forget(deviceId: string): void {
    const fault = this.#cameras.get(deviceId)?.stopped ?? null;
    this.#presence.forget(deviceId);
    this.#cameras.delete(deviceId);
    if (this.#stored.has(deviceId)) this.#left.set(deviceId, { fault, warnings: [] });
  }

  /** Writes what has changed. @throws Error when the database is away; then the next call writes it */
  async store(db: Db, nowMs: number): Promise<void> {
    const seen = this.#presence.take(nowMs);
    await writeDevicesSeen(db, seen).catch((error: unknown) => {
      this.#presence.unwritten(seen);
      throw error;
    });
    const left = new Map(this.#left);
    const news = new Map(left);
    for (const deviceId of this.#cameras.keys()) {
      const now = this.#troubles(deviceId, nowMs);
      if (now && !isDeepStrictEqual(now, this.#stored.get(deviceId))) news.set(deviceId, now);
    }
    await writeTroubles(db, this.#nodeId, news);
    for (const [deviceId, troubles] of news) this.#stored.set(deviceId, troubles);
    for (const [deviceId, troubles] of left) {
      if (this.#left.get(deviceId) === troubles) this.#left.delete(deviceId);
      if (!this.#cameras.has(deviceId)) this.#stored.delete(deviceId);
    }
  }

  /** Null while nothing is known of it here: what another node or a look at it found stands until then. */
  #troubles(deviceId: string, nowMs: number): Troubles | null {
    const { stopped, told } = this.#camera(deviceId);
    const fault = stopped ?? told.fault ?? this.#presence.silence(deviceId, nowMs);
    if (fault) return { fault, warnings: told.warnings };
    return this.#presence.hasFrames(deviceId) || this.#stored.has(deviceId)
      ? { fault, warnings: told.warnings }
      : null;
  }

  #camera(deviceId: string): Camera {
    const known = this.#cameras.get(deviceId);
    if (known) return known;
    const camera: Camera = { stopped: null, told: WELL };
    this.#cameras.set(deviceId, camera);
    return camera;
  }
}
