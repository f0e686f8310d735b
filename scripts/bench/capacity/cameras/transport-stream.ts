const PACKET = 188;
/** Where ffmpeg's MPEG-TS has its only video. */
const VIDEO_PID = 0x100;

/** Part of an MPEG-TS. */
interface SentFrame {
  readonly bytes: Uint8Array;
  /** Whether a decoder may begin here. */
  readonly isKey: boolean;
}

/** A film as MPEG-TS with one video, without end: after its last frame comes its first one. */
export class TransportStream {
  readonly #frames: readonly SentFrame[];
  /** By PID: the numbered packets of the film. */
  readonly #packets = new Map<number, number>();

  constructor(film: Uint8Array) {
    this.#frames = framesOf(film);
    for (let at = 0; at < film.length; at += PACKET) {
      if (isNumbered(film, at))
        this.#packets.set(pidAt(film, at), (this.#packets.get(pidAt(film, at)) ?? 0) + 1);
    }
  }

  get frames(): number {
    return this.#frames.length;
  }

  isKey(index: number): boolean {
    return this.#frames[index % this.frames]!.isKey;
  }

  /** A frame as it follows the one before it: the packets of each repetition are numbered on. */
  bytes(index: number): Uint8Array {
    const bytes = Uint8Array.from(this.#frames[index % this.frames]!.bytes);
    const repetition = Math.floor(index / this.frames);
    for (let at = 0; at < bytes.length; at += PACKET) {
      const before = repetition * (this.#packets.get(pidAt(bytes, at)) ?? 0);
      bytes[at + 3] = (bytes[at + 3]! & 0xf0) | ((bytes[at + 3]! + before) & 0xf);
    }
    return bytes;
  }
}

/** Tables stand before the frame that follows them. */
function framesOf(film: Uint8Array): SentFrame[] {
  const frames: SentFrame[] = [];
  let [start, end, isKey] = [0, 0, false];
  for (let at = 0; at < film.length; at += PACKET) {
    if (pidAt(film, at) !== VIDEO_PID) continue;
    if ((film[at + 1]! & 0x40) !== 0) {
      if (end > start) frames.push({ bytes: film.subarray(start, end), isKey });
      start = end;
      isKey = (film[at + 3]! & 0x20) !== 0 && film[at + 4]! > 0 && (film[at + 5]! & 0x40) !== 0;
    }
    end = at + PACKET;
  }
  return [...frames, { bytes: film.subarray(start), isKey }];
}

const pidAt = (film: Uint8Array, at: number): number => ((film[at + 1]! & 0x1f) << 8) | film[at + 2]!;

/** Packets without a payload have the number of the packet before. */
const isNumbered = (film: Uint8Array, at: number): boolean => (film[at + 3]! & 0x10) !== 0;
