import { write as writeFd, writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** Waiting lines are written when there are this many bytes, otherwise at the next tick of the timer. */
const ENOUGH_BYTES = 16_000;
const FLUSH_MS = 100;
/** Lines that cannot be written wait. When more bytes wait than this, new lines are dropped. */
const WAITING_BYTES = 4_000_000;
/** At the end of the program the output waits this often for a slow reader. */
const LAST_TRIES = 20;
const LAST_PAUSE_MS = 50;

/**
 * Writes the lines of a log to standard output without blocking the program; at the end of the program it writes what is left.
 * When the output cannot be written, for example on a full disk, lines wait and are tried again; beyond a bound they are dropped
 * and counted. pino's own destination would end the program then, or wait for ever at its end.
 */
export class LogOutput {
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** The chunk to write next; not the one that is being written. */
  #chunk: Buffer | null = null;
  #isWriting = false;
  #isRefused = false;
  #isClosed = false;
  #isStarted = false;
  #lost = 0;
  /** Called with the number of dropped lines, once lines can be written again. */
  onLost: (lines: number) => void = () => undefined;

  readonly #fd: number;

  readonly #bound: number;

  constructor({ fd = STANDARD_OUTPUT, waitingBytes = WAITING_BYTES } = {}) {
    this.#fd = fd;
    this.#bound = waitingBytes;
  }

  write(line: string): void {
    if (this.#isClosed) return;
    this.#start();
    if (this.#waitingBytes > this.#bound) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= ENOUGH_BYTES && !this.#isRefused) this.#flush();
  }

  /** With the first line: a log that stays empty needs no timer, and nothing at the end of the program. */
  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    setInterval(() => this.#flush(), FLUSH_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  /** Writes waiting lines before it returns, as far as the output accepts them. */
  flushSync(): void {
    for (let tries = 0; tries < LAST_TRIES; ) {
      const chunk = this.#next();
      if (!chunk) return;
      try {
        this.#keep(chunk.subarray(writeSync(this.#fd, chunk)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        this.#keep(chunk);
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS);
      }
    }
  }

  #flush(): void {
    const chunk = this.#isWriting ? null : this.#next();
    if (!chunk) return;
    this.#isWriting = true;
    writeFd(this.#fd, chunk, (error, bytes) => {
      this.#isWriting = false;
      this.#isRefused = error !== null;
      this.#keep(error ? chunk : chunk.subarray(bytes));
      if (error) {
        // The reader has closed the pipe.
        this.#isClosed = error.code === 'EPIPE';
        return;
      }
      if (this.#chunk || this.#waitingBytes >= ENOUGH_BYTES) this.#flush();
      if (this.#lost === 0) return;
      const lines = this.#lost;
      this.#lost = 0;
      this.onLost(lines);
    });
  }

  /** Takes the chunk to write next; null when nothing waits. */
  #next(): Buffer | null {
    let chunk = this.#chunk;
    this.#chunk = null;
    if (!chunk && this.#waiting.length > 0) {
      chunk = Buffer.from(this.#waiting.join(''));
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
    return this.#isClosed ? null : chunk;
  }

  /** Puts bytes that were not written in front of the next chunk. */
  #keep(rest: Buffer): void {
    if (rest.length > 0) this.#chunk = this.#chunk ? Buffer.concat([rest, this.#chunk]) : rest;
  }
}
