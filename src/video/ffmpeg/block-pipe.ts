import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { widenPipe } from './pipe-size.ts';

/** A file system in memory on Linux. */
const MEMORY = '/dev/shm';

/**
 * The two ends of a pipe, both to be closed by the caller. It is a named pipe: Node.js gives no access to an anonymous one
 * that could be read into our own buffers.
 */
export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

/** When this resolves, the names of the pipes are already removed from the file system. */
export async function makePipes(count: number): Promise<Pipe[]> {
  const folder = await temporaryFolder();
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  try {
    const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    return paths.map((path) => {
      const readFd = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      widenPipe(readFd);
      return { readFd, writeFd: open(path, constants.O_WRONLY) };
    });
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder for the names of the pipes; in memory if the disk is full or read-only. */
async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'frames-'));
  } catch (error) {
    return mkdtemp(join(MEMORY, 'frames-')).catch(() => {
      throw error;
    });
  }
}

export interface BlockReader {
  /** The buffer for the next block; called once per block. */
  nextBlock(): Uint8Array;
  /** The block is complete. @returns false to stop reading until `resume()` */
  blockDone(): boolean;
  /** The writer has closed the pipe, or reading failed. */
  ended(): void;
}

/** Reads blocks of a fixed size from a pipe into the reader's buffers, without copies and without allocated chunks. */
export class BlockPipe {
  readonly #socket: Socket;
  readonly #reader: BlockReader;
  #block: Uint8Array;
  #filled = 0;
  #paused = false;

  constructor(readFd: number, reader: BlockReader) {
    this.#reader = reader;
    this.#block = reader.nextBlock();
    // `onread` is documented but missing in the types of Node.js.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd: readFd,
      readable: true,
      writable: false,
      onread: {
        buffer: () => (this.#filled === 0 ? this.#block : this.#block.subarray(this.#filled)),
        callback: (bytes) => this.#received(bytes),
      },
    };
    this.#socket = new Socket(options);
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('close', () => reader.ended());
    this.#socket.resume();
  }

  #received(bytes: number): boolean {
    this.#filled += bytes;
    if (this.#filled < this.#block.length) return true;
    const goOn = this.#reader.blockDone();
    this.#block = this.#reader.nextBlock();
    this.#filled = 0;
    this.#paused = !goOn;
    return goOn;
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
