import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';

/** A zip file that is written entry by entry, at the pace of its reader, so that the memory does not depend on its size. */
export class ZipWriter {
  readonly #zip = new yazl.ZipFile();
  readonly #signal: AbortSignal;

  /** @param signal nobody reads the file any more */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => (this.output as Readable).destroy(), { once: true });
  }

  get output(): Readable {
    return this.#zip.outputStream as Readable;
  }

  /** Adds an entry and waits until it is read. @param compress false for what is compressed already */
  async add(
    name: string,
    content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
    { mtime, compress = true }: { mtime: Date; compress?: boolean },
  ): Promise<void> {
    this.#signal.throwIfAborted();
    const source = Readable.from(content, { objectMode: false });
    const abort = () => source.destroy(new Error('nobody reads the zip file any more'));
    this.#signal.addEventListener('abort', abort, { once: true });
    try {
      this.#zip.addReadStream(source, name, { mtime, compress });
      await finished(source, { writable: false });
    } finally {
      this.#signal.removeEventListener('abort', abort);
    }
  }

  /** Writes the list of entries. */
  end(): void {
    this.#zip.end();
  }
}
