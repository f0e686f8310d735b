import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import { BlockPipe, makePipes, type Pipe } from './block-pipe.ts';
import { PICTURE_PIPE } from './ffmpeg-arguments.ts';
import { FfmpegLog } from './ffmpeg-log.ts';
import type { FrameAssembler } from './frame-assembler.ts';
import { PIPE_BYTES } from './pipe-size.ts';

export interface RunOptions {
  readonly program: string;
  readonly argv: readonly string[];
  /** That its environment names. */
  readonly httpProxy?: string | undefined;
  readonly assembler: FrameAssembler;
  readonly withPicture: boolean;
  /** Between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
  /** A frame is complete. */
  readonly onFrame: () => void;
  /** The stream goes on in another size than it began with, or has another than `knownSize`. */
  readonly onSizeChanged: () => void;
  /** As `size` of a former run of the same stream. */
  readonly knownSize?: string | null;
  /** Given: ffmpeg reads its standard input, which this fills. */
  readonly feed?: ((stdin: Writable, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Frames that ffmpeg's filters and writer may hold back. */
const HELD_BACK = 2;

/** How an ffmpeg ended. */
export interface RunEnd {
  /** Null if it was ended by a signal or could not be started. */
  readonly exitCode: number | null;
  /** Its last complaints, one per line, as it wrote them. */
  readonly log: string;
}

/** Every ffmpeg that runs; ended with this process, whatever ends it in an orderly way. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One ffmpeg from start to end. It stays in this process's group, so that whoever ends the group ends it too. */
export class FfmpegRun {
  readonly #options: RunOptions;
  readonly #feeding = new AbortController();
  #log: FfmpegLog | null = null;
  #child: ChildProcess | null = null;
  #pipes: BlockPipe[] = [];
  #size: string | null = null;
  /** Frames that are still to come of those that may be damaged. */
  #stillDamaged = 0;
  #stopping = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#size = options.knownSize ?? null;
  }

  /** Of its pictures, as ffmpeg told it; null before. */
  get size(): string | null {
    return this.#size;
  }

  /** Runs it to its end: until it has exited and all that it wrote has been read. */
  async play(): Promise<RunEnd> {
    const { program, argv, httpProxy, withPicture, feed } = this.#options;
    const pipes = await makePipes(withPicture ? 3 : 2);
    const [logged, ...frames] = pipes as [Pipe, ...Pipe[]];
    const stdio = [
      feed ? 'pipe' : 'ignore',
      frames[0]!.writeFd,
      logged.writeFd,
      frames[1]?.writeFd ?? 'ignore',
    ] as const;
    const log = new FfmpegLog(logged.readFd, (size) => this.#sized(size));
    this.#log = log;
    let child: ChildProcess;
    try {
      child = spawn(program, argv, {
        env: childEnvironment(httpProxy),
        stdio: [...stdio].slice(0, withPicture ? PICTURE_PIPE + 1 : PICTURE_PIPE),
      });
    } catch (error) {
      log.end();
      throw error;
    } finally {
      for (const { writeFd } of pipes) closeSync(writeFd);
    }
    this.#child = child;
    running.add(child);
    const read = frames.map(({ readFd }, at) => this.#read(readFd, at === 0 ? 'model' : 'picture', log));
    if (this.#stopping) this.stop();
    if (feed) void this.#feed(child.stdin!, feed);
    const exitCode = await this.#exit(child);
    this.#feeding.abort();
    await Promise.all(read);
    this.#options.assembler.end();
    log.end();
    return { exitCode, log: log.text };
  }

  /** A frame was taken: reading goes on if it waited for that. */
  resume(): void {
    if (!this.#options.assembler.full) for (const pipe of this.#pipes) pipe.resume();
  }

  /** SIGTERM, then SIGKILL; what was not read yet is thrown away. */
  stop(): void {
    this.#stopping = true;
    this.#feeding.abort();
    for (const pipe of this.#pipes) pipe.destroy();
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.killAfterMs);
    child.once('close', () => clearTimeout(timer));
  }

  #read(fd: number, which: 'model' | 'picture', log: FfmpegLog): Promise<void> {
    const { assembler, onFrame } = this.#options;
    return new Promise((resolve) => {
      this.#pipes.push(
        new BlockPipe(fd, {
          nextBlock: () => assembler.buffer(which),
          blockDone: () => {
            assembler.done(which, which === 'model' && this.#isDamaged(log));
            onFrame();
            return !assembler.full;
          },
          ended: resolve,
        }),
      );
    });
  }

  /**
   * Of the frame that is just complete. ffmpeg speaks of damage before it writes the frame, so the word has come by now. Of
   * frames that lie in the pipe already the log may know more than they do: that damage is over counts only behind them.
   */
  #isDamaged(log: FfmpegLog): boolean {
    log.read();
    if (log.takeDamage()) {
      const bytes = this.#options.assembler.buffer('model').length;
      this.#stillDamaged = Math.ceil(PIPE_BYTES / bytes) + HELD_BACK;
      return true;
    }
    if (this.#stillDamaged === 0) return false;
    this.#stillDamaged--;
    return true;
  }

  /** A broken pipe is the end of ffmpeg, which its exit tells better. */
  async #feed(stdin: Writable, feed: NonNullable<RunOptions['feed']>): Promise<void> {
    stdin.on('error', () => this.#feeding.abort());
    try {
      await feed(stdin, this.#feeding.signal);
    } catch (error) {
      if (!this.#feeding.signal.aborted) this.#log?.write(`${(error as Error).message}\n`);
    } finally {
      stdin.end();
    }
  }

  #exit(child: ChildProcess): Promise<number | null> {
    return new Promise((resolve) => {
      const ended = (code: number | null) => {
        running.delete(child);
        resolve(code);
      };
      child.on('error', (error) => {
        this.#log?.write(`${error.message}\n`);
        if (child.pid === undefined) ended(null);
      });
      child.on('close', (code) => ended(code));
    });
  }

  #sized(size: string): void {
    if (this.#size !== null && size !== this.#size) this.#options.onSizeChanged();
    this.#size = size;
  }
}
