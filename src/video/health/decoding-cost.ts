import { processorTimeOf } from '../../platform/processes/processor-time.ts';

/** An ffmpeg that decodes at its usual pace: its start costs more. */
const SETTLE_MS = 10_000;
const WINDOW_MS = 30_000;

/** CPU seconds of a process so far; null where the system does not tell. */
type ReadSeconds = (pid: number) => number | null;

/** Measures what decoding a stream costs, by the CPU time of its ffmpeg. */
export class DecodingCost {
  readonly #read: ReadSeconds;
  #pid: number | null = null;
  #begun: { readonly atMs: number; readonly seconds: number } | null = null;
  #sinceMs = 0;
  #percent: number | null = null;

  constructor(read: ReadSeconds = (pid) => processorTimeOf(pid)?.own ?? null) {
    this.#read = read;
  }

  /**
   * Call it about once a second.
   * @param pid of the ffmpeg; null while none decodes all of the stream
   * @param nowMs monotonic
   * @returns percent of a core in the last half minute that was measured; null before the first one
   */
  look(pid: number | null, nowMs: number): number | null {
    if (pid !== this.#pid) {
      this.#pid = pid;
      this.#sinceMs = nowMs;
      this.#begun = null;
    }
    if (pid === null || nowMs - this.#sinceMs < SETTLE_MS) return this.#percent;
    if (this.#begun !== null && nowMs - this.#begun.atMs < WINDOW_MS) return this.#percent;
    const seconds = this.#read(pid);
    if (seconds === null) return this.#percent;
    if (this.#begun) {
      const { atMs, seconds: before } = this.#begun;
      this.#percent = (100_000 * (seconds - before)) / (nowMs - atMs);
    }
    this.#begun = { atMs: nowMs, seconds };
    return this.#percent;
  }
}
