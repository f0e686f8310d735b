/** What can be saved up, in ms of work: everybody of a full picture looked at in a row. */
const MOST_SAVED_MS = 160;

/** A share of the time that may be spent, a little of it saved up; work beyond it has to wait or is left out. */
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
