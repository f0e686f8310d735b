import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

interface Prepared {
  readonly etag: string;
  readonly bytes: Readonly<Record<'identity' | 'gzip' | 'br', Buffer>>;
}

/**
 * Answers with a JSON document that does not change while the program runs. The first request builds, serialises and
 * compresses it; later requests reuse the result. A client that sends its ETag gets 304 without a body.
 */
export function preparedJson(build: () => object): RequestHandler {
  let prepared: Prepared | undefined;
  return (request, response) => {
    prepared ??= prepare(build());
    response.setHeader('ETag', prepared.etag);
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Encoding');
    // Express compares If-None-Match with the ETag header of the answer.
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding = request.acceptsEncodings(['br', 'gzip', 'identity']) || 'identity';
    const bytes = prepared.bytes[encoding as keyof Prepared['bytes']];
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(bytes);
  };
}

function prepare(document: object): Prepared {
  const identity = Buffer.from(JSON.stringify(document));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  return {
    // Weak, because the same document has different bytes in another encoding.
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bytes: { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity, quality) },
  };
}
