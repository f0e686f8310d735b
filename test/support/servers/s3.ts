import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { S3Images } from '../../../src/platform/images/s3-images.ts';

export interface TestS3 {
  readonly endpoint: string;
  /** The bucket as our programs use it. */
  images(bucket?: string, accessKeyId?: string): S3Images;
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
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
