import { write as writeFd, writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
/** Written when so much waits, else with the next tick of the timer. */
const ENOUGH_BYTES = 16_000;
const FLUSH_MS = 100;
/** Lines that cannot be written wait; beyond this they are lost. */
const WAITING_BYTES = 4_000_000;
/** At the end of the program a slow reader gets so many pauses. */
const LAST_TRIES = 20;
const LAST_PAUSE_MS = 50;

/**
 * Standard output of a log, in lines. Lines wait for each other, not the program for them; at its end what waits is written.
 * Output that takes nothing, such as a file on a full disk, neither ends the program nor stops it: lines wait, are tried
 * again, and beyond a bound are lost and counted. pino's own destination ends the program then, or waits for ever at its end.
 */
export class LogOutput {
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** What comes next; not what is being written. */
  #chunk: Buffer | null = null;
  #isWriting = false;
  #isRefused = false;
  #isClosed = false;
  #lost = 0;
  /** Told how many lines were lost once lines are written again. */
  onLost: (lines: number) => void = () => undefined;

  readonly #fd: number;

  readonly #bound: number;

  constructor({ fd = STANDARD_OUTPUT, waitingBytes = WAITING_BYTES } = {}) {
    this.#fd = fd;
    this.#bound = waitingBytes;
    setInterval(() => this.#flush(), FLUSH_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#waitingBytes > this.#bound) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= ENOUGH_BYTES && !this.#isRefused) this.#flush();
  }

  /** Writes what waits before it returns, as far as that is possible. */
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
        // Nobody reads any more, and nobody will.
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

  /** Takes what is to be written next; null where there is nothing. */
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

  /** What was not written comes first. */
  #keep(rest: Buffer): void {
    if (rest.length > 0) this.#chunk = this.#chunk ? Buffer.concat([rest, this.#chunk]) : rest;
  }
}
