import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts';
import { type DrawnPerson, ShopRenderer } from './draw/shop-renderer.ts';
import { openShop, type Shop } from './open-shop.ts';
import type { DrawnScenario } from './scenario.ts';

/** How far ahead sprites are prepared. */
const LEAD_MS = 1500;

export interface ShopFramesOptions {
  readonly seed: number;
  /** Sprites are prepared for the times of this frame rate. */
  readonly fps: number;
  /** Time of the world at frame time 0; default 0, an empty shop at opening. */
  readonly startMs?: number;
  /** Default `classic`. */
  readonly scenario?: DrawnScenario | undefined;
}

/**
 * The simulated shop as a source of frames. Call `prepare(t)`, then `frame(t)`, in the order of time.
 * A second world with the same seed runs ahead and shows which sprites will be needed, so that drawing never waits.
 */
export class ShopFrames {
  readonly width = FRAME_WIDTH;
  readonly height = FRAME_HEIGHT;
  readonly pixelFormat = 'rgb24';
  readonly world: Shop;
  readonly #ahead: Shop;
  readonly #options: ShopFramesOptions & { readonly startMs: number };
  #renderer: ShopRenderer | null = null;
  #requestedMs: number;

  constructor(options: ShopFramesOptions) {
    this.#options = { startMs: 0, ...options };
    this.world = openShop(options.seed, options.scenario);
    this.#ahead = openShop(options.seed, options.scenario);
    this.#requestedMs = this.#options.startMs;
  }

  /** Prepares the frame at `timeMs`. */
  async prepare(timeMs: number): Promise<void> {
    this.#renderer ??= await ShopRenderer.create(this.world.place);
    const worldMs = timeMs + this.#options.startMs;
    this.world.advanceTo(worldMs);
    const stepMs = 1000 / this.#options.fps;
    this.#requestedMs = Math.max(this.#requestedMs, worldMs);
    while (this.#requestedMs + stepMs <= worldMs + LEAD_MS) {
      this.#requestedMs += stepMs;
      this.#ahead.advanceTo(this.#requestedMs);
      this.#renderer.request(this.#ahead.people);
    }
    await this.#renderer.ready(this.world.people);
  }

  /**
   * Draws the prepared frame.
   * @param into rgb24, width × height × 3 bytes
   */
  frame(timeMs: number, into: Uint8Array): void {
    if (!this.#renderer) throw new Error('Call prepare() before frame().');
    this.#renderer.draw(this.world.people, timeMs + this.#options.startMs, into);
  }

  /** The people of the last frame. */
  drawn(): DrawnPerson[] {
    return this.#renderer?.drawn() ?? [];
  }
}
