const WINDOW_MS = 10_000;

/** How fast a recording is analysed: its position over the last ten seconds. */
export class Progress {
  readonly #samples: { readonly atMs: number; readonly positionMs: number }[] = [];

  /** @param atMs monotonic */
  constructor(atMs: number, positionMs: number) {
    this.add(atMs, positionMs);
  }

  add(atMs: number, positionMs: number): void {
    this.#samples.push({ atMs, positionMs });
    // The newest sample before the window is kept: the rate is then measured over the whole window.
    while (this.#samples[1] && this.#samples[1].atMs <= atMs - WINDOW_MS) this.#samples.shift();
  }

  /** Seconds of video in a second, to two digits after the point; null before there is a time to measure. */
  get secondsPerSecond(): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last) return null;
    const tookMs = last.atMs - first.atMs;
    return tookMs > 0 ? Math.round(((last.positionMs - first.positionMs) / tookMs) * 100) / 100 : null;
  }
}
