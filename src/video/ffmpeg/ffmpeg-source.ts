import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame } from '../../vision/frame.ts';
import { type Drawing, feedDrawing } from '../drawing.ts';
import {
  type FrameSource,
  type Pace,
  type SourceStats,
  StreamError,
  type StreamEvent,
  type StreamInfo,
} from '../frame-source.ts';
import { probeWithFfprobe } from '../probe/ffprobe.ts';
import type { ProbedStream } from '../probe/probed-stream.ts';
import { type CameraConnection, type CameraProxy, connectCamera } from '../proxy/camera-proxy.ts';
import { parseStreamUrl, type StreamAddress } from '../stream-url.ts';
import { backoffMs } from './backoff.ts';
import { ffmpegArguments } from './ffmpeg-arguments.ts';
import { type FfmpegBinaries, findFfmpeg } from './ffmpeg-binaries.ts';
import { FfmpegRun, type RunOptions } from './ffmpeg-run.ts';
import { FrameAssembler, type Pair } from './frame-assembler.ts';
import { asFault, ended, faultOfEnd, type SourceFault, stalled } from './source-fault.ts';
import { planDrawing, planStream, type StreamPlan } from './stream-plan.ts';
import { Watchdog } from './watchdog.ts';

/** How patient a source is, in milliseconds. */
export interface SourceTiming {
  /** Without a frame for so long, ffmpeg is ended. */
  readonly watchdogMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  /** Of one question to the stream. */
  readonly probeTimeoutMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Frames for so long, and the next fault counts as the first. */
  readonly healthyMs: number;
}

export const DEFAULT_TIMING: SourceTiming = {
  watchdogMs: 20_000,
  killAfterMs: 2_000,
  probeTimeoutMs: 15_000,
  backoffMinMs: 1_000,
  backoffMaxMs: 60_000,
  healthyMs: 30_000,
};
export const DEFAULT_PICTURE_LONG_SIDE = 960;
/** Of the time between two frames: what follows faster came with the frame before it. */
const BURST_SHARE = 0.3;

export interface FfmpegSourceOptions extends Partial<SourceTiming> {
  readonly url: string;
  /** Frames per second at most; a source that has fewer gives all it has. */
  readonly fps: number;
  /** Of the model, in pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly pace: Pace;
  /** Of the picture, in pixels; never enlarged. Null: no pictures. Default 960. */
  readonly pictureLongSide?: number | null | undefined;
  /** Milliseconds, for the arrival of live frames. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
  /** Default 1: cameras share cores better than one camera uses them. */
  readonly decodeThreads?: number | undefined;
  /** Through which the stream is opened, each time anew. Not given: it may lead anywhere. */
  readonly cameraProxy?: CameraProxy | undefined;
  /** Closes the source. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  /** Passes the time between two tries; rejects when `signal` aborts. Default a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** 0 up to 1, for the jitter of restarts. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Instead of a stream: frames drawn here, through the same ffmpeg. */
  readonly drawing?: (() => Promise<Drawing>) | undefined;
}

/** Frames of a file or camera, read by an ffmpeg that is watched and started again for as long as it is wanted. */
export class FfmpegSource implements FrameSource {
  readonly #options: FfmpegSourceOptions;
  readonly #timing: SourceTiming;
  readonly #address: StreamAddress;
  readonly #closing = new AbortController();
  readonly #clock: () => number;
  #loop: Promise<void> | null = null;
  #plan: StreamPlan | null = null;
  /** Of a stream that gave frames until it stopped: it is believed to be the same and not asked again what it is. */
  #known: { readonly probed: ProbedStream; readonly size: string } | null = null;
  #drawing: Drawing | null = null;
  #drawnSince: number | null = null;
  #run: FfmpegRun | null = null;
  #assembler: FrameAssembler | null = null;
  /** Number of the running ffmpeg's first frame. */
  #firstIndex = 0;
  #waiting: (() => void)[] = [];
  #finished = false;
  #error: StreamError | null = null;
  #restartsInARow = 0;
  #restartsWithoutFrame = 0;
  #processed = 0;
  #droppedBefore = 0;
  #restarts = 0;
  #lastFrameAtMs: number | null = null;
  #arrivals = 0;
  /** Monotonic ms of the last one. */
  #arrivedMs = Number.NEGATIVE_INFINITY;
  #lastTimeMs = Number.NEGATIVE_INFINITY;

