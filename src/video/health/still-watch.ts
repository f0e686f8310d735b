import type { ModelPicture } from './has-content.ts';

/** A picture that stays the same for so long is told of. An empty room with a camera that hides its noise may look so. */
const STILL_MS = 180_000;
/** Some points are compared in each frame; after so long without a change the whole picture, and so often again. */
const WHOLE_MS = 10_000;
const POINTS = 1024;

/** Whether a camera's picture does not change by a single bit. Times are frame times. */
export class StillWatch {
  readonly #points = new Uint8Array(POINTS);
  #sinceMs: number | null = null;
  #lastMs = 0;
  #whole: Uint8Array | null = null;
  #comparedMs = 0;

  /** Since when nothing has changed; null while something does. */
  get sinceMs(): number | null {
    return this.#sinceMs !== null && this.#lastMs - this.#sinceMs >= STILL_MS ? this.#sinceMs : null;
  }

  take({ model }: Pick<ModelPicture, 'model'>, timeMs: number): void {
    this.#lastMs = timeMs;
    if (this.#hasChanged(model) || this.#sinceMs === null) {
      this.#sinceMs = timeMs;
      this.#whole = null;
    } else if (timeMs - Math.max(this.#sinceMs, this.#comparedMs) >= WHOLE_MS) this.#compare(model, timeMs);
  }

  #hasChanged(model: Uint8Array): boolean {
    const step = model.length / POINTS;
    let changed = false;
    for (let at = 0; at < POINTS; at++) {
      const value = model[Math.floor((at + 0.5) * step)]!;
      if (this.#points[at] === value) continue;
      this.#points[at] = value;
      changed = true;
    }
    return changed;
  }

  #compare(model: Uint8Array, timeMs: number): void {
    this.#comparedMs = timeMs;
    if (this.#whole && Buffer.compare(this.#whole, model) === 0) return;
    // The first time there is nothing to compare with.
    if (this.#whole) this.#sinceMs = timeMs;
    this.#whole = model.slice();
  }
}
