import { NO_TRAFFIC, type Traffic } from '../../platform/network/unread-bytes.ts';
import { type Drawing, feedDrawing } from '../drawing.ts';
import type { Decoding } from '../frame-source.ts';
import { probeWithFfprobe } from '../probe/ffprobe.ts';
import type { ProbedStream } from '../probe/probed-stream.ts';
import { type CameraProxy, connectCamera } from '../proxy/camera-proxy.ts';
import { RECORDED_FORMATS } from '../recording/container.ts';
import type { StreamAddress } from '../stream-url.ts';
import type { FfmpegBinaries } from './ffmpeg-binaries.ts';
import type { Feed } from './ffmpeg-run.ts';
import { type PlanOptions, planDrawing, planStream, type StreamPlan } from './stream-plan.ts';

/** What one ffmpeg reads, until `close`. */
export interface OpenInput {
  readonly plan: StreamPlan;
  readonly address: StreamAddress;
  readonly httpProxy?: string | undefined;
  readonly feed?: Feed | undefined;
  /** Frame size of the last run; null if unknown. */
  readonly knownSize: string | null;
  /** From the camera to this ffmpeg. */
  traffic(): Traffic;
  /** The next `open` takes the stream to be the same and does not probe it. @param size its frame size; null: it is probed */
  keep(size: string | null): void;
  close(): void;
}

/** A stream or a drawing, opened again for every ffmpeg. */
export interface SourceInput {
  /** @throws StreamError */
  open(binaries: FfmpegBinaries, signal: AbortSignal): Promise<OpenInput>;
  /** From the next `open` on software decodes it. */
  leaveHardware(): void;
  /** From the next `open` on these frames are decoded. @param continueMs of a file: where reading goes on */
  decode(decoding: Decoding, continueMs?: number): void;
}

export interface StreamInputOptions {
  readonly address: StreamAddress;
  readonly planOptions: PlanOptions;
  /** See `ProbeOptions`. */
  readonly videoTrack?: number | undefined;
  readonly cameraProxy?: CameraProxy | undefined;
  readonly probeTimeoutMs: number;
  readonly watchdogMs: number;
}

/** A camera stream or a file. After a run with frames the stream is taken to be the same and not probed again. */
export class StreamSourceInput implements SourceInput {
  readonly #options: Omit<StreamInputOptions, 'planOptions'>;
  #planOptions: PlanOptions;
  #known: { readonly probed: ProbedStream; readonly size: string } | null = null;

  constructor({ planOptions, ...options }: StreamInputOptions) {
    this.#options = options;
    this.#planOptions = planOptions;
  }

  async open(binaries: FfmpegBinaries, signal: AbortSignal): Promise<OpenInput> {
    const { cameraProxy, videoTrack, probeTimeoutMs: timeoutMs, watchdogMs } = this.#options;
    const planOptions = this.#planOptions;
    const connection = await connectCamera(this.#options.address, { cameraProxy, binaries, timeoutMs });
    const known = this.#known;
    this.#known = null;
    try {
      const { address, httpProxy } = connection;
      const formats = planOptions.recordedAfterMs === undefined ? undefined : RECORDED_FORMATS;
      const followsProgress = address.scheme === 'file';
      const probed =
        known?.probed ??
        (await probeWithFfprobe({
          ...{ address, videoTrack, binaries, timeoutMs, followsProgress, httpProxy, formats, signal },
        }));
      // An ffmpeg that times out writes the frame it held back, which is as old as its timeout: the watchdog must act first.
      const ioTimeoutMs = watchdogMs + timeoutMs;
      return {
        plan: planStream(probed, { address, ioTimeoutMs, httpProxy, formats }, planOptions),
        address,
        httpProxy,
        knownSize: known?.size ?? null,
        traffic: () => connection.traffic(),
        keep: (size) => {
          this.#known = size === null ? null : { probed, size };
        },
        close: () => connection.close(),
      };
    } catch (error) {
      connection.close();
      throw connection.faultOf(error);
    }
  }

  leaveHardware(): void {
    this.#planOptions = { ...this.#planOptions, hardware: undefined };
  }

  decode(decoding: Decoding, continueMs?: number): void {
    this.#planOptions = { ...this.#planOptions, decoding, continueMs };
  }
}

/** Frames that this process draws itself. The time of the drawing goes on while ffmpeg is restarted. */
export class DrawingSourceInput implements SourceInput {
  readonly #address: StreamAddress;
  readonly #planOptions: PlanOptions;
  readonly #makeDrawing: () => Promise<Drawing>;
  #begun: { readonly drawing: Drawing; readonly atMs: number } | null = null;

  constructor(address: StreamAddress, planOptions: PlanOptions, makeDrawing: () => Promise<Drawing>) {
    this.#address = address;
    this.#planOptions = planOptions;
    this.#makeDrawing = makeDrawing;
  }

  async open(): Promise<OpenInput> {
    this.#begun ??= { drawing: await this.#makeDrawing(), atMs: performance.now() };
    const { drawing, atMs } = this.#begun;
    const { fps, pace } = this.#planOptions;
    const startMs = performance.now() - atMs;
    const feedOptions = { drawing, fps, startMs, realtime: pace === 'realtime' };
    return {
      plan: planDrawing(drawing, this.#planOptions),
      address: this.#address,
      knownSize: null,
      feed: (stdin, signal) => feedDrawing(feedOptions, stdin, signal),
      traffic: () => NO_TRAFFIC,
      keep: () => undefined,
      close: () => undefined,
    };
  }

  /** A drawing is not decoded. */
  leaveHardware(): void {}
  decode(): void {}
}
