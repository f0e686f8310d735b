/** Of the stream's time: so long no damage may be seen, after a picture that needs no other, before pictures are believed again. */
const QUIET_MS = 3_000;
/** The same where no such picture comes: streams that refresh a part of each picture have none. */
const LONG_QUIET_MS = 30_000;
/** Two pictures lie at most so far apart here: a stream's own clock may jump. */
const MOST_STEP_MS = 1_000;
const MOST_KEPT = 64;

/** What is said before this is about the look at the stream's beginning, of which no picture is shown. */
const BEGINS = 'Stream mapping:';
const PICTURE = /decoder -> .*?(?:best_effort_ts|\bpts)_time:(\S+) .*keyframe:(\d) frame_type:(\d)/;
/** HEVC alone: it hides no errors and names none in most of what is coded; a picture it could not read to its end is not "decoded". */
const DECODED = /\[hevc @ [^\]]*\] \[debug\] Decoded frame with POC (?:\d+\/)?(-?\d+)/;
const OUTPUT = /\[hevc @ [^\]]*\] \[debug\] Output frame with POC (?:\d+\/)?(-?\d+)/;

/** What is said of a picture that has come: it has holes, or was shown all the same. */
const HURT = /concealing \d+ DC|corrupt decoded frame/;
/** Of the first picture only this is believed: before it come the remains of pictures that began before we joined. */
const HURT_BY_ITSELF = /concealing .* in I frame|corrupt decoded frame/;
/**
 * What is said of pictures, or of what they refer to, that are damaged or missing. All else is harmless or only says that
 * there is no picture: odd headers, times that do not rise, settings out of the ordinary.
 */
const DAMAGE: readonly RegExp[] = [
  HURT,
  /corrupt input packet/,
  /RTP: missed \d+ packets/,
  /\[h264 @ .*(?:error while decoding MB|Frame num gap|reference picture missing|Missing reference picture)/,
  /\[hevc @ .*(?:Could not find ref with POC|CABAC_MAX_BIN|Error parsing NAL unit)/,
  // A few missing bits at the end are the habit of some cameras.
  /\[mjpeg @ .*(?:error dc|error y=|error count|bad vlc|huffman table decode error|overread \d{3,})/,
];

/**
 * Which pictures of a stream are damaged, from what ffmpeg says while it decodes (`-debug_ts`). It speaks of damage before
 * the picture leaves it, and once: what is predicted from a damaged picture is damaged without a word. So pictures are
 * damaged from the first word on until one that needs no other has come and nothing was said for a while. That also covers
 * the pictures that a decoder holds back, and threads of ffmpeg that run ahead of others.
 */
export class DamageWatch {
  #begun = false;
  #hasPicture = false;
  #isDamaged = false;
  /** At any time since `take`. */
  #wasDamaged = false;
  /** Something was said since the last picture. */
  #isHurt = false;
  #isRenewed = false;
  #quietMs = 0;
  #lastMs: number | null = null;
  /** Numbers of pictures that were read to their end and are not shown yet; and of those to be shown. */
  readonly #decoded = new Set<string>();
  #shown: string[] = [];

  /** @param line of ffmpeg's log */
  line(line: string): void {
    if (!this.#begun) {
      this.#begun = line.includes(BEGINS);
      return;
    }
    const picture = PICTURE.exec(line);
    if (picture) this.#picture(Number(picture[1]) * 1000, picture[2] === '1' && picture[3] === '1');
    else this.#said(line);
  }

  /** @returns whether a picture since the last call may be damaged */
  take(): boolean {
    const was = this.#isDamaged || this.#wasDamaged;
    this.#wasDamaged = false;
    return was;
  }

  #said(line: string): void {
    const decoded = DECODED.exec(line)?.[1];
    if (decoded !== undefined) {
      this.#decoded.add(decoded);
      if (this.#decoded.size > MOST_KEPT) this.#decoded.delete(this.#decoded.values().next().value!);
      return;
    }
    const shown = OUTPUT.exec(line)?.[1];
    if (shown !== undefined) this.#shown = [...this.#shown.slice(-MOST_KEPT), shown];
    else if (this.#hasPicture ? DAMAGE.some((said) => said.test(line)) : HURT_BY_ITSELF.test(line))
      this.#hurt();
  }

  #picture(timeMs: number, needsNoOther: boolean): void {
    const shown = this.#shown.shift();
    if (shown !== undefined && !this.#decoded.delete(shown)) this.#hurt();
    const stepMs = this.#lastMs === null ? 0 : Math.min(Math.max(0, timeMs - this.#lastMs), MOST_STEP_MS);
    if (!Number.isNaN(timeMs)) this.#lastMs = timeMs;
    this.#hasPicture = true;
    if (this.#isHurt) {
      this.#isHurt = false;
      return;
    }
    this.#quietMs += Number.isNaN(stepMs) ? 0 : stepMs;
    this.#isRenewed ||= needsNoOther;
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