  /** @throws StreamError when the address is of a kind that is not read */
  constructor(options: FfmpegSourceOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...given(options) };
    this.#address = parseStreamUrl(options.url);
    this.#clock = options.clock ?? Date.now;
    options.signal?.addEventListener('abort', () => void this.close(), { once: true });
    if (options.signal?.aborted) this.#closing.abort();
  }

  get info(): StreamInfo | null {
    return this.#plan?.info ?? null;
  }

  get stats(): SourceStats {
    return {
      processedFrames: this.#processed,
      droppedFrames: this.#droppedBefore + (this.#assembler?.dropped ?? 0),
      arrivals: this.#arrivals,
      restarts: this.#restarts,
      lastFrameAtMs: this.#lastFrameAtMs,
    };
  }

  async open(): Promise<StreamInfo> {
    this.#loop ??= this.#keepPlaying();
    while (!this.#plan) {
      if (this.#finished) throw this.#error ?? new StreamError(`${this.#address.shown} was closed.`);
      await this.#change();
    }
    return this.#plan.info;
  }

  async next(): Promise<Frame | null> {
    this.#loop ??= this.#keepPlaying();
    while (!this.#closing.signal.aborted) {
      const pair = this.#assembler?.take();
      if (pair) {
        this.#run?.resume();
        return this.#frame(pair);
      }
      if (this.#finished) {
        if (this.#error) throw this.#error;
        return null;
      }
      await this.#change();
    }
    return null;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#run?.stop();
    this.#notify();
    await this.#loop;
  }

  #frame({ model, picture }: Pair): Frame {
    const { info, decode, firstTimeMs, colourMatrix } = this.#plan!;
    const { index } = model;
    const timeMs =
      firstTimeMs === null
        ? Math.max(model.arrivedMs, this.#lastTimeMs + 1)
        : firstTimeMs + ((index - this.#firstIndex) * 1000) / info.fps;
    this.#lastTimeMs = timeMs;
    this.#processed++;
    return {
      index,
      timeMs,
      model: model.bytes,
      letterbox: info.letterbox,
      isDamaged: model.isDamaged,
      full: picture &&
        decode.picture && { index, timeMs, colourMatrix, ...decode.picture, data: picture.bytes },
      keepFull: (spare) => {
        if (picture) picture.bytes = spare ?? new Uint8Array(picture.bytes.length);
      },
    };
  }

  /** From the first try to the end: of a file, or when nobody wants the camera any more. */
  async #keepPlaying(): Promise<void> {
    const { signal } = this.#closing;
    try {
      const { ffmpegPath, ffprobePath } = this.#options;
      const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
      while (!signal.aborted) {
        const fault = await this.#play(binaries).catch(asFault);
        if (signal.aborted) break;
        if (!this.#endless) {
          if (fault.type !== 'ended') throw new StreamError(fault.reason);
          this.#emit({ ...fault, faultReason: null });
          break;
        }
        await this.#backOff(fault);
      }
    } catch (error) {
      if (!signal.aborted)
        this.#error = error instanceof StreamError ? error : new StreamError(String(error));
    } finally {
      this.#finished = true;
      this.#notify();
    }
  }

  /** Whether an end is a fault. Of a web address that was never reached nobody knows; it is taken for a camera. */
  get #endless(): boolean {
    return this.#plan?.info.live ?? this.#address.scheme !== 'file';
  }

  async #backOff(fault: SourceFault): Promise<void> {
    this.#restartsInARow++;
    this.#restartsWithoutFrame++;
    this.#restarts++;
    const { backoffMinMs: minMs, backoffMaxMs: maxMs } = this.#timing;
    const delayMs = backoffMs(this.#restartsInARow, {
      minMs,
      maxMs,
      random: this.#options.random ?? Math.random,
    });
    this.#emit(fault);
    this.#emit({ ...fault, type: 'restarting' }, delayMs);
    const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = this.#options;
    await wait(delayMs, this.#closing.signal);
  }

  async #play(binaries: FfmpegBinaries): Promise<SourceFault> {
    const { cameraProxy } = this.#options;
    const connection = await connectCamera(this.#address, {
      cameraProxy,
      binaries,
      timeoutMs: this.#timing.probeTimeoutMs,
    });
    try {
      return await this.#playFrom(connection, binaries);
    } finally {
      connection.close();
    }
  }

  /** Asks the stream what it is where that is not known, then plays it until it stops. */
  async #playFrom(connection: CameraConnection, binaries: FfmpegBinaries): Promise<SourceFault> {
    const known = this.#known;
    this.#known = null;
    const { plan, probed } = await this.#makePlan(connection, binaries, known?.probed);
    const assembler = this.#renewAssembler(plan);
    let stop: SourceFault | null = null;
    let isSame = true;
    let firstFrameAt = 0;
    const run = new FfmpegRun({
      program: binaries.ffmpeg.path,
      argv: ffmpegArguments(plan.decode, binaries.ffmpeg),
      httpProxy: connection.httpProxy,
      assembler,
      withPicture: plan.decode.picture !== null,
      killAfterMs: this.#timing.killAfterMs,
      feed: this.#feed(),
      onFrame: () => {
        watchdog.reset();
        if (firstFrameAt === 0) {
          firstFrameAt = performance.now();
          this.#restartsWithoutFrame = 0;
          this.#emit({ type: 'started', reason: `${this.#address.shown} sends frames.`, faultReason: null });
        }
        this.#lastFrameAtMs = this.#clock();
        this.#countArrival(plan.info.fps);
        this.#notify();
      },
      knownSize: known?.size ?? null,
      onSizeChanged: () => {
        if (!plan.info.live) return;
        isSame = false;
        stop = ended(`${this.#address.shown} changed its picture size.`);
        run.stop();
      },
    });
    const { watchdogMs } = this.#timing;
    const watchdog = new Watchdog({
      limitMs: watchdogMs,
      paused: () => assembler.full,
      onSilence: () => {
        stop = stalled(this.#address.shown, watchdogMs);
        run.stop();
      },
    });
    this.#run = run;
    if (this.#closing.signal.aborted) run.stop();
    try {
      const end = await run.play();
      return stop ?? faultOfEnd({ ...end, frames: assembler.completed }, connection.address);
    } finally {
      watchdog.stop();
      this.#run = null;
      if (probed && run.size && firstFrameAt > 0 && isSame) this.#known = { probed, size: run.size };
      if (firstFrameAt > 0 && performance.now() - firstFrameAt >= this.#timing.healthyMs)
        this.#restartsInARow = 0;
    }
  }

  #countArrival(fps: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#arrivedMs < (BURST_SHARE * 1000) / fps) return;
    this.#arrivedMs = nowMs;
    this.#arrivals++;
  }

  /** @param known what the stream was before; else it is asked */
  async #makePlan(
    { address, httpProxy }: CameraConnection,
    binaries: FfmpegBinaries,
    known: ProbedStream | undefined,
  ): Promise<{ plan: StreamPlan; probed: ProbedStream | null }> {
    const { fps, inputWidth, inputHeight, pace, drawing, decodeThreads = 1 } = this.#options;
    const { pictureLongSide = DEFAULT_PICTURE_LONG_SIDE } = this.#options;
    const wanted = { fps, inputWidth, inputHeight, pace, pictureLongSide, decodeThreads };
    if (drawing) {
      this.#drawing ??= await drawing();
      return { plan: planDrawing(this.#drawing, wanted), probed: null };
    }
    const { probeTimeoutMs: timeoutMs, watchdogMs } = this.#timing;
    const { signal } = this.#closing;
    const probed = known ?? (await probeWithFfprobe({ address, binaries, timeoutMs, httpProxy, signal }));
    // An ffmpeg that gives up writes the picture it held back, as old as its patience: the watchdog comes first.
    const ioTimeoutMs = watchdogMs + timeoutMs;
    return { plan: planStream(probed, { address, ioTimeoutMs, httpProxy }, wanted), probed };
  }

  #renewAssembler(plan: StreamPlan): FrameAssembler {
    const { letterbox, picture } = plan.decode;
    this.#droppedBefore += this.#assembler?.dropped ?? 0;
    this.#firstIndex = this.#assembler?.nextIndex ?? 0;
    this.#plan = plan;
    this.#assembler = new FrameAssembler({
      modelBytes: letterbox.inputWidth * letterbox.inputHeight * 3,
      pictureBytes: picture && (picture.width * picture.height * 3) / 2,
      keep: this.#options.pace === 'fast' && !plan.info.live ? 'every' : 'newest',
      firstIndex: this.#firstIndex,
      clock: this.#clock,
    });
    this.#notify();
    return this.#assembler;
  }

  /** A drawing's time goes on while ffmpeg is started again. */
  #feed(): RunOptions['feed'] {
    const { fps, pace } = this.#options;
    const drawing = this.#drawing;
    if (!drawing) return undefined;
    this.#drawnSince ??= performance.now();
    const startMs = performance.now() - this.#drawnSince;
    return (stdin, signal) =>
      feedDrawing({ drawing, fps, startMs, realtime: pace === 'realtime' }, stdin, signal);
  }

  #emit(event: Pick<StreamEvent, 'type' | 'reason' | 'faultReason'>, delayMs = 0): void {
    const counts = {
      restartsInARow: this.#restartsInARow,
      restartsWithoutFrame: this.#restartsWithoutFrame,
    };
    this.#options.onEvent?.({ ...event, delayMs, ...counts });
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #notify(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** The patience that was given, without what is undefined. */
function given(options: FfmpegSourceOptions): Partial<SourceTiming> {
  const names = Object.keys(DEFAULT_TIMING) as (keyof SourceTiming)[];
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}
