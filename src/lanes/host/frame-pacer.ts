/** Chooses frames of a camera that are as evenly spaced in time as its frames allow. Times are frame times. */
export class FramePacer {
  /** The time at which the next frame is due. */
  #dueMs = Number.NEGATIVE_INFINITY;

  /**
   * Call it once for each frame, in order.
   * @param limitFps the highest number of frames to take in a second, on average; null: all
   * @param cameFps frames a second that the camera sends
   * @returns whether to take the frame
   */
  takes(timeMs: number, { limitFps, cameFps }: { limitFps: number | null; cameFps: number }): boolean {
    if (limitFps === null || limitFps >= cameFps) {
      this.#dueMs = timeMs + 1000 / cameFps;
      return true;
    }
    // The frame nearest to the due time, not the first one after it.
    if (timeMs < this.#dueMs - 500 / cameFps) return false;
    const intervalMs = 1000 / limitFps;
    // Frames missed in a pause are not made up for.
    const fromMs = timeMs - this.#dueMs > intervalMs ? timeMs : this.#dueMs;
    this.#dueMs = fromMs + intervalMs;
    return true;
  }
}
