import type { S3Client } from '@aws-sdk/client-s3';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Address of a service that is not Amazon's, e.g. `https://minio.example.com`. */
  readonly endpoint?: string | undefined;
  /** Without them the AWS library looks for credentials (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** The AWS library is large, so it is loaded only when there is a bucket. */
export type Sdk = typeof import('@aws-sdk/client-s3');

/** Names of errors that mean that something is not there. */
export const NOT_FOUND: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound']);

/** @param requestTimeoutMs longest time of one request */
export function connectS3(
  sdk: Sdk,
  { region, endpoint, credentials }: S3Options,
  requestTimeoutMs: number,
): S3Client {
  return new sdk.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    // Only Amazon understands checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}
