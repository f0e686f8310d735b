/** A share of the time that may be spent; work that would exceed it has to wait or is left out. */
export class Budget {
  readonly #share: number;
  #freeFromMs = Number.NEGATIVE_INFINITY;

  /** @param share of the time, above 0 to 1 */
  constructor(share: number) {
    this.#share = share;
  }

  /** @param nowMs monotonic */
  allows(nowMs: number): boolean {
    return nowMs >= this.#freeFromMs;
  }

  /** Nothing more until the time spent is the share of the time that has passed. */
  spent(startMs: number, tookMs: number): void {
    this.#freeFromMs = startMs + tookMs / this.#share;
  }
}
