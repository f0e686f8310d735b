import { headerOf, type RtspMessage } from './rtsp-message.ts';

export interface RtspParts {
  /** Interleaved packets in their order, whole or in parts, to be passed on as they are. */
  packets(bytes: Buffer): void;
  message(message: RtspMessage): void;
}

/** The other side does not speak RTSP. */
export class NotRtspError extends Error {}

/** An interleaved packet begins with `$`, its channel and two bytes of length. */
const PACKET_MARK = 0x24;
const PACKET_HEAD = 4;
/** The shortest RTP or RTCP packet. ffmpeg reads shorter ones as text, so a camera could hide a message in them. */
const MIN_PACKET = 8;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
/** Some cameras send other bytes between two packets. */
const MAX_SKIPPED_BYTES = 64 * 1024;
/** How a message begins, also when no more than that has come. */
const BEGINNING = /^(?:RTSP\/|[A-Z_]{1,20}(?: |$))/;
const NOTHING = Buffer.alloc(0);

/** Separates the messages of an RTSP connection from its packets, which it skips by their length. */
export class RtspReader {
  readonly #parts: RtspParts;
  /** The beginning of a message, or of the head of a packet. */
  #rest: Buffer = NOTHING;
  /** Bytes of the current packet that are still to come. */
  #left = 0;
  #skipped = 0;
  #hasMessage = false;

  constructor(parts: RtspParts) {
    this.#parts = parts;
  }

  /** @throws NotRtspError, or Error when a message is too long */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    // Between `from` and `at` are packets that are not yet passed on.
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
      if (isWhole && length >= MIN_PACKET) {
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

  /** @returns how many bytes were read; 0 while a part of the message is missing */
  #message(bytes: Buffer): number {
    const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
    const lineEnds = text.search(/[^\r\n]|$/);
    if (lineEnds > 0) return lineEnds;
    if (!BEGINNING.test(text)) {
      this.#skipped++;
      if (!this.#hasMessage || this.#skipped > MAX_SKIPPED_BYTES) throw new NotRtspError('This is no RTSP.');
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
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    });
    const length = Number(headerOf({ headers }, 'content-length') ?? 0);
    if (!(length >= 0 && length <= MAX_BODY_BYTES)) throw new Error('A message is too long.');
    const body = end.index + end[0].length;
    if (bytes.length < body + length) return 0;
    this.#hasMessage = true;
    this.#parts.message({ first, headers, body: Buffer.from(bytes.subarray(body, body + length)) });
    return body + length;
  }
}
