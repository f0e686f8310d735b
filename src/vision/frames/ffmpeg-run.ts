import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { BlockPipe, makePipes } from './block-pipe.ts';
import { childEnvironment } from './child-environment.ts';
import { PICTURE_PIPE } from './ffmpeg-arguments.ts';
import { FfmpegLog } from './ffmpeg-log.ts';
import type { FrameAssembler } from './frame-assembler.ts';

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
  readonly #log: FfmpegLog;
  readonly #feeding = new AbortController();
  #child: ChildProcess | null = null;
  #pipes: BlockPipe[] = [];
  #size: string | null = null;
  #stopping = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#size = options.knownSize ?? null;
    this.#log = new FfmpegLog((size) => this.#sized(size));
  }

  /** Of its pictures, as ffmpeg told it; null before. */
  get size(): string | null {
    return this.#size;
  }

  /** Runs it to its end: until it has exited and all that it wrote has been read. */
  async play(): Promise<RunEnd> {
    const { program, argv, httpProxy, withPicture, feed } = this.#options;
    const pipes = await makePipes(withPicture ? 2 : 1);
    const stdio = [
      feed ? 'pipe' : 'ignore',
      pipes[0]!.writeFd,
      'pipe',
      pipes[1]?.writeFd ?? 'ignore',
    ] as const;
    let child: ChildProcess;
    try {
      child = spawn(program, argv, {
        env: childEnvironment(httpProxy),
        stdio: [...stdio].slice(0, withPicture ? PICTURE_PIPE + 1 : PICTURE_PIPE),
      });
    } finally {
      for (const { writeFd } of pipes) closeSync(writeFd);
    }
    this.#child = child;
    running.add(child);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#log.write(text));
    const read = pipes.map(({ readFd }, at) => this.#read(readFd, at === 0 ? 'model' : 'picture'));
    if (this.#stopping) this.stop();
    if (feed) void this.#feed(child.stdin!, feed);
    const exitCode = await this.#exit(child);
    this.#feeding.abort();
    await Promise.all(read);
    this.#options.assembler.end();
    return { exitCode, log: this.#log.text };
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

  #read(fd: number, which: 'model' | 'picture'): Promise<void> {
    const { assembler, onFrame } = this.#options;
    return new Promise((resolve) => {
      this.#pipes.push(
        new BlockPipe(fd, {
          nextBlock: () => assembler.buffer(which),
          blockDone: () => {
            assembler.done(which);
            onFrame();
            return !assembler.full;
          },
          ended: resolve,
        }),
      );
    });
  }

  /** A broken pipe is the end of ffmpeg, which its exit tells better. */
  async #feed(stdin: Writable, feed: NonNullable<RunOptions['feed']>): Promise<void> {
    stdin.on('error', () => this.#feeding.abort());
    try {
      await feed(stdin, this.#feeding.signal);
    } catch (error) {
      if (!this.#feeding.signal.aborted) this.#log.write(`${(error as Error).message}\n`);
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
        this.#log.write(`${error.message}\n`);
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
