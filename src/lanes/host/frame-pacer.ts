/** Chooses among a camera's frames, so that those taken are as evenly spaced in time as its frames allow. Times are frame times. */
export class FramePacer {
  /** When the next one is to be taken. */
  #dueMs = Number.NEGATIVE_INFINITY;

  /**
   * Asked once for each frame that came, in their order.
   * @param limitFps frames a second to take at most, on average; null: all
   * @param cameFps frames a second that come
   * @returns whether the frame is to be taken
   */
  takes(timeMs: number, { limitFps, cameFps }: { limitFps: number | null; cameFps: number }): boolean {
    if (limitFps === null || limitFps >= cameFps) {
      this.#dueMs = timeMs + 1000 / cameFps;
      return true;
    }
    // The frame nearest to the moment, not the first one after it.
    if (timeMs < this.#dueMs - 500 / cameFps) return false;
    const intervalMs = 1000 / limitFps;
    // After a pause nothing is made up for.
    const fromMs = timeMs - this.#dueMs > intervalMs ? timeMs : this.#dueMs;
    this.#dueMs = fromMs + intervalMs;
    return true;
  }
}
