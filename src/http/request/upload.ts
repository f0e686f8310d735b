import type { Request, Response } from 'express';
import { quoted } from '../../platform/explain/received.ts';
import { ApiError } from '../errors.ts';
import { liftBodyTime } from '../server/body-time.ts';
import { hasBody } from './json-body.ts';
import { type PaceLimits, UploadPace } from './upload-pace.ts';

/** What a route says of the file that it takes as its body. */
export interface UploadSpec {
  /** Media types; `video/*` stands for all of a kind. No type of a form, because a form of another page can send one. */
  readonly types: readonly string[];
  readonly description: string;
}

/** The body of a request as a stream. It can be read once. */
export interface Upload extends AsyncIterable<Uint8Array> {
  /** Bytes that the client has announced; null if it has not. */
  readonly length: number | null;
}

/** How long a client that was refused may take to notice it before its connection is closed. */
const LINGER_MS = 5_000;

/**
 * The body of a request that uploads a file. Nothing of it is read until somebody iterates. There is no limit of the whole
 * time, only of its pace.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR
 */
export function openUpload(request: Request, spec: UploadSpec, limits: PaceLimits): Upload {
  if (!hasBody(request))
    throw new ApiError('VALIDATION_ERROR', 'The body is empty: send the bytes of the file as the body');
  if (!request.is([...spec.types])) {
    const type = request.headers['content-type'];
    const sent = type === undefined ? 'none was sent' : `received ${quoted(type)}`;
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the bytes of the file as the body, not as a form, with Content-Type: ${spec.types.join(' or ')}; ${sent}`,
    );
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as it is, without Content-Encoding');
  const announced = request.headers['content-length'];
  return {
    length: announced === undefined ? null : Number(announced),
    [Symbol.asyncIterator]: () => chunksOf(request, new UploadPace(limits)),
  };
}

async function* chunksOf(request: Request, pace: UploadPace): AsyncGenerator<Uint8Array, void> {
  liftBodyTime(request);
  // Whoever stops reading still answers over this connection.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), pace);
      if (done) break;
      pace.received(value.byteLength);
      yield value;
    }
  } finally {
    // Not awaited: it would wait for a byte that may never come.
    chunks.return?.().catch(() => undefined);
  }
}

/** @throws ApiError UPLOAD_INCOMPLETE */
function inTime<Value>(next: Promise<Value>, pace: UploadPace): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    let sinceMs = performance.now();
    let isOver = false;
    const note = () => {
      const nowMs = performance.now();
      pace.waited(nowMs - sinceMs);
      sinceMs = nowMs;
    };
    const judge = () => {
      if (isOver) return;
      note();
      const fault = pace.judge();
      if (fault === null) wait();
      else reject(new ApiError('UPLOAD_INCOMPLETE', fault.message, [fault]));
    };
    const wait = () => {
      // After a pause of this program the bytes that came meanwhile are read before it is judged.
      timer = setTimeout(() => setImmediate(() => setImmediate(judge)), pace.limitMs);
    };
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      note();
    };
    wait();
    next.then(
      (value) => {
        end();
        resolve(value);
      },
      () => {
        end();
        reject(new ApiError('UPLOAD_INCOMPLETE', 'The upload broke off: send the file again'));
      },
    );
  });
}

/**
 * When the answer is sent: discards what still comes of the body, so that the client reads the answer although it still sends,
 * and closes the connection of a client that does not stop.
 */
export function discardRest(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.readableEnded || request.destroyed) return;
    request.on('error', () => undefined).resume();
    const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(timer));
  });
}
