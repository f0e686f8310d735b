import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { namesOf } from './keys.ts';

/** What is stored as objects; each kind has a folder of its own, beside the folders of days that images have. */
export const OBJECT_KINDS = ['recordings', 'exports'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Bytes `start` to `end` of an object, both included and counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type Bytes = AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** A longer stream is refused. */
  readonly maxBytes: number;
  /** Gives up and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Large files in the storage of images: uploaded recordings and exports. They are written and read as streams, so that the
 * memory of the program does not depend on their size. Nothing removes them but their room: retention and sweep of images
 * know only the folders of days.
 */
export interface ObjectStore {
  /**
   * Stores an object atomically: whoever reads the key sees the whole object or none, and a stream that fails leaves nothing.
   * @returns its size in bytes
   * @throws ObjectTooLarge, StorageFull, or the error of the stream
   */
  putStream(key: string, source: Bytes, options: PutOptions): Promise<number>;
  /** @returns null when there is no such object, or the key is malformed. The stream must be read or destroyed */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Bytes; null when there is no such object */
  sizeOf(key: string): Promise<number | null>;
  /** The file of an object, if objects are files that this machine can read; otherwise null. */
  fileOf(key: string): string | null;
  /** Removes objects; missing keys are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes every object whose key names this user, also unfinished ones. */
  removeOf(userId: string): Promise<void>;
  /** Removes unfinished objects of which nothing was written since. */
  removeUnfinished(kind: ObjectKind, before: Date): Promise<void>;
  /** The keys of finished objects that were last written before this time, in pages of at most 1,000. */
  keysBefore(kind: ObjectKind, before: Date): AsyncIterable<readonly string[]>;
}

const KEY = new RegExp(
  `^(?:${OBJECT_KINDS.join('|')})/[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\.[\\da-f-]{36}$`,
);

export const isObjectKey = (key: string): boolean => KEY.test(key);

/** @throws Error when the text is not the key of an object */
export function requireObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error(`"${key}" is no object key: make one with newObjectKey()`);
}

/** A new key that cannot be guessed. It names the user, because erasure removes all objects of a user. */
export const newObjectKey = (kind: ObjectKind, userId: string): string =>
  `${kind}/${namesOf(userId)}${randomUUID()}`;

/** A stream has more bytes than allowed. */
export class ObjectTooLarge extends Error {
  override readonly name = 'ObjectTooLarge';
}

/** The storage has no room for an object. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/** Passes a stream on and counts it. */
export class CountedStream implements AsyncIterable<Uint8Array> {
  bytes = 0;
  readonly #source: Bytes;
  readonly #maxBytes: number;

  constructor(source: Bytes, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  /** @throws ObjectTooLarge */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of this.#source) {
      this.bytes += chunk.byteLength;
      if (this.bytes > this.#maxBytes) throw new ObjectTooLarge(`It has more than ${this.#maxBytes} bytes`);
      yield chunk;
    }
  }
}
