import type { DecodedCounts, Decoding } from '../frame-source.ts';

/** After a change nothing changes for so long: the new ffmpeg has to open the stream and to catch up. */
const SETTLE_MS = 10_000;
/** More frames are decoded again after a time without backlog: at first this one, twice as long after each return in vain. */
const FIRST_CALM_MS = 60_000;
const LONGEST_CALM_MS = 30 * 60_000;
/** A return was in vain when the decoder is behind again within this time. */
const PROVEN_MS = 5 * 60_000;
/** A change that did not succeed is not tried again for so long. */
const REFUSED_MS = 10 * 60_000;
/** Frames after which their shares are known. */
const ENOUGH_FRAMES = 100;
/** Skipping is worth it when at most this share of frames is left. */
const WORTH_SHARE = 0.9;

export interface DecodingLook {
  /** Monotonic ms. */
  readonly nowMs: number;
  readonly isBehind: boolean;
  /** What is decoded now. */
  readonly decoding: Decoding;
  readonly counts: DecodedCounts;
  /** Frames per second that the camera sends. */
  readonly cameraFps: number;
  /** Not fewer frames per second may be decoded. */
  readonly minFps: number;
}

/**
 * Chooses what is decoded. A decoder that is behind gets less to do, one step at a time, as long as enough frames are left. After
 * a calm time it gets more again; when that was in vain, the next calm time is longer, so that a busy machine sees few changes.
 */
export class DecodingChoice {
  #changedMs = Number.NEGATIVE_INFINITY;
  #wanted: Decoding = 'all';
  /** The camera could not be opened a second time, as a change needs. */
  #refusedUntilMs = Number.NEGATIVE_INFINITY;
  /** Nothing has waited since then. */
  #calmSinceMs = 0;
  #calmMs = FIRST_CALM_MS;
  /** When more was decoded again for the last time. */
  #returnedMs = Number.NEGATIVE_INFINITY;
  #keyShare: number | null = null;
  /** The share of frames that other frames need; null until it was tried. */
  #neededShare: number | null = null;
  #isExhausted = false;

  /** Whether the decoder is behind and no more frames can be skipped: too few would be left. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Call it about once a second. @returns what to decode from now on */
  next(look: DecodingLook): Decoding {
    const { nowMs, isBehind, decoding } = look;
    this.#measure(look);
    if (isBehind) this.#calmSinceMs = nowMs;
    else this.#isExhausted = false;
    if (decoding === 'needed' && !this.#leavesEnough('needed', look)) return this.#change('all', nowMs);
    if (nowMs - this.#changedMs < SETTLE_MS) return decoding;
    if (decoding !== this.#wanted) this.#refused(decoding, nowMs);
    if (isBehind) return this.#less(look);
    const isCalm = nowMs - this.#calmSinceMs >= this.#calmMs;
    if (decoding === 'all' || !isCalm || nowMs < this.#refusedUntilMs) return decoding;
    this.#returnedMs = nowMs;
    return this.#change(decoding === 'key' ? 'needed' : 'all', nowMs);
  }

  #measure({ decoding, counts: { received, decoded, keyFrames } }: DecodingLook): void {
    if (received < ENOUGH_FRAMES) return;
    this.#keyShare = keyFrames / received;
    if (decoding === 'needed') this.#neededShare = decoded / received;
  }

  #less(look: DecodingLook): Decoding {
    const { nowMs, decoding } = look;
    const isInVain = nowMs - this.#returnedMs < PROVEN_MS;
    const next = (['needed', 'key'] as const).find(
      (step) => step !== decoding && decoding !== 'key' && this.#leavesEnough(step, look),
    );
    if (next === undefined || nowMs < this.#refusedUntilMs) {
      this.#isExhausted = true;
      return decoding;
    }
    this.#calmMs = isInVain ? Math.min(2 * this.#calmMs, LONGEST_CALM_MS) : FIRST_CALM_MS;
    this.#calmSinceMs = nowMs;
    return this.#change(next, nowMs);
  }

  /** The frames that others need are enough until the opposite is known: only trying shows which frames these are. */
  #leavesEnough(step: 'needed' | 'key', { cameraFps, minFps }: DecodingLook): boolean {
    const share = step === 'key' ? this.#keyShare : this.#neededShare;
    if (share === null) return step === 'needed';
    const isWorthIt = step === 'needed' || share <= WORTH_SHARE;
    return isWorthIt && share * cameraFps >= Math.min(minFps, cameraFps);
  }

  #change(decoding: Decoding, nowMs: number): Decoding {
    this.#changedMs = nowMs;
    this.#wanted = decoding;
    return decoding;
  }

  #refused(decoding: Decoding, nowMs: number): void {
    this.#wanted = decoding;
    this.#refusedUntilMs = nowMs + REFUSED_MS;
  }
}
