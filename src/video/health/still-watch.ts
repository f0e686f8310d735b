import type { ModelInput } from './has-content.ts';

/** Frames that stay the same for so long cause a warning. An empty room may look so if the camera removes its noise. */
const STILL_MS = 180_000;
/** Each frame is compared at some points; after so long without a change, and then as often, as a whole. */
const WHOLE_MS = 10_000;
const POINTS = 1024;

/** Notices that the frames of a camera do not change by a single bit. Times are frame times. */
export class StillWatch {
  readonly #points = new Uint8Array(POINTS);
  #sinceMs: number | null = null;
  #lastMs = 0;
  #whole: Uint8Array | null = null;
  #comparedMs = 0;

  /** Since when nothing has changed; null while the frames change. */
  get sinceMs(): number | null {
    return this.#sinceMs !== null && this.#lastMs - this.#sinceMs >= STILL_MS ? this.#sinceMs : null;
  }

  take({ model }: Pick<ModelInput, 'model'>, timeMs: number): void {
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
    // The first time there is no frame to compare with.
    if (this.#whole) this.#sinceMs = timeMs;
    this.#whole = model.slice();
  }
}
