import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../../platform/context.ts';
import { UnusableRun } from '../../record/load-run.ts';
import type { ClaimedRecording, ClaimedRun } from '../../store/claim-runs.store.ts';

/** Disk space that a copy leaves for others. */
const SPARE_BYTES = 1024 ** 3;

const MISSING =
  'The file of the recording is missing in the storage: delete the recording and upload its file again.';

/**
 * The files of the recordings that a node analyses. A file of a folder is read where it is. Of a bucket it is copied to a
 * folder of the node, because ffmpeg reads some formats in several places; the copy is removed when the node has no run of
 * it any more, and that of a worker that was killed when the next one starts.
 */
export class RecordingFiles {
  readonly #context: Pick<Context, 'config' | 'images' | 'logger'>;
  readonly #folder: string;
  readonly #copies = new Map<string, { readonly path: string; readonly stop: AbortController }>();
  #cleared: Promise<void> | undefined;

  constructor(context: Pick<Context, 'config' | 'images' | 'logger'>, nodeId: string) {
    this.#context = context;
    this.#folder = join(context.config.dataDir, 'recordings', nodeId);
  }

  /** Removes the copies of a worker that was killed. Only the first call does something. */
  removeLeft(): Promise<void> {
    this.#cleared ??= rm(this.#folder, { recursive: true, force: true });
    return this.#cleared;
  }

  /**
   * @param key of the run on this node
   * @returns the path of the file, which stays until `release`
   * @throws UnusableRun
   */
  async open(key: string, { recording }: Pick<ClaimedRun, 'recording'>): Promise<string> {
    if (!recording) throw new UnusableRun('The recording was deleted.');
    const { objects } = this.#context.images;
    const { objectKey } = recording;
    try {
      if ((await objects.sizeOf(objectKey)) === null) throw new UnusableRun(MISSING);
      return objects.fileOf(objectKey) ?? (await this.#copy(key, recording));
    } catch (error) {
      if (error instanceof UnusableRun) throw error;
      this.#context.logger.error({ err: error, objectKey }, 'the file of a recording could not be opened');
      throw new UnusableRun(
        'The file of the recording could not be read from the storage: start its analysis again.',
      );
    }
  }

  /** The node has no such run any more. */
  release(key: string): void {
    const copy = this.#copies.get(key);
    if (!copy) return;
    this.#copies.delete(key);
    copy.stop.abort();
    rm(copy.path, { force: true }).catch((error: unknown) => {
      this.#context.logger.warn({ err: error }, 'the copy of a recording could not be removed');
    });
  }

  async #copy(key: string, { objectKey, sizeBytes }: ClaimedRecording): Promise<string> {
    await this.removeLeft();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < sizeBytes + SPARE_BYTES) {
      throw new UnusableRun(
        'The compute node has no disk space for a copy of the recording: make room there, then start the analysis again.',
      );
    }
    const copy = { path: join(this.#folder, randomUUID()), stop: new AbortController() };
    this.#copies.set(key, copy);
    try {
      const source = await this.#context.images.objects.read(objectKey);
      if (!source) throw new UnusableRun(MISSING);
      const file = createWriteStream(copy.path, { flags: 'wx', mode: 0o600 });
      await pipeline(source, file, { signal: copy.stop.signal });
      return copy.path;
    } catch (error) {
      await rm(copy.path, { force: true });
      throw error;
    }
  }
}
