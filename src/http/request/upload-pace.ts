import type { ErrorDetail } from '../errors.ts';

export interface PaceLimits {
  /** An upload of which no byte comes for so long is ended. Also the time over which the rate is an average. */
  readonly idleMs: number;
  /** 0: no limit. */
  readonly minBytesPerSecond: number;
}

/**
 * Whether the bytes of an upload come fast enough. Only the time in which the service waits for bytes counts, so that a slow
 * storage ends no upload; and it is judged only while no byte is there, so that a service that stood still reads first what came
 * meanwhile. A line may pause and catch up.
 */
export class UploadPace {
  readonly #limits: PaceLimits;
  /** Since the last byte. */
  #silentMs = 0;
  /** Since the rate was judged. */
  #waitedMs = 0;
  #bytes = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** How long to wait for a byte until `judge` has to be called. */
  get limitMs(): number {
    return Math.max(0, this.#limits.idleMs - Math.max(this.#silentMs, this.#waitedMs));
  }

  waited(ms: number): void {
    this.#silentMs += ms;
    this.#waitedMs += ms;
  }

  received(bytes: number): void {
    this.#silentMs = 0;
    this.#bytes += bytes;
  }

  /** Call it while no byte is there. @returns what is wrong; null if the upload may go on */
  judge(): ErrorDetail | null {
    const { idleMs, minBytesPerSecond } = this.#limits;
    const seconds = idleMs / 1000;
    if (this.#silentMs >= idleMs)
      return fault('no_bytes', `No byte came for ${seconds} seconds: send the file again`);
    if (this.#waitedMs < idleMs) return null;
    if (this.#bytes < minBytesPerSecond * seconds)
      return fault(
        'too_slow',
        `Only ${this.#bytes} bytes came in ${seconds} seconds of waiting; an upload needs ${minBytesPerSecond} a second (UPLOAD_MIN_BYTES_PER_SECOND): send the file again over a faster line`,
      );
    this.#waitedMs = 0;
    this.#bytes = 0;
    return null;
  }
}

const fault = (reason: string, message: string): ErrorDetail => ({ path: '', message, reason });
