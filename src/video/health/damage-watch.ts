/** Damage ends when a key frame has come and no damage was logged for so long, in the time of the stream. */
const QUIET_MS = 3_000;
/** The same without a key frame: streams that refresh a part of each frame have none. */
const LONG_QUIET_MS = 30_000;
/** The longest time between two frames that counts, because the clock of a stream may jump. */
const MAX_STEP_MS = 1_000;
const MAX_KEPT = 64;

/** Lines before this one are about ffmpeg's analysis of the stream, whose frames are not output. */
const BEGINS = 'Stream mapping:';
const FRAME = /decoder -> .*?(?:best_effort_ts|\bpts)_time:(\S+) .*keyframe:(\d) frame_type:(\d)/;
/** HEVC only: its decoder logs few errors, but it logs "Decoded" only for frames that it read to their end. */
const DECODED = /\[hevc @ [^\]]*\] \[debug\] Decoded frame with POC (?:\d+\/)?(-?\d+)/;
const OUTPUT = /\[hevc @ [^\]]*\] \[debug\] Output frame with POC (?:\d+\/)?(-?\d+)/;

/** Log lines about a frame that was output although it is damaged. */
const HURT = /concealing \d+ DC|corrupt decoded frame/;
/** Before the first frame only these lines count: the others are about frames that began before ffmpeg connected. */
const HURT_BY_ITSELF = /concealing .* in I frame|corrupt decoded frame/;
/**
 * Log lines about frames, or their reference frames, that are damaged or missing. All other lines are harmless: unusual
 * headers and settings, timestamps that do not rise, packets without a frame.
 */
const DAMAGE: readonly RegExp[] = [
  HURT,
  /corrupt input packet/,
  /RTP: missed \d+ packets/,
  /\[h264 @ .*(?:error while decoding MB|Frame num gap|reference picture missing|Missing reference picture)/,
  /\[hevc @ .*(?:Could not find ref with POC|CABAC_MAX_BIN|Error parsing NAL unit)/,
  // Some cameras always leave out a few bits at the end.
  /\[mjpeg @ .*(?:error dc|error y=|error count|bad vlc|huffman table decode error|overread \d{3,})/,
];

/**
 * Finds damaged frames by ffmpeg's log with `-debug_ts`. ffmpeg logs damage before it outputs the frame, and only once:
 * frames that are predicted from a damaged one are damaged too. So frames count as damaged from the first such line until a
 * key frame has come and no damage was logged for a while. This also covers frames that the decoder holds back, and threads
 * of ffmpeg that run ahead of others.
 */
export class DamageWatch {
  #begun = false;
  #hasFrame = false;
  #isDamaged = false;
  /** At any time since the last `take`. */
  #wasDamaged = false;
  /** Damage was logged since the last frame. */
  #isHurt = false;
  /** A key frame has come since the damage. */
  #isRenewed = false;
  #quietMs = 0;
  #lastMs: number | null = null;
  #latestMs: number | null = null;
  #lastStepMs = 0;
  #wentBackMs = 0;
  /** HEVC: numbers of frames that were decoded to their end and are not output yet, and of those to be output. */
  readonly #decoded = new Set<string>();
  #shown: string[] = [];

  /** Reads a line of ffmpeg's log. */
  line(line: string): void {
    if (!this.#begun) {
      this.#begun = line.includes(BEGINS);
      return;
    }
    const frame = FRAME.exec(line);
    if (frame) this.#frame(Number(frame[1]) * 1000, frame[2] === '1' && frame[3] === '1');
    else this.#message(line);
  }

  /** The latest time of a frame; null before the first. */
  get latestMs(): number | null {
    return this.#latestMs;
  }

  /** Time between the last two frames, in ms. */
  get lastStepMs(): number {
    return this.#lastStepMs;
  }

  /** The largest time by which a frame was older than a frame before it, in ms. Decoders give frames in the order of time. */
  get wentBackMs(): number {
    return this.#wentBackMs;
  }

  /** @returns whether a frame since the last call may be damaged */
  take(): boolean {
    const was = this.#isDamaged || this.#wasDamaged;
    this.#wasDamaged = false;
    return was;
  }

  #message(line: string): void {
    const decoded = DECODED.exec(line)?.[1];
    if (decoded !== undefined) {
      this.#decoded.add(decoded);
      const [oldest] = this.#decoded;
      if (oldest !== undefined && this.#decoded.size > MAX_KEPT) this.#decoded.delete(oldest);
      return;
    }
    const shown = OUTPUT.exec(line)?.[1];
    if (shown !== undefined) this.#shown = [...this.#shown.slice(-MAX_KEPT), shown];
    else if (this.#hasFrame ? DAMAGE.some((pattern) => pattern.test(line)) : HURT_BY_ITSELF.test(line))
      this.#hurt();
  }

  #frame(timeMs: number, isKeyFrame: boolean): void {
    const shown = this.#shown.shift();
    if (shown !== undefined && !this.#decoded.delete(shown)) this.#hurt();
    const stepMs = this.#lastMs === null ? 0 : Math.min(Math.max(0, timeMs - this.#lastMs), MAX_STEP_MS);
    if (!Number.isNaN(timeMs)) {
      this.#lastStepMs = this.#lastMs === null ? 0 : Math.max(0, timeMs - this.#lastMs);
      this.#lastMs = timeMs;
      this.#latestMs = Math.max(this.#latestMs ?? timeMs, timeMs);
      this.#wentBackMs = Math.max(this.#wentBackMs, this.#latestMs - timeMs);
    }
    this.#hasFrame = true;
    if (this.#isHurt) {
      this.#isHurt = false;
      return;
    }
    this.#quietMs += Number.isNaN(stepMs) ? 0 : stepMs;
    this.#isRenewed ||= isKeyFrame;
    if (this.#quietMs >= (this.#isRenewed ? QUIET_MS : LONG_QUIET_MS)) this.#isDamaged = false;
  }

  #hurt(): void {
    this.#isHurt = true;
    this.#isDamaged = true;
    this.#wasDamaged = true;
    this.#isRenewed = false;
    this.#quietMs = 0;
  }
}
