import type { ModelInput } from './has-content.ts';
import { cellsOf, edgesOf, likeness, medianOf, type ViewEdges } from './view-edges.ts';

/** A view is the median of so many samples, one every ten seconds: people who walk through are not in it. */
const SAMPLE_EVERY_MS = 10_000;
const SAMPLES = 9;
/** So many views in a row must have changed: a lorry or a crowd may hide the view for a while. */
const CHANGED_VIEWS = 2;
/** The view has changed if at least so much more of it is found at another position. */
const MORE_ASIDE = 0.12;
/** The view has changed if less of it than this, beyond chance, is at its position. Half of it behind people leaves three times as much. */
const MIN_LEFT = 0.12;

/**
 * Notices that a camera shows another view than at first. It compares the edges of what stands still, because day and
 * night change brightness but not edges. Times are frame times.
 */
export class ViewWatch {
  #samples: Float32Array[] = [];
  #nextMs: number | null = null;
  #first: ViewEdges | null = null;
  /** When the first of the changed views began. */
  #changedMs: number | null = null;
  #changed = 0;
  #beganMs = 0;

  /** Since when the camera shows another view; null while it shows the first one. */
  get sinceMs(): number | null {
    return this.#changed >= CHANGED_VIEWS ? this.#changedMs : null;
  }

  /** To be called for each frame that has content. */
  take(input: ModelInput, timeMs: number): void {
    if (this.#nextMs !== null && timeMs < this.#nextMs) return;
    this.#nextMs = timeMs + SAMPLE_EVERY_MS;
    if (this.#samples.length === 0) this.#beganMs = timeMs;
    this.#samples.push(cellsOf(input));
    if (this.#samples.length < SAMPLES) return;
    const view = edgesOf(medianOf(this.#samples));
    this.#samples = [];
    if (this.#first === null) this.#first = view;
    else this.#compare(this.#first, view);
  }

  #compare(first: ViewEdges, view: ViewEdges): void {
    const like = likeness(first, view);
    // Too dark to compare.
    if (like === null) return;
    const { here, aside, around } = like;
    if (aside - here < MORE_ASIDE && here - around >= MIN_LEFT) {
      this.#changed = 0;
      this.#changedMs = null;
      return;
    }
    this.#changed++;
    this.#changedMs ??= this.#beganMs;
  }
}
