import { type Drawing, feedDrawing } from '../drawing.ts';
import { probeWithFfprobe } from '../probe/ffprobe.ts';
import type { ProbedStream } from '../probe/probed-stream.ts';
import { type CameraProxy, connectCamera } from '../proxy/camera-proxy.ts';
import type { StreamAddress } from '../stream-url.ts';
import { RECORDED_FORMATS } from './ffmpeg-arguments.ts';
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
  /** Bytes of the camera that ffmpeg has not read yet; 0 where that is not known. */
  unreadBytes(): number;
  /** @param size frame size of the run that ended; null to probe the stream again next time */
  close(size: string | null): void;
}

/** A stream or a drawing, opened again for every ffmpeg. */
export interface SourceInput {
  /** @throws StreamError */
  open(binaries: FfmpegBinaries, signal: AbortSignal): Promise<OpenInput>;
  /** From the next `open` on software decodes it. */
  leaveHardware(): void;
}

export interface StreamInputOptions {
  readonly address: StreamAddress;
  readonly planOptions: PlanOptions;
  readonly cameraProxy?: CameraProxy | undefined;
  readonly probeTimeoutMs: number;
  readonly watchdogMs: number;
}

/** A camera stream or a file. After a run with frames the stream is taken to be the same and not probed again. */
export class StreamSourceInput implements SourceInput {
  readonly #options: StreamInputOptions;
  #known: { readonly probed: ProbedStream; readonly size: string } | null = null;
  #usesHardware = true;

  constructor(options: StreamInputOptions) {
    this.#options = options;
  }

  async open(binaries: FfmpegBinaries, signal: AbortSignal): Promise<OpenInput> {
    const { cameraProxy, probeTimeoutMs: timeoutMs, watchdogMs } = this.#options;
    const planOptions = { ...this.#options.planOptions, ...(!this.#usesHardware && { hardware: undefined }) };
    const connection = await connectCamera(this.#options.address, { cameraProxy, binaries, timeoutMs });
    const known = this.#known;
    this.#known = null;
    try {
      const { address, httpProxy } = connection;
      const formats = planOptions.recordedAfterMs === undefined ? undefined : RECORDED_FORMATS;
      const probed =
        known?.probed ??
        (await probeWithFfprobe({ address, binaries, timeoutMs, httpProxy, formats, signal }));
      // An ffmpeg that times out writes the frame it held back, which is as old as its timeout: the watchdog must act first.
      const ioTimeoutMs = watchdogMs + timeoutMs;
      return {
        plan: planStream(probed, { address, ioTimeoutMs, httpProxy, formats }, planOptions),
        address,
        httpProxy,
        knownSize: known?.size ?? null,
        unreadBytes: () => connection.unreadBytes(),
        close: (size) => {
          connection.close();
          if (size !== null) this.#known = { probed, size };
        },
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  leaveHardware(): void {
    this.#usesHardware = false;
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
      unreadBytes: () => 0,
      close: () => undefined,
    };
  }

  /** A drawing is not decoded. */
  leaveHardware(): void {}
}
