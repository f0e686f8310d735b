import type { Frame } from '../../vision/frame.ts';
import type { Pace, SourceStats, StreamInfo } from '../frame-source.ts';
import { StreamError } from '../stream-error.ts';
import { FrameAssembler, type Pair } from './frame-assembler.ts';
import type { StreamPlan } from './stream-plan.ts';

/** A frame that follows faster than this share of the frame interval belongs to one burst with the frame before it. */
const BURST_SHARE = 0.3;

/** The frames of one ffmpeg. */
export interface Part {
  readonly plan: StreamPlan;
  readonly assembler: FrameAssembler;
}

/**
 * The frames of a source over all its ffmpeg processes: numbers, times and counts them, and wakes whoever waits for one.
 */
export class FrameQueue {
  readonly #pace: Pace;
  readonly #clock: () => number;
  #part: Part | null = null;
  /** Number of the first frame of this part. */
  #firstIndex = 0;
  /** When the first frame of this part came; monotonic. */
  #firstArrivedMs: number | null = null;
  #end: { readonly error: StreamError | null } | null = null;
  #waiting: (() => void)[] = [];
  #processed = 0;
  #droppedBefore = 0;
  #arrivals = 0;
  /** Monotonic milliseconds. */
  #arrivedMs = Number.NEGATIVE_INFINITY;
  #lastFrameAtMs: number | null = null;
  #lastTimeMs = Number.NEGATIVE_INFINITY;

  /** @param clock milliseconds, for the arrival of live frames */
  constructor(pace: Pace, clock: () => number) {
    this.#pace = pace;
    this.#clock = clock;
  }

  get info(): StreamInfo | null {
    return this.#part?.plan.info ?? null;
  }

  /** Set when no frame will come any more; `error` if the stream could not be read. */
  get end(): { readonly error: StreamError | null } | null {
    return this.#end;
  }

  get stats(): Omit<SourceStats, 'restarts'> {
    return {
      processedFrames: this.#processed,
      droppedFrames: this.#droppedBefore + (this.#part?.assembler.dropped ?? 0),
      arrivals: this.#arrivals,
      lastFrameAtMs: this.#lastFrameAtMs,
    };
  }

  /**
   * Of a file that plays at 1×, in ms: how much later its frames come than they should, counted from the first frame of the
   * present ffmpeg. 0 for all others.
   */
  get lateMs(): number {
    const { plan, assembler } = this.#part ?? {};
    if (!plan || plan.info.live || this.#pace === 'fast' || this.#firstArrivedMs === null) return 0;
    const playedMs = ((assembler!.completed - 1) * 1000) / plan.info.fps;
    return Math.max(0, performance.now() - this.#firstArrivedMs - playedMs);
  }

  /** Of a file: presentation time of the frame that comes next, in ms. Null for a camera and for a recording. */
  get nextTimeMs(): number | null {
    const { plan, assembler } = this.#part ?? {};
    if (!plan || plan.firstTimeMs === null) return null;
    return plan.firstTimeMs + (assembler!.completed * 1000) / plan.info.fps;
  }

  /** For the frames of another ffmpeg, which count from `begin` on. */
  prepare(plan: StreamPlan): Part {
    const { letterbox, full } = plan.decode;
    const assembler = new FrameAssembler({
      modelBytes: letterbox.inputWidth * letterbox.inputHeight * 3,
      fullBytes: full && (full.width * full.height * 3) / 2,
      keep: this.#pace === 'fast' && !plan.info.live ? 'every' : 'newest',
      clock: this.#clock,
    });
    return { plan, assembler };
  }

  /** From now on the frames of this part are taken, and those of the part before are left. */
  begin(part: Part): void {
    this.#firstIndex += this.#part?.assembler.completed ?? 0;
    this.#droppedBefore += this.#part?.assembler.dropped ?? 0;
    this.#firstArrivedMs = null;
    this.#part = part;
    this.wake();
  }

  /** A block of a frame has come. */
  arrived(): void {
    this.#lastFrameAtMs = this.#clock();
    const nowMs = performance.now();
    this.#firstArrivedMs ??= nowMs;
    const intervalMs = 1000 / this.#part!.plan.info.fps;
    if (nowMs - this.#arrivedMs >= BURST_SHARE * intervalMs) {
      this.#arrivedMs = nowMs;
      this.#arrivals++;
    }
    this.wake();
  }

  finish(error: StreamError | null): void {
    this.#end = { error };
    this.wake();
  }

  take(): Frame | null {
    const part = this.#part;
    const pair = part?.assembler.take();
    if (!part || !pair) return null;
    this.#processed++;
    return this.#frame(part, pair);
  }

  /** Resolves when something has changed: a frame, a new ffmpeg or the end. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #frame({ plan }: Part, { model, full }: Pair): Frame {
    const { info, decode, firstTimeMs, colourMatrix } = plan;
    const index = this.#firstIndex + model.index;
    if (decode.recorded && model.timeMs === null)
      throw new StreamError('ffmpeg gave a frame without its time.');
    const timeMs =
      model.timeMs ??
      (firstTimeMs === null
        ? Math.max(model.arrivedMs, this.#lastTimeMs + 1)
        : firstTimeMs + (model.index * 1000) / info.fps);
    this.#lastTimeMs = timeMs;
    return {
      index,
      timeMs,
      model: model.bytes,
      letterbox: info.letterbox,
      isDamaged: model.isDamaged,
      full: full && decode.full && { index, timeMs, colourMatrix, ...decode.full, data: full.bytes },
      keepFull: (spare) => {
        if (full) full.bytes = spare ?? new Uint8Array(full.bytes.length);
      },
    };
  }
}
