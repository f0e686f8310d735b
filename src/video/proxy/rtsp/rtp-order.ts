/** Packets that wait at most for one that is missing, and for how long. */
const MOST_WAITING = 64;
const LONGEST_WAIT_MS = 200;
/** So many late ones in a row are no late ones: the camera counts anew. */
const MOST_LATE = 32;
const COUNTED = 0x1_0000;
const SEQUENCE_AT = 2;

/** Puts RTP packets, which a network may exchange or lose, into the order in which they were sent. */
export class RtpOrder {
  readonly #release: (packet: Buffer) => void;
  readonly #clock: () => number;
  readonly #waiting = new Map<number, { readonly packet: Buffer; readonly sinceMs: number }>();
  #next: number | null = null;
  #late = 0;

  /** @param clock milliseconds */
  constructor(release: (packet: Buffer) => void, clock: () => number = () => performance.now()) {
    this.#release = release;
    this.#clock = clock;
  }

  push(packet: Buffer): void {
    const sequence = packet.readUInt16BE(SEQUENCE_AT);
    const ahead = this.#next === null ? 0 : (sequence - this.#next + COUNTED) % COUNTED;
    if (ahead >= COUNTED / 2) {
      this.#late++;
      if (this.#late <= MOST_LATE) return;
      this.#waiting.clear();
      this.#next = sequence;
    }
    this.#late = 0;
    this.#next ??= sequence;
    this.#waiting.set(sequence, { packet, sinceMs: this.#clock() });
    this.#drain();
    // Whatever is missing now is lost: decoding goes on behind it.
    while (this.#isOver()) {
      this.#skip();
      this.#drain();
    }
  }

  #drain(): void {
    for (;;) {
      const found = this.#waiting.get(this.#next!);
      if (!found) return;
      this.#waiting.delete(this.#next!);
      this.#next = (this.#next! + 1) % COUNTED;
      this.#release(found.packet);
    }
  }

  #isOver(): boolean {
    const [oldest] = this.#waiting.values();
    if (!oldest) return false;
    return this.#waiting.size > MOST_WAITING || this.#clock() - oldest.sinceMs > LONGEST_WAIT_MS;
  }

  /** To the nearest that has come. */
  #skip(): void {
    const distances = [...this.#waiting.keys()].map(
      (sequence) => (sequence - this.#next! + COUNTED) % COUNTED,
    );
    this.#next = (this.#next! + Math.min(...distances)) % COUNTED;
  }
}
