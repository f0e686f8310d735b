import type { Sprite } from './sprite.ts';

const MOST_AT_ONCE = 4;

interface Entry {
  readonly key: number;
  sprite: Sprite | null;
  failure: unknown;
  readonly make: () => Promise<Sprite>;
  done: Promise<void>;
}

/**
 * Sprites by key, made ahead of their use, a few at a time. Above `maxBytes` those unused for the longest time are removed.
 */
export class SpriteStore {
  readonly #maxBytes: number;
  /** In the order of use, the latest last. */
  readonly #entries = new Map<number, Entry>();
  readonly #waiting: (() => void)[] = [];
  #making = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Starts to make the sprite if it is not there. */
  request(key: number, make: () => Promise<Sprite>): void {
    const known = this.#entries.get(key);
    if (known) {
      this.#touch(known);
      return;
    }
    const entry: Entry = { key, sprite: null, failure: null, make, done: Promise.resolve() };
    this.#entries.set(key, entry);
    entry.done = this.#fill(entry);
  }

  /** null if it was not requested or is not ready. */
  get(key: number): Sprite | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    this.#touch(entry);
    return entry.sprite;
  }

  /** Waits for a requested sprite. @throws the error of `make` */
  async ready(key: number): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry || entry.sprite) return;
    await entry.done;
    if (entry.failure) throw entry.failure;
  }

  #touch(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
  }

  async #fill(entry: Entry): Promise<void> {
    if (this.#making >= MOST_AT_ONCE) await new Promise<void>((start) => this.#waiting.push(start));
    this.#making++;
    try {
      entry.sprite = await entry.make();
      this.#bytes += entry.sprite.bytes;
      this.#evict();
    } catch (failure) {
      entry.failure = failure;
      this.#entries.delete(entry.key);
    } finally {
      this.#making--;
      this.#waiting.shift()?.();
    }
  }

  #evict(): void {
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes) return;
      if (!entry.sprite) continue;
      this.#bytes -= entry.sprite.bytes;
      this.#entries.delete(entry.key);
    }
  }
}
