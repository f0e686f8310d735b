/** How many packets wait for a missing one, and how long. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 200;
/** After more late packets in a row the camera has restarted its count. */
const MAX_LATE = 32;
const COUNTED = 0x1_0000;
const SEQUENCE_AT = 2;

/** Puts RTP packets, which a network may reorder or lose, into the order in which they were sent. */
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
      if (this.#late <= MAX_LATE) return;
      this.#waiting.clear();
      this.#next = sequence;
    }
    this.#late = 0;
    this.#next ??= sequence;
    this.#waiting.set(sequence, { packet, sinceMs: this.#clock() });
    this.#drain();
    // Packets that are still missing are lost: decoding continues behind them.
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
    return this.#waiting.size > MAX_WAITING || this.#clock() - oldest.sinceMs > MAX_WAIT_MS;
  }

  /** Continues with the nearest packet that has come. */
  #skip(): void {
    const distances = [...this.#waiting.keys()].map(
      (sequence) => (sequence - this.#next! + COUNTED) % COUNTED,
    );
    this.#next = (this.#next! + Math.min(...distances)) % COUNTED;
  }
}
