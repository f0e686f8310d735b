import { randomUUID } from 'node:crypto';

/** Separates the parts of every multipart answer of this process. It is random, so that no picture contains it. */
export const BOUNDARY = `part-${randomUUID()}`;

/** What a multipart answer begins with. */
export const OPENING = `--${BOUNDARY}\r\n`;
export const CLOSING = `--${BOUNDARY}--\r\n`;

/** Header values in one line of ASCII, so that they cannot end the header. */
const ONE_LINE = /^[\x20-\x7e]*$/;

/**
 * One part of a multipart answer, ready to be sent. It may be sent to any number of clients: they share its bytes. The
 * boundary comes directly after the content, because browsers show a part when they have read the boundary behind it.
 */
export class Part {
  readonly bytes: Buffer;

  /** @throws Error when a header is not one line of ASCII */
  constructor(type: string, content: Uint8Array, headers: Readonly<Record<string, string>> = {}) {
    const all = { 'Content-Type': type, 'Content-Length': String(content.byteLength), ...headers };
    const lines = Object.entries(all).map(([name, value]) => {
      if (!ONE_LINE.test(value)) throw new Error(`The header ${name} of a part is not one line of ASCII.`);
      return `${name}: ${value}\r\n`;
    });
    this.bytes = Buffer.concat([
      Buffer.from(`${lines.join('')}\r\n`),
      content,
      Buffer.from(`\r\n${OPENING}`),
    ]);
  }
}
