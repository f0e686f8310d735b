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
  /**
   * In how many ms the block of this number may be read from its pipe; at most 0: now. Infinity: not before a frame is
   * taken. Frames that wait in the pipe make ffmpeg wait.
   */
  readonly dueInMs: (block: number) => number;
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
  /**
   * Of a file that plays at 1×: when its time 0 was or would have been; monotonic. It begins when the first frame is taken,
   * however long the start took, and goes on over all ffmpegs: what a later start costs is caught up.
   */
  #playedSinceMs: number | null = null;
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

  /** Of a file that plays at 1×, in ms: how long the frame that comes next is overdue. 0 for all others. */
  get lateMs(): number {
    const part = this.#part;
    return part && this.#playedSinceMs !== null ? Math.max(0, -part.dueInMs(part.assembler.completed)) : 0;
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
    return { plan, assembler, dueInMs: (block) => this.#dueInMs(plan, block) };
  }

  #dueInMs({ firstTimeMs, info }: StreamPlan, block: number): number {
    if (this.#pace === 'fast' || firstTimeMs === null) return 0;
    if (this.#playedSinceMs === null) return block === 0 ? 0 : Number.POSITIVE_INFINITY;
    return this.#playedSinceMs + firstTimeMs + (block * 1000) / info.fps - performance.now();
  }

  /** From now on the frames of this part are taken, and those of the part before are left. */
  begin(part: Part): void {
    this.#firstIndex += this.#part?.assembler.completed ?? 0;
    this.#droppedBefore += this.#part?.assembler.dropped ?? 0;
    this.#part = part;
    this.wake();
  }

  /** A block of a frame has come. */
  arrived(): void {
    this.#lastFrameAtMs = this.#clock();
    const nowMs = performance.now();
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
    const frame = this.#frame(part, pair);
    if (this.#pace === 'realtime' && part.plan.firstTimeMs !== null)
      this.#playedSinceMs ??= performance.now() - frame.timeMs;
    return frame;
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
