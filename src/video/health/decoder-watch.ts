import type { Backlog } from '../frame-source.ts';

/** Two looks are at least so far apart. */
const LOOK_MS = 900;
/** A decoder that keeps up reads everything between two frames: only video that waits at each of so many looks says something. */
const LOOKS = 5;
/** With this share of the requested rate frames are not too few. */
const ENOUGH = 0.85;
/** Video of this length that waits is too much even when enough frames come: a decoder that is busy for a moment has less. */
const LATE_MS = 1_000;

export interface DecoderLook {
  /** Monotonic ms. */
  readonly nowMs: number;
  /** Frames that have come so far, without repeated ones. */
  readonly arrivals: number;
  /** Frames per second that should come. */
  readonly requestedFps: number;
  /** Called only for a look that counts. */
  readonly backlog: () => Backlog;
}

/**
 * Notices that the decoder is behind: few frames come, or a second of video waits, and bytes that the camera has sent wait all
 * the time. A camera that sends too few frames leaves nothing waiting. A file is behind when its frames come too late.
 */
export class DecoderWatch {
  #looks = 0;
  #last: { readonly nowMs: number; readonly arrivals: number; readonly waiting: Backlog } | null = null;

  get isBehind(): boolean {
    return this.#looks >= LOOKS;
  }

  look({ nowMs, arrivals, requestedFps, backlog }: DecoderLook): void {
    const last = this.#last;
    if (last && nowMs - last.nowMs < LOOK_MS) return;
    const waiting = backlog();
    this.#last = { nowMs, arrivals, waiting };
    if (!last) return;
    const seconds = (nowMs - last.nowMs) / 1000;
    const areFew = (arrivals - last.arrivals) / seconds < ENOUGH * requestedFps;
    const isLate = waitingMs(waiting, last.waiting, seconds) >= LATE_MS;
    const waits = waiting.unreadBytes > 0 || waiting.lateMs >= LATE_MS;
    this.#looks = waits && (areFew || isLate) ? this.#looks + 1 : 0;
  }
}

/** The length of the video that waits, from the bytes that came since the last look; 0 where that is not known. */
function waitingMs({ unreadBytes, sentBytes, lateMs }: Backlog, last: Backlog, seconds: number): number {
  if (sentBytes === null || last.sentBytes === null) return lateMs;
  const came = sentBytes - last.sentBytes;
  return came > 0 ? (unreadBytes / (came / seconds)) * 1000 : 0;
}
