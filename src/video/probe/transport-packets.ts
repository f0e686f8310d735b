/** Plain, with a time before each packet, with parity after it. */
const SIZES = [188, 192, 204];
const PACKET_BYTES = 188;
const SYNC = 0x47;
const [BEGINS_UNIT, HAS_ADAPTATION] = [0x40, 0x20];

/**
 * The packets of an MPEG transport stream, to see whether they carry a video. Each frame begins with a code and the kind of its
 * stream, which random bytes do not have; the next one comes with the next frame, and no key frame is waited for.
 */
export class TransportPackets {
  readonly #size: number;
  #rest: Buffer;
  #carries: 'nothing' | 'streams' | 'video' = 'nothing';

  private constructor(fromFirst: Buffer, size: number) {
    this.#size = size;
    this.#rest = Buffer.alloc(0);
    this.read(fromFirst);
  }

  /** @param beginning may begin within a packet @returns null where it is no transport stream */
  static find(beginning: Buffer): TransportPackets | null {
    for (const size of SIZES) {
      const first = beginning
        .subarray(0, size)
        .findIndex((_, at) => [0, 1, 2].every((packet) => beginning[at + packet * size] === SYNC));
      if (first >= 0) return new TransportPackets(beginning.subarray(first), size);
    }
    return null;
  }

  /** What begins in the packets so far. `streams`: something, but no video. */
  get carries(): 'nothing' | 'streams' | 'video' {
    return this.#carries;
  }

  /** The next bytes. @returns what begins in the packets so far */
  read(part: Buffer): 'nothing' | 'streams' | 'video' {
    const bytes = Buffer.concat([this.#rest, part]);
    let at = 0;
    for (; at + PACKET_BYTES <= bytes.length && this.#carries !== 'video'; at += this.#size) {
      const stream = streamBeginningIn(bytes.subarray(at, at + PACKET_BYTES));
      if (stream !== null) this.#carries = isVideo(stream) ? 'video' : 'streams';
    }
    this.#rest = bytes.subarray(at);
    return this.#carries;
  }
}

/** @returns the kind of the stream of which a packetized part begins here; null where none does */
function streamBeginningIn(packet: Buffer): number | null {
  const [sync, flags = 0, , control = 0, adaptationBytes = 0] = packet;
  if (sync !== SYNC || !(flags & BEGINS_UNIT)) return null;
  const at = control & HAS_ADAPTATION ? 5 + adaptationBytes : 4;
  const [kind = 0] = packet.subarray(at + 3);
  return packet.toString('hex', at, at + 3) === '000001' && kind >= 0xbc ? kind : null;
}

const isVideo = (kind: number): boolean => kind >= 0xe0 && kind <= 0xef;
