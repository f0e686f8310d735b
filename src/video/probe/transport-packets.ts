import { PACKET_BYTES, PacketCutter } from '../transport-stream.ts';

const [BEGINS_UNIT, HAS_ADAPTATION] = [0x40, 0x20];

/** What begins in packets. `streams`: something, but no video. */
export type Carried = 'nothing' | 'streams' | 'video';

/**
 * The packets of an MPEG transport stream, to see whether they carry a video. Each frame begins with a code and the kind of its
 * stream, which random bytes do not have; the next one comes with the next frame, and no key frame is waited for.
 */
export class TransportPackets {
  readonly #cutter: PacketCutter;
  #carries: Carried = 'nothing';

  private constructor(cutter: PacketCutter) {
    this.#cutter = cutter;
  }

  /** @param beginning may begin within a packet @returns null where it is no transport stream */
  static find(beginning: Buffer): TransportPackets | null {
    const found = PacketCutter.find(beginning);
    if (found === null) return null;
    const packets = new TransportPackets(found.cutter);
    packets.read(beginning.subarray(found.first));
    return packets;
  }

  /** What begins in the packets so far. */
  get carries(): Carried {
    return this.#carries;
  }

  /** The next bytes. @returns what begins in the packets so far */
  read(part: Buffer): Carried {
    this.#cutter.cut(part, (bytes, at) => {
      const kind = kindBeginningAt(bytes, at);
      if (kind !== null && this.#carries !== 'video') this.#carries = isVideo(kind) ? 'video' : 'streams';
    });
    return this.#carries;
  }
}

/** @returns the kind of the stream of which a packetized part begins in this packet; null where none does */
function kindBeginningAt(bytes: Buffer, packetAt: number): number | null {
  const packet = bytes.subarray(packetAt, packetAt + PACKET_BYTES);
  const [, flags = 0, , control = 0, adaptationBytes = 0] = packet;
  if (!(flags & BEGINS_UNIT)) return null;
  const at = control & HAS_ADAPTATION ? 5 + adaptationBytes : 4;
  const [kind = 0] = packet.subarray(at + 3);
  return packet.toString('hex', at, at + 3) === '000001' && kind >= 0xbc ? kind : null;
}

const isVideo = (kind: number): boolean => kind >= 0xe0 && kind <= 0xef;
