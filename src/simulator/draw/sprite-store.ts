import type { Sprite } from './sprite.ts';

const MOST_AT_ONCE = 4;

interface Entry {
  /** null until it is made. */
  sprite: Sprite | null;
  made?: Promise<void>;
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
    if (this.#use(key)) return;
    const entry: Entry = { sprite: null };
    this.#entries.set(key, entry);
    entry.made = this.#make(entry, make);
    // `ready` throws the error.
    entry.made.catch(() => this.#entries.delete(key));
  }

  /** null if it was not requested or is not ready. */
  get(key: number): Sprite | null {
    return this.#use(key)?.sprite ?? null;
  }

  /** Waits for a requested sprite. @throws the error of `make` */
  async ready(key: number): Promise<void> {
    await this.#entries.get(key)?.made;
  }

  #use(key: number): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  async #make(entry: Entry, make: () => Promise<Sprite>): Promise<void> {
    if (this.#making >= MOST_AT_ONCE) await new Promise<void>((start) => this.#waiting.push(start));
    this.#making++;
    try {
      const sprite = await make();
      entry.sprite = sprite;
      this.#bytes += sprite.bytes;
      this.#evict();
    } finally {
      this.#making--;
      this.#waiting.shift()?.();
    }
  }

  #evict(): void {
    for (const [key, { sprite }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      if (!sprite) continue;
      this.#bytes -= sprite.bytes;
      this.#entries.delete(key);
    }
  }
}
