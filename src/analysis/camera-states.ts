import { isDeepStrictEqual } from 'node:util';
import { writeTroubles } from '../devices/trouble.store.ts';
import type { Troubles } from '../devices/trouble.ts';
import type { Db } from '../platform/db.ts';
import { Presence } from './presence.ts';
import { writeDevicesSeen } from './run.store.ts';

const WELL: Troubles = { fault: null, warnings: [] };

/** How the cameras of this node are: whether they are there, and what is wrong with them. Times are monotonic ms. */
export class CameraStates {
  readonly #presence = new Presence();
  /** What is to be stored; not of cameras of which the lane has said nothing yet. */
  readonly #troubles = new Map<string, Troubles>();
  readonly #stored = new Map<string, Troubles>();
  readonly #nodeId: string;

  constructor(nodeId: string) {
    this.#nodeId = nodeId;
  }

  /** From now on frames are expected of it. */
  expect(deviceId: string, nowMs: number): void {
    this.#presence.expect(deviceId, nowMs);
  }

  /** @param frameTimeMs frame time */
  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    this.#presence.frame(deviceId, frameTimeMs, nowMs);
  }

  /** What its lane says of it, each second. */
  tell(deviceId: string, { fault, warnings }: Troubles): void {
    this.#troubles.set(deviceId, { fault, warnings });
  }

  /** Its stream is opened anew: frames and troubles of before say nothing any more. */
  renew(deviceId: string, nowMs: number): void {
    this.#presence.forget(deviceId);
    this.#presence.expect(deviceId, nowMs);
    this.#troubles.delete(deviceId);
  }

  /** Nobody streams it here any more: what was wrong with its pictures is not known from now on. */
  forget(deviceId: string): void {
    this.#presence.forget(deviceId);
    if (this.#stored.has(deviceId)) this.#troubles.set(deviceId, WELL);
    else this.#troubles.delete(deviceId);
  }

  /** Writes what has changed. @throws Error when the database is away; then the next call writes it */
  async store(db: Db, nowMs: number): Promise<void> {
    await writeDevicesSeen(db, this.#presence.take(nowMs));
    const news = new Map(
      [...this.#troubles].filter(([id, now]) => !isDeepStrictEqual(now, this.#stored.get(id))),
    );
    await writeTroubles(db, this.#nodeId, news);
    for (const [id, troubles] of news) {
      this.#stored.set(id, troubles);
      if (troubles !== WELL) continue;
      this.#stored.delete(id);
      this.#troubles.delete(id);
    }
  }
}
