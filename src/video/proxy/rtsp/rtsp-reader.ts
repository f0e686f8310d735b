/** A request or a reply: its lines before the empty one, without line ends, and what follows that. */
export interface RtspMessage {
  readonly first: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface RtspParts {
  /** Interleaved packets, whole or in parts, in their order: to be passed on as they are. */
  packets(bytes: Buffer): void;
  message(message: RtspMessage): void;
}

/** The byte that begins an interleaved packet: `$`, channel, two bytes of length. */
const PACKET_MARK = 0x24;
const PACKET_HEAD = 4;
/**
 * The least an RTP or RTCP packet can be. ffmpeg reads what is shorter as text, so that a camera could hide there what
 * would not be passed on as a message.
 */
const LEAST_PACKET = 8;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
/** Some cameras send rubbish between two packets. */
const MAX_RUBBISH_BYTES = 64 * 1024;
/** How a message begins, also where no more than that has come. */
const BEGINNING = /^(?:RTSP\/|[A-Z_]{1,20}(?: |$))/;
const NOTHING = Buffer.alloc(0);

/** What an RTSP connection carries: packets are skipped by their length, only messages are read. */
export class RtspReader {
  readonly #parts: RtspParts;
  /** A message, or the head of a packet, of which something is missing. */
  #rest: Buffer = NOTHING;
  /** Bytes of the begun packet that are still to come. */
  #left = 0;
  #rubbish = 0;
  #hasSpoken = false;

  constructor(parts: RtspParts) {
    this.#parts = parts;
  }

  /** @throws Error when it is no RTSP */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    // What lies between `from` and `at` is packets that are not yet passed on.
    let from = 0;
    let at = 0;
    const passOn = () => {
      if (at > from) this.#parts.packets(bytes.subarray(from, at));
    };
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      const isPacket = bytes[at] === PACKET_MARK;
      const isWhole = isPacket && bytes.length - at >= PACKET_HEAD;
      const length = isWhole ? bytes.readUInt16BE(at + 2) : 0;
      if (isWhole && length >= LEAST_PACKET) {
        at += PACKET_HEAD;
        this.#left = length;
        continue;
      }
      passOn();
      const taken = isPacket ? PACKET_HEAD + length : this.#message(bytes.subarray(at));
      if (taken === 0 || (isPacket && (!isWhole || bytes.length - at < taken))) {
        this.#rest = Buffer.from(bytes.subarray(at));
        return;
      }
      at += taken;
      from = at;
    }
    passOn();
  }

  /** @returns how many bytes are dealt with; 0 while something is missing */
  #message(bytes: Buffer): number {
    const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
    const lineEnds = /^[\r\n]*/.exec(text)![0].length;
    if (lineEnds > 0) return lineEnds;
    if (!BEGINNING.test(text)) {
      this.#rubbish++;
      if (!this.#hasSpoken || this.#rubbish > MAX_RUBBISH_BYTES) throw new Error('This is no RTSP.');
      return 1;
    }
    const end = /\r?\n\r?\n/.exec(text);
    if (!end) {
      if (text.length === MAX_HEAD_BYTES) throw new Error('A message is too long.');
      return 0;
    }
    const [first = '', ...lines] = text.slice(0, end.index).split(/\r?\n/);
    const headers = lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*?)\s*$/.exec(line.replaceAll('\r', '')) ?? [];
      return name === undefined ? [] : [[name, value!] as const];
    });
    const length = Number(headerOf({ headers }, 'content-length') ?? 0);
    if (!(length >= 0 && length <= MAX_BODY_BYTES)) throw new Error('A message is too long.');
    const body = end.index + end[0].length;
    if (bytes.length < body + length) return 0;
    this.#hasSpoken = true;
    this.#parts.message({ first, headers, body: Buffer.from(bytes.subarray(body, body + length)) });
    return body + length;
  }
}

/** The first of this name. @param name in lower case */
export const headerOf = ({ headers }: Pick<RtspMessage, 'headers'>, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1];
