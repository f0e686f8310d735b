import { closeSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { DamageWatch } from '../health/damage-watch.ts';

const KEPT_LINES = 100;
const MAX_LINE_CHARS = 500;
const LEVEL = /\[(quiet|panic|fatal|error|warning|info|verbose|debug|trace)\] ?/;
const QUIET_LEVELS = new Set(['info', 'verbose', 'debug', 'trace']);
/** The filters are set up for frames of this size: once at the start, again whenever the stream changes. */
const INPUT_SIZE = /\[graph \d+ input from stream [^\]]*\] \[verbose\] w:(\d+) h:(\d+)/;
const READ_BYTES = 64 * 1024;
/** So often without a frame, lest ffmpeg wait for room. */
const READ_EVERY_MS = 250;

/**
 * What ffmpeg says on standard error: the last complaints, the size of the video it is fed, and which pictures are damaged.
 * It is read when a frame is complete, and then to its end: what ffmpeg said before it wrote the frame is known with it.
 */
export class FfmpegLog {
  readonly #lines: string[] = [];
  readonly #damage = new DamageWatch();
  readonly #onSize: (size: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  readonly #timer: NodeJS.Timeout;
  #fd: number | null;
  #rest = '';

  /**
   * @param fd reading end of a pipe that does not block; closed by `end`
   * @param onSize told `WxH` each time the filters are set up
   */
  constructor(fd: number, onSize: (size: string) => void) {
    this.#fd = fd;
    this.#onSize = onSize;
    this.#timer = setInterval(() => this.read(), READ_EVERY_MS);
  }

  /** Takes in all that has been said until now. */
  read(): void {
    while (this.#fd !== null) {
      let bytes: number;
      try {
        bytes = readSync(this.#fd, this.#buffer);
      } catch {
        // nothing there
        return;
      }
      if (bytes > 0) this.write(this.#decoder.write(this.#buffer.subarray(0, bytes)));
      if (bytes < READ_BYTES) return;
    }
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(-MAX_LINE_CHARS);
    for (const line of lines) this.#line(line);
  }

  /** @returns whether a picture that was decoded since the last call may be damaged */
  takeDamage(): boolean {
    return this.#damage.take();
  }

  /** Nothing more is said. May be called twice. */
  end(): void {
    clearInterval(this.#timer);
    this.read();
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** The last complaints, oldest first, one per line. */
  get text(): string {
    return [...this.#lines, this.#rest].join('\n').trim();
  }

  #line(line: string): void {
    this.#damage.line(line);
    const level = LEVEL.exec(line)?.[1] ?? '';
    if (level === 'verbose') {
      const size = INPUT_SIZE.exec(line);
      if (size) this.#onSize(`${size[1]}x${size[2]}`);
    }
    if (line === '' || QUIET_LEVELS.has(level)) return;
    this.#lines.push(line.replace(LEVEL, '').slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
  }
}
