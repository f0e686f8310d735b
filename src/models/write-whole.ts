import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that nobody ever reads a part of it. @throws Error with one sentence when the disk refuses it */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const partial = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.partial`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(partial, bytes);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const megabytes = Math.ceil(bytes.length / 1e6);
    throw new Error(
      `The model cache ${dirname(file)} does not take ${megabytes} MB (${reason}): free some space, make it ` +
        'writable, or set MODEL_CACHE_DIR to another folder.',
    );
  }
}
