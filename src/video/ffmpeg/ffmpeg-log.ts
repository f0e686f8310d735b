import { closeSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { DecodedCounts } from '../frame-source.ts';
import { isHardwareFault } from '../hardware/hardware.ts';
import { DamageWatch } from '../health/damage-watch.ts';
import { PIPE_BYTES } from './pipe-size.ts';

const MAX_KEPT_LINES = 100;
const MAX_LINE_CHARS = 500;
const LEVEL = /\[(quiet|panic|fatal|error|warning|info|verbose|debug|trace)\] ?/;
const QUIET_LEVELS = new Set(['info', 'verbose', 'debug', 'trace']);
/** Written when the filters are set up for a frame size: at the start and whenever the stream changes. */
const INPUT_SIZE = /\[graph \d+ input from stream [^\]]*\] \[verbose\] w:(\d+) h:(\d+)/;
const READ_BYTES = 64 * 1024;
/** Without frames the log is read this often, because ffmpeg blocks when the pipe is full. */
const READ_EVERY_MS = 250;
/** Written by the filter `showinfo` for each frame that the filters give; milliseconds, because `settb` made it so. */
const SHOWN_FRAME = /\[Parsed_showinfo_\d+ @ [^\]]*\] \[info\] n: *\d+ pts: *(-?\d+) /;
/** A stream of 25 frames a second without any for a second. Single ones also come from damaged video. */
const MAX_HARDWARE_FAULTS = 25;
/** Lines about frames before and behind the decoder, most of the log: they say nothing that the others do not. */
const BESIDE_DECODER = /^\[info\] (?:demuxer\+ffmpeg|filter|encoder|muxer) (?:->|<-) /;
/** The lines before the end of ffmpeg that may say why it ended. */
const LAST_LINES = 10;
/** Frames that ffmpeg's filters and writer may hold back. */
const FRAMES_IN_FFMPEG = 2;

/**
 * What ffmpeg writes to standard error: its last errors, the frame size, and which frames are damaged. The log is read to
 * its end whenever a frame is complete, so what ffmpeg wrote before that frame is known by then.
 */
export class FfmpegLog {
  readonly #lines: string[] = [];
  readonly #damage = new DamageWatch();
  readonly #onSize: (size: string) => void;
  readonly #onHardwareLost: () => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  readonly #timer: NodeJS.Timeout;
  /** Times of frames that are not complete yet, oldest first. */
  readonly #timesMs: number[] = [];
  #fd: number | null;
  #rest = '';
  /** The next frames that may be damaged. */
  #damagedFrames = 0;
  readonly #counts = { received: 0, decoded: 0, keyFrames: 0 };
  /** Lines about the hardware since the last frame. */
  #hardwareFaults = 0;

  /**
   * @param fd reading end of a non-blocking pipe; `end` closes it
   * @param onSize called with `WxH` each time the filters are set up
   * @param onHardwareLost called when the hardware that decodes gives no more frames
   */
  constructor(fd: number, onSize: (size: string) => void, onHardwareLost: () => void) {
    this.#fd = fd;
    this.#onSize = onSize;
    this.#onHardwareLost = onHardwareLost;
    this.#timer = setInterval(() => this.#read(), READ_EVERY_MS);
  }

  /** Adds text as if ffmpeg had written it. */
  write(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(-MAX_LINE_CHARS);
    for (const line of lines) this.#line(line);
  }

  /**
   * Whether the frame that was just completed may be damaged. Frames that wait in the pipe are older than the log, so the
   * end of damage counts only for the frames behind them.
   * @param frameBytes size of a frame in the pipe
   */
  isFrameDamaged(frameBytes: number): boolean {
    this.#read();
    this.#hardwareFaults = 0;
    if (this.#damage.take()) this.#damagedFrames = Math.ceil(PIPE_BYTES / frameBytes) + FRAMES_IN_FFMPEG + 1;
    if (this.#damagedFrames === 0) return false;
    this.#damagedFrames--;
    return true;
  }

  /**
   * The presentation time of the frame that was just completed, by the input's own clock. Ask after `isFrameDamaged`, once
   * for each frame; null when ffmpeg writes no times.
   */
  takeFrameTime(): number | null {
    return this.#timesMs.shift() ?? null;
  }

  /** The times of the frames that were decoded, see `DamageWatch`. */
  get decoded(): Pick<DamageWatch, 'lastStepMs' | 'latestMs' | 'wentBackMs'> {
    return this.#damage;
  }

  /** ffmpeg has exited. May be called twice. */
  end(): void {
    clearInterval(this.#timer);
    this.#read();
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** The last errors, oldest first, one per line. */
  get text(): string {
    return [...this.#lines, this.#rest].join('\n').trim();
  }

  /** Frames so far. Packets of H.264 and HEVC are frames. */
  get counts(): DecodedCounts {
    return this.#counts;
  }

  /** What ffmpeg wrote last about its hardware, right before it ended; null when it wrote nothing about it. */
  get hardwareFault(): string | null {
    return this.#lines.slice(-LAST_LINES).findLast(isHardwareFault) ?? null;
  }

  #read(): void {
    while (this.#fd !== null) {
      let bytes: number;
      try {
        bytes = readSync(this.#fd, this.#buffer);
      } catch {
        // The pipe is empty.
        return;
      }
      if (bytes > 0) this.write(this.#decoder.write(this.#buffer.subarray(0, bytes)));
      if (bytes < READ_BYTES) return;
    }
  }

  /** What came before the first key frame cannot be decoded and does not count. */
  #count(line: string): void {
    const counts = this.#counts;
    if (line.includes('decoder -> ')) {
      counts.decoded++;
      if (line.includes('keyframe:1')) counts.keyFrames++;
    } else if (counts.decoded > 0 && line.includes('demuxer -> ')) counts.received++;
  }

  #line(line: string): void {
    if (BESIDE_DECODER.test(line)) return;
    this.#damage.line(line);
    this.#count(line);
    const level = LEVEL.exec(line)?.[1] ?? '';
    if (level === 'verbose') {
      const size = INPUT_SIZE.exec(line);
      if (size) this.#onSize(`${size[1]}x${size[2]}`);
    }
    if (level === 'info') {
      const shown = SHOWN_FRAME.exec(line);
      if (shown) this.#timesMs.push(Number(shown[1]));
    }
    if (line === '' || QUIET_LEVELS.has(level)) return;
    if (isHardwareFault(line) && ++this.#hardwareFaults === MAX_HARDWARE_FAULTS) this.#onHardwareLost();
    this.#lines.push(line.replace(LEVEL, '').slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > MAX_KEPT_LINES) this.#lines.shift();
  }
}
