import type { ModelPicture } from './has-content.ts';
import { cellsOf, edgesOf, likeness, medianOf, type ViewEdges } from './view-edges.ts';

/** A still is kept so often, and of so many in a row the middle is looked at: who walks through is not in it. */
const STILL_EVERY_MS = 10_000;
const STILLS = 9;
/** Views that must look changed one after the other: a lorry parks, a crowd stands there. */
const CHANGED_VIEWS = 2;
/** So much more of the view is somewhere else than where it was. */
const MORE_ASIDE = 0.12;
/** More of the view than chance gives must be where it was: half of it behind people leaves three times as much. */
const LEAST_LEFT = 0.12;

/**
 * Whether a camera still shows the view it showed at first, by the edges of what stands still. Day and night change
 * brightness and leave edges where they are. Times are frame times.
 */
export class ViewWatch {
  #stills: Float32Array[] = [];
  #nextMs: number | null = null;
  #first: ViewEdges | null = null;
  /** When the first of the changed views in a row began. */
  #changedMs: number | null = null;
  #changed = 0;
  #beganMs = 0;

  /** Since when it shows another view; null while it shows the first one. */
  get sinceMs(): number | null {
    return this.#changed >= CHANGED_VIEWS ? this.#changedMs : null;
  }

  /** To be called with each frame that shows something. */
  take(picture: ModelPicture, timeMs: number): void {
    if (this.#nextMs !== null && timeMs < this.#nextMs) return;
    this.#nextMs = timeMs + STILL_EVERY_MS;
    if (this.#stills.length === 0) this.#beganMs = timeMs;
    this.#stills.push(cellsOf(picture));
    if (this.#stills.length < STILLS) return;
    const view = edgesOf(medianOf(this.#stills));
    this.#stills = [];
    if (this.#first === null) this.#first = view;
    else this.#compare(this.#first, view);
  }

  #compare(first: ViewEdges, view: ViewEdges): void {
    const like = likeness(first, view);
    // Too dark to tell.
    if (like === null) return;
    const { here, aside, around } = like;
    if (aside - here < MORE_ASIDE && here - around >= LEAST_LEFT) {
      this.#changed = 0;
      this.#changedMs = null;
      return;
    }
    this.#changed++;
    this.#changedMs ??= this.#beganMs;
  }
}
