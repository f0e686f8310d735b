/** Most work that can be saved up, in ms: about the crops of one crowded frame. */
const MOST_SAVED_MS = 160;

/** Limits work to a share of the time; unused time is saved up to a limit. */
export class Budget {
  readonly #share: number;
  #savedMs = 0;
  #atMs: number | null = null;

  /** @param share of the time, above 0 to 1 */
  constructor(share: number) {
    this.#share = share;
  }

  /** @param nowMs monotonic */
  allows(nowMs: number): boolean {
    const passedMs = this.#atMs === null ? 0 : nowMs - this.#atMs;
    this.#atMs = nowMs;
    this.#savedMs = Math.min(MOST_SAVED_MS, this.#savedMs + this.#share * passedMs);
    return this.#savedMs >= 0;
  }

  spent(tookMs: number): void {
    this.#savedMs -= tookMs;
  }
}
