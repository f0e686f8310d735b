import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import { progressOf } from '../../platform/processes/progress.ts';
import type { DecodedCounts } from '../frame-source.ts';
import type { StreamAddress } from '../stream-url.ts';
import { BlockPipe, makePipes, type Pipe } from './block-pipe.ts';
import { FULL_FRAME_PIPE } from './ffmpeg-arguments.ts';
import { FfmpegLog } from './ffmpeg-log.ts';
import type { BlockFacts, FrameAssembler } from './frame-assembler.ts';
import { ADDRESS_SPACE, withinMemory } from './media-limits.ts';
import { ended, faultOfExit, type SourceFault, stalled } from './source-fault.ts';
import { Watchdog } from './watchdog.ts';

/** Writes frames to ffmpeg's standard input until the signal aborts. */
export type Feed = (stdin: Writable, signal: AbortSignal) => Promise<void>;

export interface RunOptions {
  readonly program: string;
  readonly argv: readonly string[];
  /** For messages. */
  readonly address: StreamAddress;
  readonly httpProxy?: string | undefined;
  readonly feed?: Feed | undefined;
  readonly assembler: FrameAssembler;
  /** See `Part`. */
  readonly dueInMs: (block: number) => number;
  readonly withFullFrame: boolean;
  /** Frame size of an earlier run of the same stream; null if unknown. */
  readonly knownSize: string | null;
  /** Whether it is a camera: a new frame size ends the run, and so does silence, whatever ffmpeg is busy with. */
  readonly isLive: boolean;
  /** Where ffmpeg begins to read, in ms: its times count from there. */
  readonly seekMs: number;
  /** Whether hardware decodes. */
  readonly isInHardware: boolean;
  /** Cameras come first. */
  readonly isBackground: boolean;
  /** It is no fault that no frame comes: reading begins after frames that are known. */
  readonly mayBeEmpty: boolean;
  /** The run ends when no frame comes for this time. */
  readonly watchdogMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  /** Called for each block of a frame. */
  readonly onFrame: () => void;
}

export interface RunEnd {
  readonly fault: SourceFault;
  /** Frame size that the next run may expect; null if unknown or changed. */
  readonly size: string | null;
  /** Presentation time of the last frame that was decoded; null without one. */
  readonly readUntilMs: number | null;
  /** By how much a frame was older than a frame before it. */
  readonly wentBackMs: number;
  /** Between the last two frames. */
  readonly lastStepMs: number;
  /** How the hardware that decodes has failed, in ffmpeg's words; null when it has not. */
  readonly hardwareFault: string | null;
}

/** A pipe, and how far it is read. */
interface Reading {
  readonly pipe: BlockPipe;
  /** How many are complete. */
  blocks: number;
  /** Until the next block is due. */
  timer: NodeJS.Timeout | undefined;
  isWaiting: boolean;
}

/** Every ffmpeg that runs. They are killed when this process exits in an orderly way. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One ffmpeg from start to exit. It stays in the process group of its parent: who kills the group kills it too. */
export class FfmpegRun {
  /** Resolves when ffmpeg has exited and all its output was read. */
  readonly ended: Promise<RunEnd>;
  /** What the log counts, and whose log it is. */
  readonly counts: DecodedCounts;
  readonly #options: RunOptions;
  readonly #over = new AbortController();
  readonly #child: ChildProcess;
  readonly #log: FfmpegLog;
  readonly #readings: Reading[] = [];
  readonly #watchdog: Watchdog;
  #size: string | null;
  /** Why we stopped it; null if it exits by itself. */
  #stoppedFor: SourceFault | null = null;
  #hasNewSize = false;

  static async start(options: RunOptions): Promise<FfmpegRun> {
    return new FfmpegRun(options, await makePipes(options.withFullFrame ? 3 : 2));
  }

