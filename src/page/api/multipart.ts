/**
 * Reads a multipart answer piece by piece. Every part must say its length, and the boundary must follow where the part ends;
 * a part is given out when its boundary was seen. What it keeps is bounded by the two limits.
 */

/** One part: its headers, names in lower case, and its bytes. */
export interface MultipartPart {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface MultipartLimits {
  /** Most bytes of the headers of a part. */
  readonly headerBytes: number;
  /** Most bytes of the body of a part. */
  readonly bodyBytes: number;
}

/** What was read is not a multipart answer that this page can read. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

const LIMITS: MultipartLimits = { headerBytes: 64 * 1024, bodyBytes: 8 * 1024 * 1024 };

const [CR, LF, DASH] = [13, 10, 45];
const HEADER_END = [CR, LF, CR, LF];

/** @returns the boundary that a Content-Type names; null if it is no multipart type or its boundary is not valid */
export function boundaryOf(contentType: string | null): string | null {
  if (!contentType || !/^\s*multipart\//i.test(contentType)) return null;
  const found = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  return boundary !== undefined && /^[\x21-\x7e ]*[\x21-\x7e]$/.test(boundary) ? boundary : null;
}

type Step = 'opening' | 'afterBoundary' | 'headers' | 'body' | 'closing' | 'ended';

export class MultipartReader {
  readonly #delimiter: Uint8Array;
  readonly #limits: MultipartLimits;
  #step: Step = 'opening';
  /** Bytes of the line or of the headers that are being read. */
  #kept: number[] = [];
  #headers: ReadonlyMap<string, string> = new Map();
  #body = new Uint8Array(0);
  #filled = 0;

  constructor(boundary: string, limits: Partial<MultipartLimits> = {}) {
    this.#delimiter = new TextEncoder().encode(`--${boundary}`);
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Whether the closing boundary was read. What follows it is ignored. */
  get hasEnded(): boolean {
    return this.#step === 'ended';
  }

  /**
   * @returns the parts that end in these bytes
   * @throws MultipartError
   */
  push(bytes: Uint8Array): MultipartPart[] {
    const parts: MultipartPart[] = [];
    let at = 0;
    while (at < bytes.length && this.#step !== 'ended') {
      if (this.#step === 'body') at += this.#fill(bytes.subarray(at));
      else this.#take(bytes[at++]!, parts);
    }
    return parts;
  }

  /** @returns how many of the bytes belong to the body */
  #fill(bytes: Uint8Array): number {
    const taken = bytes.subarray(0, this.#body.length - this.#filled);
    this.#body.set(taken, this.#filled);
    this.#filled += taken.length;
    if (this.#filled === this.#body.length) this.#go('closing');
    return taken.length;
  }

  #take(byte: number, parts: MultipartPart[]): void {
    const kept = this.#kept;
    kept.push(byte);
    switch (this.#step) {
      case 'opening':
        this.#matchDelimiter(0, 'The answer does not begin with its boundary.');
        if (kept.length === this.#delimiter.length) this.#go('afterBoundary');
        return;
      case 'closing':
        if (kept.length <= 2) {
          if (byte !== (kept.length === 1 ? CR : LF))
            throw new MultipartError('A part is longer than it says.');
          return;
        }
        this.#matchDelimiter(2, 'A part is not as long as it says.');
        if (kept.length < this.#delimiter.length + 2) return;
        parts.push({ headers: this.#headers, body: this.#body });
        this.#go('afterBoundary');
        return;
      case 'afterBoundary':
        this.#takeAfterBoundary();
        return;
      default:
        this.#takeHeader();
    }
  }

  /** Compares the newest byte with the boundary, which begins at this place of the line. */
  #matchDelimiter(start: number, message: string): void {
    const at = this.#kept.length - 1;
    if (this.#kept[at] !== this.#delimiter[at - start]) throw new MultipartError(message);
  }

  #takeAfterBoundary(): void {
    if (this.#kept.length < 2) return;
    const [first, second] = this.#kept;
    if (first === DASH && second === DASH) this.#go('ended');
    else if (first === CR && second === LF) this.#go('headers');
    else throw new MultipartError('Something follows a boundary on its line.');
  }

  #takeHeader(): void {
    const kept = this.#kept;
    if (kept.length > this.#limits.headerBytes)
      throw new MultipartError('The headers of a part are too long.');
    const end = kept.length - HEADER_END.length;
    const isEnd = end >= 0 && HEADER_END.every((byte, index) => kept[end + index] === byte);
    if (!isEnd) return;
    this.#headers = headersOf(kept.slice(0, end));
    this.#body = new Uint8Array(this.#lengthOf(this.#headers.get('content-length')));
    this.#filled = 0;
    this.#go(this.#body.length === 0 ? 'closing' : 'body');
  }

  #lengthOf(text: string | undefined): number {
    if (text === undefined || !/^\d{1,12}$/.test(text)) {
      throw new MultipartError('A part does not say its length.');
    }
    const length = Number(text);
    if (length > this.#limits.bodyBytes)
      throw new MultipartError(`A part has ${length} bytes, which is too much.`);
    return length;
  }

  #go(step: Step): void {
    this.#step = step;
    this.#kept = [];
  }
}

/** @param bytes lines of `Name: value`, separated by CR LF */
function headersOf(bytes: readonly number[]): ReadonlyMap<string, string> {
  const text = new TextDecoder('latin1').decode(Uint8Array.from(bytes));
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new MultipartError('A header of a part has no name.');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}
