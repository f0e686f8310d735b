import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { namesOf, PAGE } from './keys.ts';
import {
  type ByteRange,
  type Bytes,
  CountedStream,
  isObjectKey,
  OBJECT_KINDS,
  type ObjectKind,
  type ObjectStore,
  type PutOptions,
  requireObjectKey,
  StorageFull,
} from './object-store.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Objects as files that only this account can read, in one folder for each kind. */
export class LocalObjects implements ObjectStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async putStream(key: string, source: Bytes, { maxBytes, signal }: PutOptions): Promise<number> {
    requireObjectKey(key);
    const path = join(this.#folder, key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The name of a draft begins with the user as well, so that erasure finds the drafts of a program that was killed.
    const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.draft`);
    const counted = new CountedStream(source, maxBytes);
    try {
      // The draft is opened before the stream: a stream that opens it itself, and is given up meanwhile, would make it after its removal.
      const file = (await open(draft, 'wx', 0o600)).createWriteStream({ flush: true });
      await pipeline(counted, file, { ...(signal && { signal }) });
      await rename(draft, path);
      return counted.bytes;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !FULL.has(code)) throw error;
      throw new StorageFull(`There is no space left in the folder ${this.#folder}`, { cause: error });
    } finally {
      await rm(draft, { force: true });
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    if (!isObjectKey(key)) return null;
    // Opened here, so that a missing file is not an error of the stream.
    const file = await open(join(this.#folder, key)).catch(nullIfAbsent);
    return file && createReadStream('', { fd: file, ...range });
  }

  async sizeOf(key: string): Promise<number | null> {
    if (!isObjectKey(key)) return null;
    return (await stat(join(this.#folder, key)).catch(nullIfAbsent))?.size ?? null;
  }

  fileOf(key: string): string | null {
    return isObjectKey(key) ? join(this.#folder, key) : null;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) if (isObjectKey(key)) await rm(join(this.#folder, key), { force: true });
  }

  async removeOf(userId: string): Promise<void> {
    const mine = namesOf(userId);
    for (const kind of OBJECT_KINDS) {
      for (const name of await this.#namesIn(kind)) {
        if (name.startsWith(mine) || name.startsWith(`.${mine}`)) await this.#removeFile(kind, name);
      }
    }
  }

  async removeUnfinished(kind: ObjectKind, before: Date): Promise<void> {
    for (const name of await this.#namesIn(kind)) {
      const isDraft = name.startsWith('.') && name.endsWith('.draft');
      if (isDraft && (await this.#isOlder(kind, name, before))) await this.#removeFile(kind, name);
    }
  }

  async *keysBefore(kind: ObjectKind, before: Date): AsyncIterable<readonly string[]> {
    let page: string[] = [];
    for (const name of (await this.#namesIn(kind)).sort()) {
      const key = `${kind}/${name}`;
      if (!isObjectKey(key) || !(await this.#isOlder(kind, name, before))) continue;
      page.push(key);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  async #namesIn(kind: ObjectKind): Promise<string[]> {
    return (await readdir(join(this.#folder, kind)).catch(nullIfAbsent)) ?? [];
  }

  async #isOlder(kind: ObjectKind, name: string, before: Date): Promise<boolean> {
    const found = await stat(join(this.#folder, kind, name)).catch(nullIfAbsent);
    return found !== null && found.mtime < before;
  }

  #removeFile(kind: ObjectKind, name: string): Promise<void> {
    return rm(join(this.#folder, kind, name), { force: true });
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
