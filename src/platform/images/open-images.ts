import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { ImageStore } from './image-store.ts';
import { LocalImages } from './local-images.ts';
import { S3Images } from './s3-images.ts';

/** The image storage of the configuration: the bucket S3_BUCKET, otherwise a folder of DATA_DIR. */
export function openImages(config: Config): ImageStore {
  const { s3Bucket: bucket, s3Region: region, s3Endpoint: endpoint } = config;
  if (!bucket) return new LocalImages(join(config.dataDir, 'images'));
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return new S3Images({ bucket, region, endpoint, credentials });
}
