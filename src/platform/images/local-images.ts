import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ID_OBJECT, type ImageStore, isImageKey, requireImageKey } from './image-store.ts';

const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;
const PRIVATE_FILE = { mode: 0o600, flush: true } as const;

/** Pictures in a folder that only this account can read: one folder a day, one file a picture. */
export class LocalImages implements ImageStore {
  readonly place: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.place = `the folder ${folder}`;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    requireImageKey(key);
    await this.#writeWhole(bytes, (draft) => rename(draft, join(this.#folder, key)), dirname(key));
  }

  async get(key: string): Promise<Buffer | null> {
    return isImageKey(key) ? this.#read(key) : null;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) if (isImageKey(key)) await rm(join(this.#folder, key), { force: true });
  }

  async removeBefore(day: string): Promise<void> {
    const names = await readdir(this.#folder).catch(nullIfAbsent);
    for (const name of names ?? []) {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(name) || name >= day) continue;
      await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  async readId(): Promise<string | null> {
    return (await this.#read(ID_OBJECT))?.toString() ?? null;
  }

  async writeId(id: string): Promise<string> {
    // Unlike rename, link takes nobody's place: of programs that start together the first wins.
    await this.#writeWhole(Buffer.from(id), (draft) => link(draft, join(this.#folder, ID_OBJECT)), '.').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    return (await this.readId()) ?? id;
  }

  #read(name: string): Promise<Buffer | null> {
    return readFile(join(this.#folder, name)).catch(nullIfAbsent);
  }

  /** A reader sees the whole file or none: it gets its name when it is complete. */
  async #writeWhole(
    bytes: Uint8Array,
    publish: (draft: string) => Promise<void>,
    day: string,
  ): Promise<void> {
    await mkdir(join(this.#folder, day), PRIVATE_FOLDER);
    const draft = join(this.#folder, day, `.${randomUUID()}.draft`);
    try {
      await writeFile(draft, bytes, PRIVATE_FILE);
      await publish(draft);
    } finally {
      await rm(draft, { force: true });
    }
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
