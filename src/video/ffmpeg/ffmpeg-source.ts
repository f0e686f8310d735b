import { setTimeout as sleep } from 'node:timers/promises';
import { NO_TRAFFIC } from '../../platform/network/unread-bytes.ts';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { Frame } from '../../vision/frame.ts';
import type { Drawing } from '../drawing.ts';
import type {
  Backlog,
  DecodedCounts,
  Decoding,
  FrameSource,
  Pace,
  SourceStats,
  StreamDecoder,
  StreamEvent,
  StreamInfo,
} from '../frame-source.ts';
import { type Hardware, hardwareFailed } from '../hardware/hardware.ts';
import type { Rotation } from '../picture/turn.ts';
import type { CameraProxy } from '../proxy/camera-proxy.ts';
import { StreamError } from '../stream-error.ts';
import { parseStreamUrl, type StreamAddress } from '../stream-url.ts';
import { ffmpegArguments } from './ffmpeg-arguments.ts';
import { binariesNow, type FfmpegBinaries, findFfmpegPatiently, isPassing } from './ffmpeg-binaries.ts';
import { FfmpegRun, type RunEnd } from './ffmpeg-run.ts';
import { FrameQueue, type Part } from './frame-queue.ts';
import { faultOfRecording } from './recording-fault.ts';
import { Restarts } from './restarts.ts';
import { failed, type SourceFault } from './source-fault.ts';
import { DrawingSourceInput, type OpenInput, type SourceInput, StreamSourceInput } from './source-input.ts';

/** Limits of a source in milliseconds. */
export interface SourceTiming {
  /** ffmpeg is stopped when no frame comes for this time. */
  readonly watchdogMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  readonly probeTimeoutMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** After frames for this time the next fault counts as the first. */
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
export const DEFAULT_FULL_LONG_SIDE = 960;

export interface FfmpegSourceOptions extends Partial<SourceTiming> {
  readonly url: string;
  /** The most frames per second; a source that sends fewer gives all it sends. */
  readonly fps: number;
  /** Of the model, in pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly pace: Pace;
  /** Of the full frames, in pixels; never enlarged. Null: none are made. Default 960. */
  readonly fullLongSide?: number | null | undefined;
  /** Milliseconds, for the arrival of live frames. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Those that the program has found. Without them they are looked for. */
  readonly binaries?: FfmpegBinaries | undefined;
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
  /** Default 1: many cameras share the cores better that way. */
  readonly decodeThreads?: number | undefined;
  /** Without it the stream may lead anywhere. */
  readonly cameraProxy?: CameraProxy | undefined;
  /** Closes the source. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  /** Waits between two attempts; rejects when `signal` aborts. Default a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** From 0 up to 1, for the jitter of restarts. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * The stream is a recording: frames get their own presentation times, a gap stays a gap, and its end must be where the
   * file says. It is read after this presentation time in ms; null: from the start.
   */
  readonly recordedAfterMs?: number | null | undefined;
  /** The video of the file to read, by its number among them; default the largest. */
  readonly videoTrack?: number | undefined;
  /** How frames are turned before anything else; default 0. */
  readonly rotation?: Rotation | undefined;
  /** Decodes what it can; undefined: software. When it fails, software decodes from then on. */
  readonly hardware?: Hardware | undefined;
  /** The hardware has failed. Called at most once. */
  readonly onHardwareFault?: ((reason: NodeReason) => void) | undefined;
  /** Instead of a stream: frames that are drawn here and go through the same ffmpeg. */
  readonly drawing?: (() => Promise<Drawing>) | undefined;
}

/** One ffmpeg, what it reads, and where its frames go. */
interface Playing {
  readonly binaries: FfmpegBinaries;
  readonly input: OpenInput;
  readonly part: Part;
  readonly run: FfmpegRun;
}

const NOTHING_DECODED: DecodedCounts = { received: 0, decoded: 0, keyFrames: 0 };

/** Frames of a file or camera. It starts ffmpeg, and starts it again after each fault of a live stream until it is closed. */
export class FfmpegSource implements FrameSource, StreamDecoder {
  readonly #options: FfmpegSourceOptions;
  readonly #timing: SourceTiming;
  readonly #address: StreamAddress;
  readonly #input: SourceInput;
  readonly #frames: FrameQueue;
  readonly #restarts: Restarts;
  readonly #closing = new AbortController();
  #loop: Promise<void> | null = null;
  #playing: Playing | null = null;
  /** Reads the stream too, and takes over with its first frame; null inside when it could not start. */
  #next: Promise<Playing | null> | null = null;
  #decoding: Decoding = 'all';
  #lastRun: RunEnd | null = null;

