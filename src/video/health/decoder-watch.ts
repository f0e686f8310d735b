/** Two looks are at least so far apart. */
const LOOK_MS = 900;
/** A decoder that keeps up reads everything between two frames: only bytes that wait at each of so many looks say something. */
const LOOKS = 5;
/** With this share of the requested rate the decoder is not asked. */
const ENOUGH = 0.85;

export interface DecoderLook {
  /** Monotonic ms. */
  readonly nowMs: number;
  /** Frames that have come so far, without repeated ones. */
  readonly arrivals: number;
  /** Frames per second that should come. */
  readonly requestedFps: number;
  /** Bytes that the camera has sent and that are not decoded; called only when it matters. */
  readonly unreadBytes: () => number;
}

/**
 * Notices that the decoder is behind: few frames come, and bytes that the camera has sent wait all the time. A camera that sends
 * too few frames leaves nothing waiting.
 */
export class DecoderWatch {
  #looks = 0;
  #last: Pick<DecoderLook, 'nowMs' | 'arrivals'> | null = null;

  get isBehind(): boolean {
    return this.#looks >= LOOKS;
  }

  look({ nowMs, arrivals, requestedFps, unreadBytes }: DecoderLook): void {
    const last = this.#last;
    if (last && nowMs - last.nowMs < LOOK_MS) return;
    this.#last = { nowMs, arrivals };
    if (!last) return;
    const fps = ((arrivals - last.arrivals) * 1000) / (nowMs - last.nowMs);
    this.#looks = fps < ENOUGH * requestedFps && unreadBytes() > 0 ? this.#looks + 1 : 0;
  }
}
