import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../platform/context.ts';
import type { ClaimedRecording, ClaimedRun } from '../../runs/claim-runs.store.ts';

/** Disk space that a copy leaves for others. */
const SPARE_BYTES = 1024 ** 3;

const MISSING =
  'The file of the recording is missing in the storage: delete the recording and upload its file again.';

/**
 * The files of the recordings that a node analyses. A file of a folder is read where it is. Of a bucket it is copied to a
 * folder of the node, because ffmpeg reads some formats in several places; the copy is removed when the node has no run of
 * it any more. What a worker that was killed has left is removed before the first copy of the next one.
 */
export class RecordingFiles {
  readonly #context: Pick<Context, 'config' | 'images' | 'logger'>;
  readonly #folder: string;
  readonly #copies = new Map<string, { readonly path: string; readonly stop: AbortController }>();
  #prepared: Promise<void> | undefined;

  constructor(context: Pick<Context, 'config' | 'images' | 'logger'>, nodeId: string) {
    this.#context = context;
    this.#folder = join(context.config.dataDir, 'recordings', nodeId);
  }

  /**
   * @returns the path of the file, which stays until `release`
   * @throws Error with one sentence for the user
   */
  async open({ id, recording }: Pick<ClaimedRun, 'id' | 'recording'>): Promise<string> {
    if (!recording) throw new Error('The recording was deleted.');
    const { objects } = this.#context.images;
    const { objectKey } = recording;
    if ((await objects.sizeOf(objectKey)) === null) throw new Error(MISSING);
    return objects.fileOf(objectKey) ?? this.#copy(id, recording);
  }

  /** The node has no such run any more. */
  release(taskId: string): void {
    const copy = this.#copies.get(taskId);
    if (!copy) return;
    this.#copies.delete(taskId);
    copy.stop.abort();
    rm(copy.path, { force: true }).catch((error: unknown) => {
      this.#context.logger.warn({ err: error }, 'the copy of a recording could not be removed');
    });
  }

  async #copy(taskId: string, { objectKey, sizeBytes }: ClaimedRecording): Promise<string> {
    this.#prepared ??= this.#prepare();
    await this.#prepared;
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < sizeBytes + SPARE_BYTES) {
      throw new Error(
        'The compute node has no disk space for a copy of the recording: make room there, then start the analysis again.',
      );
    }
    const copy = { path: join(this.#folder, randomUUID()), stop: new AbortController() };
    this.#copies.set(taskId, copy);
    try {
      const source = await this.#context.images.objects.read(objectKey);
      if (!source) throw new Error(MISSING);
      const file = createWriteStream(copy.path, { flags: 'wx', mode: 0o600 });
      await pipeline(source, file, { signal: copy.stop.signal });
      return copy.path;
    } catch (error) {
      await rm(copy.path, { force: true });
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }
}
