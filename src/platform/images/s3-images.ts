import type { S3Client } from '@aws-sdk/client-s3';
import { type IdName, type ImageStore, isImageKey, requireImageKey } from './image-store.ts';
import { namesOf, PAGE } from './keys.ts';
import { connectS3, type S3Options, type Sdk } from './s3-client.ts';
import { S3Objects } from './s3-objects.ts';

/** Longest request for an image, and for a part of an object, which has 8 MiB or more. */
const IMAGE_REQUEST_MS = 10_000;
const PART_REQUEST_MS = 120_000;

/** Images in a bucket of Amazon S3 or a compatible service. The bucket must exist and be private. */
export class S3Images implements ImageStore {
  readonly place: string;
  readonly objects: S3Objects;
  readonly #bucket: string;
  readonly #loaded: Promise<{ sdk: Sdk; client: S3Client }>;

  constructor(options: S3Options) {
    const { bucket, endpoint } = options;
    this.#bucket = bucket;
    this.place = `the S3 bucket ${bucket}${endpoint ? ` at ${endpoint}` : ''}`;
    const loaded = import('@aws-sdk/client-s3');
    const connected = (requestTimeoutMs: number) =>
      loaded.then((sdk) => ({ sdk, client: connectS3(sdk, options, requestTimeoutMs) }));
    this.#loaded = connected(IMAGE_REQUEST_MS);
    this.objects = new S3Objects(bucket, connected(PART_REQUEST_MS));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    requireImageKey(key);
    await this.#put(key, bytes, 'image/jpeg');
  }

  async get(key: string): Promise<Buffer | null> {
    return isImageKey(key) ? this.#read(key) : null;
  }

  async remove(keys: readonly string[]): Promise<void> {
    const mine = keys.filter(isImageKey);
    for (let at = 0; at < mine.length; at += PAGE) await this.#delete(mine.slice(at, at + PAGE));
  }

  async removeBefore(day: string): Promise<void> {
    // Keys are listed in order, and the order of the days' names is their order in time.
    for await (const keys of this.#pages({})) {
      const old = keys.filter((key) => key < day);
      if (old.length > 0) await this.#delete(old);
      if (old.length < keys.length) return;
    }
  }

  async removeOf(userId: string): Promise<void> {
    // One listing per day instead of one for every thousand images of all users.
    for (let after = ''; ; ) {
      const next = await this.#firstKeyAfter(after);
      if (!next) return;
      const day = next.slice(0, 'YYYY-MM-DD'.length);
      for await (const keys of this.#pages({ Prefix: `${day}/${namesOf(userId)}` })) await this.#delete(keys);
      // "0" follows "/": the first key of a later day.
      after = `${day}0`;
    }
  }

  /** Does nothing: an object in S3 is complete or absent. */
  async removeUnfinishedBefore(): Promise<void> {}

  keysAfter(key: string): AsyncIterable<readonly string[]> {
    return this.#pages({ StartAfter: key });
  }

  async readId(name: IdName): Promise<string | null> {
    return (await this.#read(name))?.toString() ?? null;
  }

  async writeId(name: IdName, id: string): Promise<string> {
    const present = await this.readId(name);
    if (present !== null) return present;
    await this.#put(name, Buffer.from(id), 'text/plain');
    return (await this.readId(name)) ?? id;
  }

  async #put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const { sdk, client } = await this.#loaded;
    await client.send(
      new sdk.PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes, ContentType: contentType }),
    );
  }

  async #read(key: string): Promise<Buffer | null> {
    const { sdk, client } = await this.#loaded;
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return Body ? Buffer.from(await Body.transformToByteArray()) : null;
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return null;
      throw error;
    }
  }

  /** Keys of images page by page, oldest days first. Removing images meanwhile is allowed. */
  async *#pages(which: { Prefix?: string; StartAfter?: string }): AsyncIterable<readonly string[]> {
    const { sdk, client } = await this.#loaded;
    let after = which.StartAfter;
    for (;;) {
      const { Contents, IsTruncated } = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: this.#bucket,
          MaxKeys: PAGE,
          ...which,
          ...(after && { StartAfter: after }),
        }),
      );
      const names = (Contents ?? []).flatMap(({ Key }) => Key ?? []);
      const keys = names.filter(isImageKey);
      if (keys.length > 0) yield keys;
      after = names.at(-1);
      if (!IsTruncated || after === undefined) return;
    }
  }

  async #firstKeyAfter(after: string): Promise<string | undefined> {
    for await (const [first] of this.#pages({ StartAfter: after })) return first;
    return undefined;
  }

  async #delete(keys: readonly string[]): Promise<void> {
    const { sdk, client } = await this.#loaded;
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const { Errors } = await client.send(new sdk.DeleteObjectsCommand({ Bucket: this.#bucket, Delete }));
    const [first] = Errors ?? [];
    if (first)
      throw new Error(`${this.place} refuses to remove ${first.Key}: ${first.Message ?? first.Code}`);
  }
}
