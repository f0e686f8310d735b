import { PacketCutter } from '../transport-stream.ts';

const HAS_ADAPTATION = 0x20;
const HAS_CLOCK = 0x10;
/** With fewer bytes an adaptation has no clock. */
const CLOCK_BYTES = 7;
const TICKS_A_SECOND = 90_000;
/** The clock has 33 bits, and starts again after 26 hours. */
const TICKS = 2 ** 33;
/** A longer step of the clock is a gap or a jump. Ten a second are usual. */
const LONGEST_STEP_SECONDS = 10;

interface Clock {
  ticks: number;
  seconds: number;
  hasJumpedBack: boolean;
}

/**
 * For how long an MPEG transport stream plays, by the steps of its clock. The file itself says the time between its first and its
 * last clock, which is too short where a second recording was appended, whose clock starts again.
 */
export class PlayedTime {
  readonly #cutter: PacketCutter;
  /** By the stream that carries it; programs side by side have one each. */
  readonly #clocks = new Map<number, Clock>();

  private constructor(cutter: PacketCutter) {
    this.#cutter = cutter;
  }

  /** @param beginning may begin within a packet; it is read @returns null where it is no transport stream */
  static of(beginning: Buffer): PlayedTime | null {
    const found = PacketCutter.find(beginning);
    if (found === null) return null;
    const played = new PlayedTime(found.cutter);
    played.read(beginning.subarray(found.first));
    return played;
  }

  /** Gaps are not counted. 0 where the clock never starts again: then the file says its length. */
  get joinedSeconds(): number {
    const joined = [...this.#clocks.values()].filter(({ hasJumpedBack }) => hasJumpedBack);
    return Math.max(0, ...joined.map(({ seconds }) => seconds));
  }

  /** The next bytes. */
  read(part: Uint8Array): void {
    this.#cutter.cut(part, (bytes, at) => {
      const hasClock =
        bytes.readUInt8(at + 3) & HAS_ADAPTATION &&
        bytes.readUInt8(at + 4) >= CLOCK_BYTES &&
        bytes.readUInt8(at + 5) & HAS_CLOCK;
      if (!hasClock) return;
      const ticks = bytes.readUInt32BE(at + 6) * 2 + (bytes.readUInt8(at + 10) >> 7);
      this.#tick(bytes.readUInt16BE(at + 1) & 0x1fff, ticks);
    });
  }

  #tick(stream: number, ticks: number): void {
    const clock = this.#clocks.get(stream);
    if (!clock) {
      this.#clocks.set(stream, { ticks, seconds: 0, hasJumpedBack: false });
      return;
    }
    const step = (ticks - clock.ticks + TICKS) % TICKS;
    if (step > TICKS / 2) clock.hasJumpedBack = true;
    else if (step < LONGEST_STEP_SECONDS * TICKS_A_SECOND) clock.seconds += step / TICKS_A_SECOND;
    clock.ticks = ticks;
  }
}
