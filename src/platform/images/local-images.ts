import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type IdName, type ImageStore, isImageKey, requireImageKey } from './image-store.ts';
import { namesOf, PAGE } from './keys.ts';
import { LocalObjects } from './local-objects.ts';

const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;
const PRIVATE_FILE = { mode: 0o600, flush: true } as const;

/** Images in a folder that only this account can read: one folder per day, one file per image. */
export class LocalImages implements ImageStore {
  readonly place: string;
  readonly objects: LocalObjects;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.place = `the folder ${folder}`;
    this.objects = new LocalObjects(folder);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    requireImageKey(key);
    await this.#writeWhole(key, bytes, (draft) => rename(draft, join(this.#folder, key)));
  }

  async get(key: string): Promise<Buffer | null> {
    return isImageKey(key) ? this.#read(key) : null;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) if (isImageKey(key)) await rm(join(this.#folder, key), { force: true });
  }

  async removeBefore(day: string): Promise<void> {
    for (const name of await this.#days()) {
      if (name < day) await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  async removeOf(userId: string): Promise<void> {
    const mine = namesOf(userId);
    for (const day of await this.#days())
      await this.#removeIn(day, (name) => name.startsWith(mine) || name.startsWith(`.${mine}`));
  }

  async removeUnfinishedBefore(day: string): Promise<void> {
    for (const each of await this.#days()) {
      if (each < day) await this.#removeIn(each, (name) => name.startsWith('.') && name.endsWith('.draft'));
    }
  }

  async *keysAfter(key: string): AsyncIterable<readonly string[]> {
    for (const day of await this.#days()) {
      if (day < dirname(key)) continue;
      const keys = (await this.#namesIn(day))
        .map((name) => `${day}/${name}`)
        .filter((each) => isImageKey(each) && each > key)
        .sort();
      for (let at = 0; at < keys.length; at += PAGE) yield keys.slice(at, at + PAGE);
    }
  }

  async readId(name: IdName): Promise<string | null> {
    return (await this.#read(name))?.toString() ?? null;
  }

  async writeId(name: IdName, id: string): Promise<string> {
    // Unlike rename, link does not replace a file: when programs start together, the first one wins.
    const publish = (draft: string) => link(draft, join(this.#folder, name));
    await this.#writeWhole(name, Buffer.from(id), publish).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return (await this.readId(name)) ?? id;
  }

  /** Names of the folders of days, oldest first. */
  async #days(): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(nullIfAbsent)) ?? [];
    return names.filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).sort();
  }

  async #namesIn(day: string): Promise<string[]> {
    return (await readdir(join(this.#folder, day)).catch(nullIfAbsent)) ?? [];
  }

  async #removeIn(day: string, isIt: (name: string) => boolean): Promise<void> {
    for (const name of (await this.#namesIn(day)).filter(isIt))
      await rm(join(this.#folder, day, name), { force: true });
  }

  #read(name: string): Promise<Buffer | null> {
    return readFile(join(this.#folder, name)).catch(nullIfAbsent);
  }

  /** Writes a file under another name and gives it its name when it is complete, so that readers see the whole file or none. */
  async #writeWhole(
    key: string,
    bytes: Uint8Array,
    publish: (draft: string) => Promise<void>,
  ): Promise<void> {
    const folder = join(this.#folder, dirname(key));
    await mkdir(folder, PRIVATE_FOLDER);
    // The draft's name begins with the owner as well, so that erasure finds the drafts of a writer that was killed.
    const draft = join(folder, `.${basename(key)}.${randomUUID()}.draft`);
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