  private constructor(options: RunOptions, pipes: readonly Pipe[]) {
    this.#options = options;
    this.#size = options.knownSize;
    const { address, assembler, feed, watchdogMs } = options;
    const [logged, ...frames] = pipes as [Pipe, Pipe, ...Pipe[]];
    this.#log = new FfmpegLog(
      logged.readFd,
      (size) => this.#sized(size),
      () => options.isInHardware && this.stop(ended(`${address.shown}: its hardware decoder has failed.`)),
    );
    try {
      const { program, argv, isInHardware } = options;
      // The drivers of hardware map far more memory than they use.
      const command = isInHardware
        ? ([program, argv] as const)
        : withinMemory(program, argv, ADDRESS_SPACE.stream);
      this.#child = spawn(...command, {
        env: childEnvironment(options.httpProxy),
        stdio: stdioOf(logged, frames, feed !== undefined),
      });
    } catch (error) {
      this.#log.end();
      for (const { readFd } of frames) closeSync(readFd);
      throw error;
    } finally {
      for (const { writeFd } of pipes) closeSync(writeFd);
    }
    this.counts = Object.assign(this.#log.counts, { pid: this.#child.pid });
    running.add(this.#child);
    giveWay(this.#child, options.isBackground ? RECORDING_NICENESS : CAMERA_NICENESS);
    this.#watchdog = new Watchdog({
      limitMs: watchdogMs,
      paused: () => assembler.mustWait || this.#readings.some(({ isWaiting }) => isWaiting),
      progress: options.isLive ? undefined : () => progressOf(this.#child.pid ?? 0),
      onSilence: () => this.stop(stalled(address, watchdogMs)),
    });
    const read = frames.map(({ readFd }, at) => this.#read(readFd, at === 0 ? 'model' : 'full'));
    this.ended = this.#end(this.#exit(), read);
    if (feed) void this.#feed(this.#child.stdin!, feed);
  }

  /** Frame size; null until it is known. */
  get size(): string | null {
    return this.#size;
  }

  /** A frame was taken: reading continues if it waited for that. */
  resume(): void {
    for (const reading of this.#readings) this.#resume(reading);
  }

  #resume(reading: Reading): void {
    if (this.#goesOn(reading)) reading.pipe.resume();
  }

  /** Whether the next block may be read now. If it is not due yet, reading continues by itself when it is. */
  #goesOn(reading: Reading): boolean {
    const { assembler, dueInMs } = this.#options;
    clearTimeout(reading.timer);
    const inMs = assembler.mustWait ? Number.POSITIVE_INFINITY : dueInMs(reading.blocks);
    reading.isWaiting = inMs > 0;
    if (reading.isWaiting && Number.isFinite(inMs))
      reading.timer = setTimeout(() => this.#resume(reading), inMs);
    return !reading.isWaiting;
  }

  /** Sends SIGTERM, then SIGKILL. Output that was not read yet is lost. */
  stop(fault: SourceFault | null = null): void {
    this.#stoppedFor ??= fault;
    this.#over.abort();
    this.#watchdog.stop();
    for (const { pipe, timer } of this.#readings) {
      clearTimeout(timer);
      pipe.destroy();
    }
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.killAfterMs);
    child.once('close', () => clearTimeout(timer));
  }

  #read(fd: number, which: 'model' | 'full'): Promise<void> {
    const { assembler, onFrame } = this.#options;
    return new Promise((resolve) => {
      const pipe = new BlockPipe(fd, {
        nextBlock: () => assembler.buffer(which),
        blockDone: () => {
          if (which === 'full') assembler.done(which);
          else assembler.done(which, this.#factsOf(assembler.buffer(which).length));
          this.#watchdog.reset();
          reading.blocks++;
          onFrame();
          return this.#goesOn(reading);
        },
        ended: resolve,
      });
      const reading: Reading = { pipe, blocks: 0, timer: undefined, isWaiting: false };
      this.#readings.push(reading);
      // The first frame of a later ffmpeg may come before it is due.
      if (!this.#goesOn(reading)) pipe.pause();
    });
  }

  #factsOf(frameBytes: number): BlockFacts {
    const isDamaged = this.#log.isFrameDamaged(frameBytes);
    const time = this.#log.takeFrameTime();
    return { isDamaged, timeMs: time === null ? null : time + this.#options.seekMs };
  }

  async #feed(stdin: Writable, feed: Feed): Promise<void> {
    // A broken pipe means that ffmpeg exits: its exit says more.
    stdin.on('error', () => this.#over.abort());
    try {
      await feed(stdin, this.#over.signal);
    } catch (error) {
      if (!this.#over.signal.aborted) this.#log.write(`${(error as Error).message}\n`);
    } finally {
      stdin.end();
    }
  }

  #exit(): Promise<number | null> {
    const child = this.#child;
    return new Promise((resolve) => {
      child.on('error', (error) => {
        this.#log.write(`${error.message}\n`);
        if (child.pid === undefined) resolve(null);
      });
      child.on('close', resolve);
    });
  }

  async #end(exit: Promise<number | null>, read: readonly Promise<void>[]): Promise<RunEnd> {
    const exitCode = await exit;
    running.delete(this.#child);
    this.#over.abort();
    this.#watchdog.stop();
    await Promise.all(read);
    const { assembler, address, mayBeEmpty, seekMs, isInHardware } = this.#options;
    assembler.end();
    this.#log.end();
    const { lastStepMs, latestMs, wentBackMs } = this.#log.decoded;
    const hasFrames = assembler.completed > 0 || mayBeEmpty;
    return {
      fault: this.#stoppedFor ?? faultOfExit({ exitCode, log: this.#log.text, hasFrames }, address),
      size: this.#hasNewSize ? null : this.#size,
      ...{ lastStepMs, wentBackMs, readUntilMs: latestMs === null ? null : latestMs + seekMs },
      hardwareFault: isInHardware ? this.#log.hardwareFault : null,
    };
  }

  #sized(size: string): void {
    const isNew = this.#size !== null && size !== this.#size;
    this.#size = size;
    if (!isNew || !this.#options.isLive) return;
    this.#hasNewSize = true;
    this.stop(ended(`${this.#options.address.shown} changed its frame size.`));
  }
}

/** From the lowest priority (19) up to that of the lane (0), which must keep up with what they decode. */
const CAMERA_NICENESS = 5;
const RECORDING_NICENESS = 10;

function giveWay({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has exited already.
  }
}

/** Standard input, frames for the model, log, and full frames. */
function stdioOf(logged: Pipe, [model, full]: readonly [Pipe, ...Pipe[]], isFed: boolean) {
  const stdio = [isFed ? 'pipe' : 'ignore', model.writeFd, logged.writeFd] as const;
  return full ? [...stdio.slice(0, FULL_FRAME_PIPE), full.writeFd] : [...stdio];
}
