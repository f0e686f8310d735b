import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CopyObjectCommand, CreateBucketCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { S3Images } from '../../../src/platform/images/s3-images.ts';

export interface TestS3 {
  readonly endpoint: string;
  /** The bucket as our programs use it. */
  images(bucket?: string, accessKeyId?: string): S3Images;
  /** Copies everything in the bucket `images` into a new one, as a backup does. @returns how many objects */
  copyTo(bucket: string): Promise<number>;
  /** The keys of unfinished uploads into the bucket `images`. */
  uploads(): Promise<string[]>;
  close(): Promise<void>;
}

/** A server on loopback that speaks S3 and knows one access key, with the empty bucket `images`. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'images', configs: [] }],
  });
  addUploads(server as unknown as Koa);
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    images: (bucket = 'images', accessKeyId = 'S3RVER') =>
      new S3Images({
        bucket,
        region: 'us-east-1',
        endpoint,
        credentials: { accessKeyId, secretAccessKey: 'S3RVER' },
      }),
    async copyTo(bucket) {
      const client = new S3Client({
        ...{ endpoint, region: 'us-east-1', forcePathStyle: true },
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      let count = 0;
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: 'images' }))
        for (const { Key } of Contents) {
          await client.send(new CopyObjectCommand({ Bucket: bucket, Key, CopySource: `images/${Key}` }));
          count += 1;
        }
      client.destroy();
      return count;
    },
    uploads: () =>
      uploadsIn((server as unknown as Koa).store.getResourcePath('images', undefined, 'uploads')),
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface KoaCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  status: number;
  type: string;
  body: unknown;
}
interface Koa {
  readonly middleware: ((call: KoaCall, next: () => Promise<void>) => Promise<void>)[];
  readonly store: { getResourcePath(bucket: string, key: undefined, resource: 'uploads'): string };
}

async function uploadsIn(folder: string): Promise<string[]> {
  const ids = await readdir(folder).catch(() => []);
  return Promise.all(ids.map((id) => readFile(join(folder, id, 'key'), 'utf8')));
}

/** The list of unfinished uploads and their abortion, which the server lacks. */
function addUploads({ middleware, store }: Koa): void {
  middleware.unshift(async (call, next) => {
    const { method, path, query } = call;
    const uploads = store.getResourcePath(path.split('/')[1]!, undefined, 'uploads');
    if (method === 'DELETE' && query.uploadId !== undefined) {
      await rm(join(uploads, query.uploadId), { recursive: true });
      call.status = 204;
    } else if (method === 'GET' && query.uploads !== undefined) {
      const ids = await readdir(uploads).catch(() => []);
      const listed = await Promise.all(
        ids.map(async (id) => {
          const key = await readFile(join(uploads, id, 'key'), 'utf8');
          const { birthtime } = await stat(join(uploads, id));
          return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`;
        }),
      );
      call.type = 'application/xml';
      call.body = `<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`;
    } else await next();
  });
}
