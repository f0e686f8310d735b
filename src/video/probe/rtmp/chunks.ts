/** Message types of RTMP. */
export const KIND = { chunkSize: 1, video: 9, data: 18, command: 20 } as const;

export interface RtmpMessage {
  readonly kind: number;
  /** Empty for video: only its kind counts. */
  readonly body: Buffer;
}

const FIRST_CHUNK_BYTES = 128;
const MAX_CHUNK_BYTES = 0xff_ffff;
/** Of commands and of data that describes a stream. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_CHANNELS = 64;
/** Size of a chunk's message header, by its format 0 to 3. */
const HEAD_BYTES = [11, 7, 3, 0] as const;
const EXTENDED_TIME = 0xff_ffff;
const READ: readonly number[] = [KIND.chunkSize, KIND.data, KIND.command];

/** A message in chunks of the default size. @param stream 0: the connection itself */
export function writeMessage(
  kind: number,
  body: Buffer,
  { channel, stream }: { channel: number; stream: number },
): Buffer {
  const head = Buffer.alloc(12);
  head[0] = channel;
  head.writeUIntBE(body.length, 4, 3);
  head[7] = kind;
  head.writeUInt32LE(stream, 8);
  const parts: Buffer[] = [head];
  for (let at = 0; at < body.length; at += FIRST_CHUNK_BYTES) {
    if (at > 0) parts.push(Buffer.from([0xc0 | channel]));
    parts.push(body.subarray(at, at + FIRST_CHUNK_BYTES));
  }
  return Buffer.concat(parts);
}

/** The newest message of a chunk stream. */
interface Channel {
  length: number;
  kind: number;
  hasTime: boolean;
  parts: Buffer[];
  left: number;
}

/** Joins chunks to messages. Of video it only reports that a frame begins; audio is skipped. */
export class ChunkReader {
  readonly #channels = new Map<number, Channel>();
  readonly #onMessage: (message: RtmpMessage) => void;
  #rest: Buffer = Buffer.alloc(0);
  #chunkBytes = FIRST_CHUNK_BYTES;

  constructor(onMessage: (message: RtmpMessage) => void) {
    this.#onMessage = onMessage;
  }

  /** @throws RangeError when this is no RTMP, or a message is too long */
  push(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const taken = this.#chunk(this.#rest);
      if (taken === 0) return;
      this.#rest = this.#rest.subarray(taken);
    }
  }

  /** @returns the length of the chunk; 0 while a part of it is missing */
  #chunk(bytes: Buffer): number {
    const first = bytes[0];
    if (first === undefined) return 0;
    const format = first >> 6;
    const more = (first & 0x3f) < 2 ? (first & 0x3f) + 1 : 0;
    const headAt = 1 + more;
    let bodyAt = headAt + HEAD_BYTES[format]!;
    if (bytes.length < bodyAt) return 0;
    const number = more === 0 ? first & 0x3f : bytes.readUIntLE(1, more) + 64;
    const known = this.#channels.get(number);
    if (!known && format !== 0) throw new RangeError('an unknown chunk stream');
    const channel = known ?? { length: 0, kind: 0, hasTime: false, parts: [], left: 0 };
    const hasTime = format < 3 ? bytes.readUIntBE(headAt, 3) === EXTENDED_TIME : channel.hasTime;
    if (hasTime) bodyAt += 4;
    const length = format < 2 ? bytes.readUIntBE(headAt + 3, 3) : channel.length;
    const kind = format < 2 ? bytes.readUInt8(headAt + 6) : channel.kind;
    const left = channel.left === 0 ? length : channel.left;
    const isRead = READ.includes(kind);
    if (isRead && length > MAX_BODY_BYTES) throw new RangeError('a message that is too long');
    // It is enough to know that a frame begins.
    const isFrame = kind === KIND.video && length > 1 && channel.left === 0;
    if (isFrame && bytes.length >= bodyAt) this.#onMessage({ kind, body: Buffer.alloc(0) });
    const taken = Math.min(left, this.#chunkBytes);
    if (bytes.length < bodyAt + taken) return 0;
    if (channel.left === 0) channel.parts = [];
    if (isRead) channel.parts.push(bytes.subarray(bodyAt, bodyAt + taken));
    Object.assign(channel, { length, kind, hasTime, left: left - taken });
    this.#channels.set(number, channel);
    if (this.#channels.size > MAX_CHANNELS) throw new RangeError('too many channels');
    if (channel.left === 0 && isRead) this.#whole(kind, Buffer.concat(channel.parts));
    return bodyAt + taken;
  }

  #whole(kind: number, body: Buffer): void {
    if (kind !== KIND.chunkSize) {
      this.#onMessage({ kind, body });
      return;
    }
    const size = body.readUInt32BE(0);
    if (size < 1 || size > MAX_CHUNK_BYTES) throw new RangeError('an impossible chunk size');
    this.#chunkBytes = size;
  }
}