  /** @throws StreamError when the scheme of the address is not supported */
  constructor(options: FfmpegSourceOptions) {
    this.#options = options;
    const timing = timingOf(options);
    this.#timing = timing;
    this.#address = parseStreamUrl(options.url);
    this.#input = inputOf(options, this.#address, timing);
    this.#frames = new FrameQueue(options.pace, options.clock ?? Date.now);
    this.#restarts = new Restarts({
      minMs: timing.backoffMinMs,
      maxMs: timing.backoffMaxMs,
      healthyMs: timing.healthyMs,
      random: options.random ?? Math.random,
    });
    options.signal?.addEventListener('abort', () => void this.close(), { once: true });
    if (options.signal?.aborted) this.#closing.abort();
  }

  get info(): StreamInfo | null {
    return this.#frames.info;
  }

  get stats(): SourceStats {
    return { ...this.#frames.stats, restarts: this.#restarts.total };
  }

  get decoder(): StreamDecoder {
    return this;
  }

  get decoding(): Decoding {
    return this.#decoding;
  }

  get counts(): DecodedCounts {
    return this.#playing?.run.counts ?? NOTHING_DECODED;
  }

  backlog(): Backlog {
    const { input } = this.#playing ?? {};
    const { unreadBytes, sentBytes } = input?.traffic() ?? NO_TRAFFIC;
    const { input: stream } = input?.plan.decode ?? {};
    const isTimedByArrival = stream?.kind === 'stream' && stream.reading === 'arrival';
    return { unreadBytes, sentBytes: isTimedByArrival ? sentBytes : null, lateMs: this.#frames.lateMs };
  }

  decode(decoding: Decoding): void {
    const playing = this.#playing;
    const before = this.#decoding;
    if (decoding === before || !playing || this.#next || this.#options.pace === 'fast') return;
    this.#decoding = decoding;
    const { live } = playing.part.plan.info;
    playing.input.keep(playing.run.size);
    // Frames of a camera go on until those of the next ffmpeg come. A file waits: the next one goes on where this one ends.
    if (!live) playing.run.stop();
    this.#input.decode(decoding, this.#frames.nextTimeMs ?? undefined);
    this.#next = this.#startNext(playing.binaries, live ? null : playing.run.ended);
    void this.#next.then(async (next) => {
      await next?.run.ended;
      if (this.#playing === next || this.#playing !== playing) return;
      // It gave no frame, and the present one goes on.
      next?.input.close();
      this.#next = null;
      this.#decoding = before;
      this.#input.decode(before);
    });
  }

  async open(): Promise<StreamInfo> {
    this.#loop ??= this.#play();
    while (!this.info) {
      const { end } = this.#frames;
      if (end) throw end.error ?? new StreamError(`${this.#address.shown} was closed.`);
      await this.#frames.change();
    }
    return this.info;
  }

  async next(): Promise<Frame | null> {
    this.#loop ??= this.#play();
    while (!this.#closing.signal.aborted) {
      const frame = this.#frames.take();
      if (frame) {
        this.#playing?.run.resume();
        return frame;
      }
      const { end } = this.#frames;
      if (end?.error) throw end.error;
      if (end) return null;
      await this.#frames.change();
    }
    return null;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#playing?.run.stop();
    void this.#next?.then((next) => next?.run.stop());
    this.#frames.wake();
    await this.#loop;
  }

  /** From the first attempt to the end of a file, or until the source is closed. */
  async #play(): Promise<void> {
    const { signal } = this.#closing;
    try {
      const { ffmpegPath, ffprobePath } = this.#options;
      const found = this.#options.binaries ?? (await findFfmpegPatiently({ ffmpegPath, ffprobePath }));
      while (!signal.aborted) {
        let hasNoRoom = false;
        const fault = await this.#playOnce(found).catch((error: Error) => {
          hasNoRoom = isPassing(error) && !this.#restarts.hasFrames;
          return failed(error);
        });
        if (signal.aborted) break;
        if (this.#leavesHardware()) continue;
        // A web address that never answered is taken for a camera.
        const isLive = this.info?.live ?? this.#address.scheme !== 'file';
        // Also a file is read when the machine has room again: nothing of it was read.
        if (isLive || hasNoRoom) await this.#waitForRestart(fault);
        else if (fault.type === 'ended') {
          this.#requireWhole();
          this.#emit({ ...fault, faultReason: null });
          break;
        } else throw new StreamError(fault.message, 'unreadable', fault.isUndecodable);
      }
      this.#frames.finish(null);
    } catch (error) {
      const fault = error instanceof StreamError ? error : new StreamError(String(error));
      this.#frames.finish(signal.aborted ? null : fault);
    }
  }

  /** Whether the hardware has failed, so that the stream is opened again at once. Frames of a file cannot be read twice. */
  #leavesHardware(): boolean {
    const fault = this.#lastRun?.hardwareFault ?? null;
    this.#lastRun = this.#lastRun && { ...this.#lastRun, hardwareFault: null };
    if (fault === null || (this.info?.live === false && this.#restarts.hasFrames)) return false;
    this.#input.leaveHardware();
    const { hardware, onHardwareFault } = this.#options;
    if (hardware) onHardwareFault?.(hardwareFailed(this.#address.shown, hardware, fault));
    return true;
  }

  async #waitForRestart(fault: SourceFault): Promise<void> {
    const delayMs = this.#restarts.next();
    this.#emit(fault);
    this.#emit({ ...fault, type: 'restarting' }, delayMs);
    const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = this.#options;
    await wait(delayMs, this.#closing.signal);
  }

  /** @returns why it stopped @throws StreamError */
  async #playOnce(found: FfmpegBinaries): Promise<SourceFault> {
    this.#restarts.begin();
    this.#takeOver(await this.#start(await binariesNow(found)));
    for (;;) {
      const playing = this.#playing!;
      const end = await playing.run.ended;
      playing.input.close();
      const isLast = this.#playing === playing;
      const next = isLast ? await this.#next : null;
      // Its frames may have come meanwhile. Without a frame it still continues the stream.
      if (next && this.#playing === playing) this.#takeOver(next);
      if (this.#playing !== playing) continue;
      this.#playing = null;
      this.#lastRun = end;
      playing.input.keep(this.#restarts.hasFrames ? end.size : null);
      this.#restarts.end();
      return end.fault;
    }
  }

  /** Opens the stream and starts an ffmpeg for it. @throws StreamError */
  async #start(binaries: FfmpegBinaries): Promise<Playing> {
    const input = await this.#input.open(binaries, this.#closing.signal);
    const { plan, address, httpProxy, feed, knownSize } = input;
    const part = this.#frames.prepare(plan);
    const { recorded, continueMs } = plan.decode;
    try {
      const run = await FfmpegRun.start({
        program: binaries.ffmpeg.path,
        argv: ffmpegArguments(plan.decode, binaries.ffmpeg),
        ...{ address, httpProxy, feed, knownSize },
        ...{ assembler: part.assembler, dueInMs: part.dueInMs },
        withFullFrame: plan.decode.full !== null,
        isLive: plan.info.live,
        seekMs: (recorded?.seekSeconds ?? 0) * 1000,
        isInHardware: plan.decode.hardware !== undefined,
        isBackground: recorded !== null,
        mayBeEmpty: (recorded?.afterMs ?? -1) >= 0 || continueMs !== undefined,
        watchdogMs: this.#timing.watchdogMs,
        killAfterMs: this.#timing.killAfterMs,
        onFrame: () => this.#arrived(playing),
      });
      const playing = { binaries, input, part, run };
      if (this.#closing.signal.aborted) run.stop();
      return playing;
    } catch (error) {
      input.close();
      throw error;
    }
  }

  /** @param ended it starts afterwards @returns null when it cannot start */
  async #startNext(binaries: FfmpegBinaries, ended: Promise<unknown> | null): Promise<Playing | null> {
    await ended;
    return this.#start(binaries).catch(() => null);
  }

  /** Its frames follow those of the ffmpeg before it, which is stopped. */
  #takeOver(next: Playing): void {
    this.#playing?.run.stop();
    this.#playing = next;
    this.#next = null;
    this.#frames.begin(next.part);
  }

  /** @throws StreamError when a recording has ended before its end */
  #requireWhole(): void {
    const { recordedAfterMs } = this.#options;
    if (recordedAfterMs === undefined) return;
    const { readUntilMs = null, wentBackMs = 0, lastStepMs = 0 } = this.#lastRun ?? {};
    const durationMs = (this.info?.durationSeconds ?? 0) * 1000;
    const fault = faultOfRecording({
      readUntilMs: readUntilMs ?? Math.max(recordedAfterMs ?? 0, 0),
      wentBackMs,
      lastStepMs,
      durationMs,
    });
    if (fault) throw new StreamError(fault, 'unreadable');
  }

  #arrived(playing: Playing): void {
    if (this.#playing !== playing) this.#takeOver(playing);
    if (this.#restarts.frame()) {
      const message = `${this.#address.shown} sends frames.`;
      this.#emit({ type: 'started', message, faultReason: null, isUndecodable: false });
    }
    this.#frames.arrived();
  }

  #emit(event: Omit<StreamEvent, 'delayMs' | 'restartsInARow' | 'restartsWithoutFrame'>, delayMs = 0): void {
    this.#options.onEvent?.({ ...event, delayMs, ...this.#restarts.counts });
  }
}

function inputOf(options: FfmpegSourceOptions, address: StreamAddress, timing: SourceTiming): SourceInput {
  const { fps, inputWidth, inputHeight, pace, cameraProxy, drawing, decodeThreads = 1 } = options;
  const { fullLongSide = DEFAULT_FULL_LONG_SIDE, recordedAfterMs, hardware, rotation } = options;
  const planOptions = {
    fps,
    inputWidth,
    inputHeight,
    pace,
    fullLongSide,
    decodeThreads,
    recordedAfterMs,
    hardware,
    rotation,
  };
  if (drawing) return new DrawingSourceInput(address, planOptions, drawing);
  const { probeTimeoutMs, watchdogMs } = timing;
  const { videoTrack } = options;
  return new StreamSourceInput({ address, planOptions, videoTrack, cameraProxy, probeTimeoutMs, watchdogMs });
}

/** The defaults with the limits that were given; undefined means not given. */
function timingOf(options: FfmpegSourceOptions): SourceTiming {
  const names = Object.keys(DEFAULT_TIMING) as (keyof SourceTiming)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? DEFAULT_TIMING[name]])) as Record<
    keyof SourceTiming,
    number
  >;
}
