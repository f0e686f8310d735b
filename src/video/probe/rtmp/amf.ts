/** The AMF0 values that RTMP uses. */
export type AmfValue = number | boolean | string | null | { readonly [name: string]: AmfValue };

const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;
const OBJECT = 3;
const NULL = 5;
const UNDEFINED = 6;
const ECMA_ARRAY = 8;
const END_OF_OBJECT = 9;
/** Nested objects. */
const MAX_DEPTH = 4;

export function writeAmf(values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map(written));
}

function written(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([NULL]);
  if (typeof value === 'boolean') return Buffer.from([BOOLEAN, value ? 1 : 0]);
  if (typeof value === 'string') return Buffer.concat([Buffer.from([STRING]), named(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  const fields = Object.entries(value).map(([name, field]) => Buffer.concat([named(name), written(field)]));
  return Buffer.concat([Buffer.from([OBJECT]), ...fields, Buffer.from([0, 0, END_OF_OBJECT])]);
}

function named(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** @returns the values up to the first one that cannot be read */
export function readAmf(bytes: Buffer): AmfValue[] {
  const values: AmfValue[] = [];
  const reader = new AmfReader(bytes);
  try {
    while (!reader.isAtEnd) values.push(reader.value(0));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}

/** Throws RangeError for everything that it cannot read. */
class AmfReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(depth: number): AmfValue {
    const kind = this.#bytes.readUInt8(this.#at++);
    if (kind === NUMBER) {
      this.#at += 8;
      return this.#bytes.readDoubleBE(this.#at - 8);
    }
    if (kind === BOOLEAN) return this.#bytes.readUInt8(this.#at++) !== 0;
    if (kind === STRING) return this.#text();
    if (kind === NULL || kind === UNDEFINED) return null;
    // The length of an ECMA array is only a hint.
    if (kind === ECMA_ARRAY) this.#at += 4;
    else if (kind !== OBJECT) throw new RangeError('another kind of value');
    if (depth >= MAX_DEPTH) throw new RangeError('too deep');
    const fields: [string, AmfValue][] = [];
    for (;;) {
      const name = this.#text();
      if (name === '' && this.#bytes.readUInt8(this.#at) === END_OF_OBJECT) break;
      fields.push([name, this.value(depth + 1)]);
    }
    this.#at++;
    return Object.fromEntries(fields);
  }

  #text(): string {
    const length = this.#bytes.readUInt16BE(this.#at);
    this.#at += 2 + length;
    if (this.#at > this.#bytes.length) throw new RangeError('cut off');
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }
}
