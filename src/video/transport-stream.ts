/** Plain, with a time before each packet, with parity after it. */
const SIZES = [188, 192, 204];
export const PACKET_BYTES = 188;
const SYNC = 0x47;

/** Cuts an MPEG transport stream into its packets. */
export class PacketCutter {
  readonly #size: number;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(size: number) {
    this.#size = size;
  }

  /** @param beginning may begin within a packet @returns null where it is no transport stream */
  static find(beginning: Buffer): { cutter: PacketCutter; first: number } | null {
    for (const size of SIZES) {
      const first = beginning
        .subarray(0, size)
        .findIndex((_, at) => [0, 1, 2].every((packet) => beginning[at + packet * size] === SYNC));
      if (first >= 0) return { cutter: new PacketCutter(size), first };
    }
    return null;
  }

  /** @param see gets where each packet lies; there is no object for each, because files have millions */
  cut(part: Uint8Array, see: (bytes: Buffer, at: number) => void): void {
    const bytes = Buffer.concat([this.#rest, part]);
    let at = 0;
    while (at + PACKET_BYTES <= bytes.length) {
      const isPacket = bytes[at] === SYNC;
      if (isPacket) see(bytes, at);
      at += isPacket ? this.#size : 1;
    }
    this.#rest = bytes.subarray(at);
  }
}
