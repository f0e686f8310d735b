import type { Part } from '../../../http/part.ts';
import type { LiveWish } from './live-picture.store.ts';

/** A picture with the bytes that all watchers share. */
export interface LivePart {
  readonly capturedAtMs: number;
  readonly part: Part;
}

export interface WatchedDeviceParts {
  /** Reads the newest picture; null when there is none. */
  readonly read: () => Promise<LivePart | null>;
  readonly onError: (error: unknown) => void;
}

/**
 * The watchers of one device in this process. One read serves all of them, and nothing is read while none of them can take
 * a picture. It keeps one picture, whatever the number of watchers.
 */
export class WatchedDevice {
  readonly #parts: WatchedDeviceParts;
  readonly #watchers = new Set<Watcher>();
  #newest: LivePart | null = null;
  #isUnread = false;
  #isReading = false;

  constructor(parts: WatchedDeviceParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#watchers.size === 0;
  }

  /** What the watchers together ask for; infinitely little without any. */
  get wish(): LiveWish {
    const wishes = [...this.#watchers].map(({ wish }) => wish);
    return {
      width: Math.max(...wishes.map(({ width }) => width)),
      fps: Math.max(...wishes.map(({ fps }) => fps)),
    };
  }

  /** Whether the watchers already ask for as much. */
  covers({ width, fps }: LiveWish): boolean {
    const { wish } = this;
    return wish.width >= width && wish.fps >= fps;
  }

  /** The picture that was read last; null before the first one, and when another one is announced. */
  get newest(): LivePart | null {
    return this.#isUnread ? null : this.#newest;
  }

  add(wish: LiveWish): Watcher {
    const watcher = new Watcher(this, wish);
    this.#watchers.add(watcher);
    return watcher;
  }

  remove(watcher: Watcher): void {
    watcher.end();
    this.#watchers.delete(watcher);
  }

  /** There is a new picture. */
  announce(): void {
    this.#isUnread = true;
    this.readIfWaited();
  }

  /** Reads the announced picture when a watcher waits for one. */
  readIfWaited(): void {
    if (this.#isReading || !this.#isUnread || !this.#isWaitedFor) return;
    this.#isReading = true;
    this.#isUnread = false;
    void this.#parts
      .read()
      .then((picture) => this.#take(picture), this.#parts.onError)
      .finally(() => {
        this.#isReading = false;
        this.readIfWaited();
      });
  }

  /** Ends all its watchers. */
  end(): void {
    for (const watcher of this.#watchers) watcher.end();
  }

  get #isWaitedFor(): boolean {
    for (const watcher of this.#watchers) if (watcher.isWaiting) return true;
    return false;
  }

  #take(picture: LivePart | null): void {
    if (picture === null) {
      // It was made for former masks.
      this.#newest = null;
      return;
    }
    const before = this.#newest;
    if (before && picture.capturedAtMs < before.capturedAtMs) return;
    const newest = before?.capturedAtMs === picture.capturedAtMs ? before : picture;
    this.#newest = newest;
    const { fps } = this.wish;
    for (const watcher of this.#watchers) watcher.offer(newest, fps);
  }
}

/** One open answer. It takes the newest picture when its client can, so a slow client skips pictures. */
export class Watcher {
  readonly wish: LiveWish;
  readonly #device: WatchedDevice;
  #wake: ((picture: LivePart | null) => void) | null = null;
  #hasEnded = false;
  #givenMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(device: WatchedDevice, wish: LiveWish) {
    this.#device = device;
    this.wish = wish;
  }

  get isWaiting(): boolean {
    return this.#wake !== null;
  }

  /** @returns the newest picture that was not returned before; null after the end */
  next(): Promise<LivePart | null> {
    if (this.#hasEnded) return Promise.resolve(null);
    const taken = new Promise<LivePart | null>((resolve) => {
      this.#wake = resolve;
    });
    const { newest } = this.#device;
    if (newest) this.offer(newest, this.#device.wish.fps);
    this.#device.readIfWaited();
    return taken;
  }

  /** @param fps pictures a second that come at most */
  offer(picture: LivePart, fps: number): void {
    const atMs = picture.capturedAtMs;
    if (!this.#wake || atMs <= this.#givenMs || atMs < this.#dueMs - 500 / fps) return;
    const intervalMs = 1000 / this.wish.fps;
    // Pictures missed in a pause are not made up for.
    this.#dueMs = (atMs - this.#dueMs > intervalMs ? atMs : this.#dueMs) + intervalMs;
    this.#givenMs = atMs;
    this.#settle(picture);
  }

  end(): void {
    this.#hasEnded = true;
    this.#settle(null);
  }

  #settle(picture: LivePart | null): void {
    this.#wake?.(picture);
    this.#wake = null;
  }
}
