import type { Logger } from 'pino';
import type { Warning } from '../cameras/devices/condition.ts';
import type { StreamEvent, StreamInfo } from '../video/frame-source.ts';
import { isSameShape, otherShape } from '../video/same-shape.ts';
import type { LaneCamera } from './lane-protocol.ts';

export interface SecondStreamTiming {
  /** A second stream that stopped is left after this time without a frame. */
  readonly goneMs: number;
  /** It is tried again after this time; after twice as long, up to sixteen times, where it was left again soon. */
  readonly retryMs: number;
}

export const SECOND_STREAM_TIMING: SecondStreamTiming = { goneMs: 10_000, retryMs: 60_000 };
/** From this restart in a row on a second stream is left at once. */
const RESTARTS = 3;
/** Left again within so many retries: the pause doubles. */
const SOON = 10;
const MAX_RETRIES = 16;

/** Monotonic time in ms, and work at a later time. */
export interface StreamTimer {
  readonly nowMs: () => number;
  /** @returns what cancels it */
  readonly later: (ms: number, work: () => void) => () => void;
}

const REAL_TIME: StreamTimer = {
  nowMs: () => performance.now(),
  later: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface SecondStreamParts {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Frame time. */
  readonly now: () => number;
  /** What a camera reads now. */
  readonly requested: (deviceId: string) => LaneCamera | undefined;
  /** Opens the stream that `usable` gives. */
  readonly reopen: (wanted: LaneCamera) => void;
  /** Whether a stream gives a frame. */
  readonly answers: (camera: LaneCamera) => Promise<boolean>;
}

/** A camera whose main stream is analysed although there is a second one. */
interface Left {
  wanted: LaneCamera;
  readonly warning: Warning;
  readonly retryMs: number;
}

/**
 * Decides which of the two streams of a camera is analysed: the second one, and the main one while the second one gives no frames or
 * has another shape.
 */
export class SecondStreams {
  readonly #parts: SecondStreamParts;
  readonly #timing: SecondStreamTiming;
  readonly #time: StreamTimer;
  readonly #left = new Map<string, Left>();
  /** By device: until a stopped stream is left, or one that was left is tried again. */
  readonly #timers = new Map<string, () => void>();
  /** When streams were taken again, monotonic ms, and how long that took. */
  readonly #returned = new Map<string, { readonly atMs: number; readonly retryMs: number }>();

  constructor(parts: SecondStreamParts, timing = SECOND_STREAM_TIMING, time = REAL_TIME) {
    this.#parts = parts;
    this.#time = time;
    this.#timing = timing;
  }

  /** With the main stream where the second one was left. */
  usable(wanted: LaneCamera): LaneCamera {
    const { deviceId, main, url } = wanted;
    const left = this.#left.get(deviceId);
    if (left && main && left.wanted.url === url) {
      left.wanted = wanted;
      return { ...wanted, url: main.url, main: null };
    }
    // Another second stream may be right.
    if (left) this.forget(deviceId);
    return wanted;
  }

  warnings(deviceId: string): readonly Warning[] {
    const left = this.#left.get(deviceId);
    return left ? [left.warning] : [];
  }

  /** The stream of a camera was opened. Zones and masks would lie elsewhere in a picture of another shape. */
  opened(deviceId: string, { width, height }: StreamInfo): void {
    const main = this.#parts.requested(deviceId)?.main;
    if (!main?.size || isSameShape({ width, height }, main.size)) return;
    const message = `The stream of analysisStreamUrl ${otherShape({ width, height }, main.size)}. The main stream is analysed meanwhile.`;
    this.#leave(deviceId, 'analysis_stream_differs', message);
  }

  /** Something happened to the stream of a camera. */
  event(deviceId: string, event: StreamEvent): void {
    const requested = this.#parts.requested(deviceId);
    if (!requested?.main) return;
    if (event.type === 'started') this.#stopTimer(deviceId);
    const { faultReason } = event;
    // What the configuration forbids ends the run.
    if (faultReason === null || faultReason === 'address_not_allowed' || faultReason === 'old_ffmpeg') return;
    const leave = () => {
      // Meanwhile it may have been changed.
      if (this.#parts.requested(deviceId)?.url !== requested.url) return;
      const message = `The second stream of the camera (analysisStreamUrl) gives no frames: ${event.message} The main stream is analysed meanwhile.`;
      this.#leave(deviceId, 'analysis_stream_offline', message);
    };
    if (event.isUndecodable || event.restartsInARow >= RESTARTS) leave();
    else if (!this.#timers.has(deviceId)) this.#startTimer(deviceId, this.#timing.goneMs, leave);
  }

  forget(deviceId: string): void {
    this.#stopTimer(deviceId);
    this.#left.delete(deviceId);
    this.#returned.delete(deviceId);
  }

  close(): void {
    for (const deviceId of [...this.#timers.keys(), ...this.#left.keys()]) this.forget(deviceId);
  }

  #leave(
    deviceId: string,
    reason: 'analysis_stream_differs' | 'analysis_stream_offline',
    message: string,
  ): void {
    const wanted = this.#parts.requested(deviceId);
    if (!wanted) return;
    this.#stopTimer(deviceId);
    const warning = { reason, message, sinceMs: this.#parts.now() };
    this.#left.set(deviceId, { wanted, warning, retryMs: this.#nextRetryMs(deviceId) });
    this.#parts.log.warn({ deviceId }, message);
    if (reason === 'analysis_stream_offline') this.#retryLater(deviceId);
    this.#parts.reopen(wanted);
  }

  #nextRetryMs(deviceId: string): number {
    const { retryMs } = this.#timing;
    const last = this.#returned.get(deviceId);
    if (!last || this.#time.nowMs() - last.atMs > SOON * last.retryMs) return retryMs;
    return Math.min(2 * last.retryMs, MAX_RETRIES * retryMs);
  }

  #retryLater(deviceId: string): void {
    const left = this.#left.get(deviceId);
    if (left) this.#startTimer(deviceId, left.retryMs, () => void this.#retry(deviceId, left));
  }

  async #retry(deviceId: string, left: Left): Promise<void> {
    const answers = await this.#parts.answers(left.wanted).catch(() => false);
    if (this.#left.get(deviceId) !== left) return;
    if (!answers) return this.#retryLater(deviceId);
    this.#left.delete(deviceId);
    this.#returned.set(deviceId, { atMs: this.#time.nowMs(), retryMs: left.retryMs });
    this.#parts.log.info({ deviceId }, 'the second stream gives frames again and is analysed');
    this.#parts.reopen(left.wanted);
  }

  #startTimer(deviceId: string, ms: number, work: () => void): void {
    this.#stopTimer(deviceId);
    const cancel = this.#time.later(ms, () => {
      this.#timers.delete(deviceId);
      work();
    });
    this.#timers.set(deviceId, cancel);
  }

  #stopTimer(deviceId: string): void {
    this.#timers.get(deviceId)?.();
    this.#timers.delete(deviceId);
  }
}
