/**
 * The clock of frames: monotonic, set to the database's time at each heartbeat. Two nodes then stamp the same
 * moment alike, and a step of the system clock between two heartbeats moves no frame.
 */
export class FrameClock {
  #baseMs = 0;
  #lastMs = 0;

  /** @param offsetMs what to add to this machine's clock to have the database's */
  constructor(offsetMs = 0) {
    this.anchor(offsetMs);
  }

  /** A new measurement of the offset. The clock never goes back: it stands until the time has caught up. */
  anchor(offsetMs: number): void {
    this.#baseMs = Date.now() + offsetMs - performance.now();
  }

  /** @returns ms since 1970 */
  now(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#baseMs + performance.now());
    return this.#lastMs;
  }
}
