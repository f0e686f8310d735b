import { findWish, storePicture } from '../../../cameras/devices/images/live-picture.store.ts';
import type { LanePool } from '../../../lanes/lane-pool.ts';
import type { LivePictureMessage } from '../../../lanes/lane-protocol.ts';
import type { Context } from '../../../platform/context.ts';
import { mayPass } from '../../../platform/database/database-away.ts';
import { AtMost } from '../../../platform/jobs/at-most.ts';

export interface LivePicturesParts {
  readonly context: Pick<Context, 'config' | 'db' | 'logger'>;
  readonly lanes: Pick<LanePool, 'watch'>;
  /** Whether this node streams a device. */
  readonly isStreamed: (deviceId: string) => boolean;
  /** Monotonic ms. */
  readonly now: () => number;
}

/** Pictures a second of a camera that gets only stills. */
const STILLS_FPS = 0.2;
const NOT_WANTED = { width: 0, fps: 0, forMs: 0 };

/**
 * The live pictures of the cameras of this node: asks the lanes for those that API processes want, and stores the newest
 * one of each camera. It has no timer: wishes end by themselves.
 */
export class LivePictures {
  readonly #parts: LivePicturesParts;
  /** By device, in the order in which they were first wanted: when the wish ends. */
  readonly #watched = new Map<string, number>();
  /** Devices whose picture is being stored, and the newest picture that came meanwhile. */
  readonly #storing = new Map<string, LivePictureMessage | null>();
  /** One read of wishes after the other: an older answer must not replace a newer one. */
  readonly #reads = new AtMost(1);

  constructor(parts: LivePicturesParts) {
    this.#parts = parts;
  }

  /** An API process wants pictures of a device, or no longer wants them. */
  wished(deviceId: string): Promise<void> {
    return this.#reads.run(() => this.#ask(deviceId));
  }

  async #ask(deviceId: string): Promise<void> {
    const { context, lanes, isStreamed, now } = this.#parts;
    if (!isStreamed(deviceId)) return;
    const wish = await findWish(context.db, deviceId);
    const nowMs = now();
    for (const [watched, untilMs] of this.#watched) if (untilMs <= nowMs) this.#watched.delete(watched);
    if (!wish) {
      if (this.#watched.delete(deviceId)) lanes.watch(deviceId, NOT_WANTED);
      return;
    }
    this.#watched.set(deviceId, nowMs + wish.forMs);
    lanes.watch(deviceId, { ...wish, fps: this.#isStill(deviceId) ? STILLS_FPS : wish.fps });
  }

  /** Stores a picture. Of several that come while one is being stored only the newest is stored. */
  take(picture: LivePictureMessage): void {
    const { deviceId } = picture;
    if (!this.#watched.has(deviceId) || !this.#parts.isStreamed(deviceId)) return;
    if (this.#storing.has(deviceId)) this.#storing.set(deviceId, picture);
    else void this.#store(picture);
  }

  /** The first cameras get live pictures, the others stills. */
  #isStill(deviceId: string): boolean {
    return [...this.#watched.keys()].indexOf(deviceId) >= this.#parts.context.config.maxLiveCameras;
  }

  async #store(first: LivePictureMessage): Promise<void> {
    const { db, logger } = this.#parts.context;
    const { deviceId } = first;
    for (
      let picture: LivePictureMessage | null = first;
      picture;
      picture = this.#storing.get(deviceId) ?? null
    ) {
      this.#storing.set(deviceId, null);
      const isStill = this.#isStill(deviceId);
      // The next picture replaces one that could not be stored.
      await storePicture(db, deviceId, { ...picture, isStill }).catch((error: unknown) => {
        if (!mayPass(error)) logger.warn({ err: error, deviceId }, 'a live picture could not be stored');
      });
    }
    this.#storing.delete(deviceId);
  }
}
