import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
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
} from './object-store.ts';
import { NOT_FOUND, type Sdk } from './s3-client.ts';

/** S3 takes at most 10,000 parts of 5 MiB or more. */
const LEAST_PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;

/** Objects of a bucket, which are uploaded in parts: the memory holds one part of each upload. */
export class S3Objects implements ObjectStore {
  readonly #bucket: string;
  readonly #loaded: Promise<{ sdk: Sdk; client: S3Client }>;

  /** @param loaded the library, and a client with which a part may take its time */
  constructor(bucket: string, loaded: Promise<{ sdk: Sdk; client: S3Client }>) {
    this.#bucket = bucket;
    this.#loaded = loaded;
  }

  async putStream(key: string, source: Bytes, { maxBytes, signal }: PutOptions): Promise<number> {
    requireObjectKey(key);
    const { sdk, client } = await this.#loaded;
    const object = { Bucket: this.#bucket, Key: key };
    const ContentType = 'application/octet-stream';
    const begun = await client.send(new sdk.CreateMultipartUploadCommand({ ...object, ContentType }));
    const upload = { ...object, UploadId: begun.UploadId! };
    const counted = new CountedStream(source, maxBytes);
    const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(maxBytes / (MOST_PARTS - 1)));
    try {
      const Parts: CompletedPart[] = [];
      for await (const Body of inParts(counted, partBytes)) {
        signal?.throwIfAborted();
        const PartNumber = Parts.length + 1;
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body }), {
          ...(signal && { abortSignal: signal }),
        });
        Parts.push({ ETag, PartNumber });
      }
      signal?.throwIfAborted();
      await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      return counted.bytes;
    } catch (error) {
      // If this fails as well, `removeUnfinished` repeats it.
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    if (!isObjectKey(key)) return null;
    const { sdk, client } = await this.#loaded;
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await client
      .send(new sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key, ...(Range && { Range }) }))
      .catch(nullIfAbsent);
    return (found?.Body as Readable | undefined) ?? null;
  }

  async sizeOf(key: string): Promise<number | null> {
    if (!isObjectKey(key)) return null;
    const { sdk, client } = await this.#loaded;
    const found = await client
      .send(new sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: key }))
      .catch(nullIfAbsent);
    return found?.ContentLength ?? null;
  }

  fileOf(): null {
    return null;
  }

  async remove(keys: readonly string[]): Promise<void> {
    const mine = keys.filter(isObjectKey);
    const { sdk, client } = await this.#loaded;
    for (let at = 0; at < mine.length; at += PAGE) {
      const Objects = mine.slice(at, at + PAGE).map((Key) => ({ Key }));
      const { Errors } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors ?? [];
      if (first)
        throw new Error(
          `The S3 bucket ${this.#bucket} refuses to remove ${first.Key}: ${first.Message ?? first.Code}`,
        );
    }
  }

  async removeOf(userId: string): Promise<void> {
    for (const kind of OBJECT_KINDS) {
      const Prefix = `${kind}/${namesOf(userId)}`;
      for await (const objects of this.#listed(Prefix)) await this.remove(objects.map(({ key }) => key));
      await this.#abortUploads(Prefix, null);
    }
  }

  removeUnfinished(kind: ObjectKind, before: Date): Promise<void> {
    return this.#abortUploads(`${kind}/`, before);
  }

  async *keysBefore(kind: ObjectKind, before: Date): AsyncIterable<readonly string[]> {
    for await (const objects of this.#listed(`${kind}/`)) {
      const keys = objects.filter(({ at }) => at < before).map(({ key }) => key);
      if (keys.length > 0) yield keys;
    }
  }

  async *#listed(Prefix: string): AsyncIterable<{ key: string; at: Date }[]> {
    const { sdk, client } = await this.#loaded;
    let after: string | undefined;
    do {
      const { Contents, IsTruncated } = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: this.#bucket,
          MaxKeys: PAGE,
          Prefix,
          ...(after && { StartAfter: after }),
        }),
      );
      const all = Contents ?? [];
      yield all.flatMap(({ Key = '', LastModified }) =>
        isObjectKey(Key) && LastModified ? { key: Key, at: LastModified } : [],
      );
      after = IsTruncated ? all.at(-1)?.Key : undefined;
    } while (after !== undefined);
  }

  /** @param before null: also uploads that go on */
  async #abortUploads(Prefix: string, before: Date | null): Promise<void> {
    const { sdk, client } = await this.#loaded;
    const { Uploads } = await client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix, MaxUploads: PAGE }),
    );
    for (const { Key = '', UploadId, Initiated } of Uploads ?? []) {
      if (!UploadId || !isObjectKey(Key) || (before && !(Initiated && Initiated < before))) continue;
      await client
        .send(new sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }))
        .catch(nullIfAbsent);
    }
  }
}

/** A stream in parts of this size; only the last one is shorter. An empty stream is one empty part. */
async function* inParts(source: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let isFirst = true;
  for await (const chunk of source) {
    let rest = chunk;
    while (bytes + rest.byteLength >= partBytes) {
      const taken = rest.subarray(0, partBytes - bytes);
      yield Buffer.concat([...waiting, taken]);
      isFirst = false;
      rest = rest.subarray(taken.byteLength);
      waiting = [];
      bytes = 0;
    }
    if (rest.byteLength === 0) continue;
    waiting.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0 || isFirst) yield Buffer.concat(waiting);
}

function nullIfAbsent(error: Error): null {
  if (NOT_FOUND.has(error.name)) return null;
  throw error;
}
