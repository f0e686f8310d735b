const KEPT_LINES = 100;
const MAX_LINE_CHARS = 500;
const LEVEL = /\[(quiet|panic|fatal|error|warning|info|verbose|debug|trace)\] ?/;
const QUIET_LEVELS = new Set(['info', 'verbose', 'debug', 'trace']);
/** The filters are set up for frames of this size: once at the start, again whenever the stream changes. */
const INPUT_SIZE = /\[graph \d+ input from stream [^\]]*\] \[verbose\] w:(\d+) h:(\d+)/;

/** What ffmpeg says on standard error: the last complaints, and the size of the video it is fed. */
export class FfmpegLog {
  readonly #lines: string[] = [];
  readonly #onSize: (size: string) => void;
  #rest = '';

  /** @param onSize told `WxH` each time the filters are set up */
  constructor(onSize: (size: string) => void) {
    this.#onSize = onSize;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(-MAX_LINE_CHARS);
    for (const line of lines) this.#line(line);
  }

  /** The last complaints, oldest first, one per line. */
  get text(): string {
    return [...this.#lines, this.#rest].join('\n').trim();
  }

  #line(line: string): void {
    const size = INPUT_SIZE.exec(line);
    if (size) this.#onSize(`${size[1]}x${size[2]}`);
    if (line === '' || QUIET_LEVELS.has(LEVEL.exec(line)?.[1] ?? '')) return;
    this.#lines.push(line.replace(LEVEL, '').slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
  }
}
