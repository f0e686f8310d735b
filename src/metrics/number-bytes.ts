/**
 * A number as few bytes, from which it comes back exactly: a whole number × 4, or one with up to three decimals × 1000 × 4 + 1, as a
 * varint; any other as a 2 and the eight bytes of a double.
 */
const WHOLE = 0;
const THOUSANDTHS = 1;
const OTHER = 2;
const KINDS = 4;
const MOST = Number.MAX_SAFE_INTEGER / KINDS / 2;

export function addNumber(bytes: number[], value: number): void {
  const thousandths = Math.round(value * 1000);
  const isSmall = value >= 0 && thousandths < MOST;
  if (isSmall && Number.isInteger(value)) addVarint(bytes, value * KINDS + WHOLE);
  else if (isSmall && thousandths / 1000 === value) addVarint(bytes, thousandths * KINDS + THOUSANDTHS);
  else {
    const eight = new DataView(new ArrayBuffer(8));
    eight.setFloat64(0, value, true);
    bytes.push(OTHER, ...new Uint8Array(eight.buffer));
  }
}

function addVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
}

/** Bytes with a bit for each of these places, the lowest first. */
export const bitBytes = (places: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, at) =>
    places.filter((place) => place >> 3 === at).reduce((byte, place) => byte | (1 << (place & 7)), 0),
  );

/** The places of bits, in ascending order. */
export function placesOf(bytes: Iterable<number>): number[] {
  const places: number[] = [];
  let first = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) places.push(first + bit);
    first += 8;
  }
  return places;
}

/** Reads bytes and numbers one after the other. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** @throws RangeError where the bytes end too early */
  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('The numbers of a stored row end too early.');
    return byte;
  }

  /** @throws RangeError where the bytes end too early */
  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
      if (byte < 0x80) break;
    }
    const kind = value % KINDS;
    if (kind === WHOLE) return value / KINDS;
    if (kind === THOUSANDTHS) return Math.floor(value / KINDS) / 1000;
    const eight = new DataView(new ArrayBuffer(8));
    for (let at = 0; at < 8; at++) eight.setUint8(at, this.byte());
    return eight.getFloat64(0, true);
  }
}
