/**
 * The clock of frames: monotonic, and set to the database's time at each heartbeat of the node. Two nodes then give the
 * same moment the same time, and a step of the system clock between two heartbeats changes no frame's time.
 */
export class FrameClock {
  #baseMs = 0;
  #lastMs = 0;

  /** @param offsetMs what to add to this machine's clock to get the database's */
  constructor(offsetMs = 0) {
    this.anchor(offsetMs);
  }

  /** Sets a new offset. The clock never goes back: it stands still until the time has caught up. */
  anchor(offsetMs: number): void {
    this.#baseMs = Date.now() + offsetMs - performance.now();
  }

  /** @returns ms since 1970 */
  now(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#baseMs + performance.now());
    return this.#lastMs;
  }
}
