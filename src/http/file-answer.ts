import type { Readable } from 'node:stream';

/** The answer of a route with `produces`: a file that is sent as a stream. */
export class FileAnswer {
  readonly stream: Readable;
  readonly sizeBytes: number;
  /** Under which a browser stores it. */
  readonly name: string;

  constructor(stream: Readable, { sizeBytes, name }: { sizeBytes: number; name: string }) {
    this.stream = stream;
    this.sizeBytes = sizeBytes;
    this.name = name;
  }
}
