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
    this.#waiting.set(sequence, { packet, sinceMs: this.#clock() });
    let next = this.#drain(this.#next ?? sequence);
    // Packets that are still missing are lost: decoding continues behind them.
    while (this.#isOver()) next = this.#drain(this.#nearest(next));
  }

  /** Releases the packet with this number and those that follow it. @returns the number of the first one that is missing */
  #drain(from: number): number {
    let next = from;
    for (let found = this.#waiting.get(next); found; found = this.#waiting.get(next)) {
      this.#waiting.delete(next);
      next = (next + 1) % COUNTED;
      this.#next = next;
      this.#release(found.packet);
    }
    return next;
  }

  #isOver(): boolean {
    const [oldest] = this.#waiting.values();
    if (!oldest) return false;
    return this.#waiting.size > MAX_WAITING || this.#clock() - oldest.sinceMs > MAX_WAIT_MS;
  }

  /** The nearest packet that has come. */
  #nearest(next: number): number {
    const distances = [...this.#waiting.keys()].map((sequence) => (sequence - next + COUNTED) % COUNTED);
    return (next + Math.min(...distances)) % COUNTED;
  }
}
