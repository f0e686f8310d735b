import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import { explainJson } from '../../platform/explain/explain-json.ts';
import { quoted } from '../../platform/explain/received.ts';
import { ApiError } from '../errors.ts';
import { boundParts, TooManyParts } from './body-bounds.ts';

const KB = 1024;
const MAX_BODY_KB = 256;
/** Of callers who are not known yet. Signing in needs less than 2 KB, and every byte costs time. */
const MAX_STRANGER_BODY_KB = 16;

/** PostgreSQL stores neither NUL nor half a surrogate pair. They are refused here, once for all fields. */
const HALF_PAIR = /\p{Surrogate}/u;

export const isStorable = (text: string): boolean => !text.includes('\0') && !HALF_PAIR.test(text);

/** Bodies with an escape like \u0000: of the others every text can be stored, because they are UTF-8. */
const withEscapes = new WeakSet<object>();

/** Whether all texts of a body can be stored. Its depth is bounded. */
function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isAllStorable);
}

/** Bytes of other encodings cannot be counted, or would be stored as question marks. */
class NotUtf8 extends Error {}

const parserOf = (maxKb: number) =>
  express.json({
    limit: maxKb * KB,
    strict: false,
    type: () => true,
    verify: (request, _response, bytes, encoding) => {
      if (encoding !== 'utf-8' || !isUtf8(bytes)) throw new NotUtf8();
      boundParts(bytes);
      if (bytes.includes('\\u')) withEscapes.add(request);
    },
  });
const parse = parserOf(MAX_BODY_KB);
const parseOfStranger = parserOf(MAX_STRANGER_BODY_KB);

export const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads the body as JSON; a missing body counts as `{}`.
 * @param isKnown whether the caller was authenticated
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON, VALIDATION_ERROR
 */
export async function readJsonBody(request: Request, response: Response, isKnown: boolean): Promise<unknown> {
  if (!hasBody(request)) return {};
  if (!request.is('application/json')) {
    const type = request.headers['content-type'];
    const sent = type === undefined ? 'none was sent' : `received ${quoted(type)}`;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: application/json; ${sent}`);
  }
  await new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(asApiError(error)) : resolve());
    (isKnown ? parse : parseOfStranger)(request, response, done);
  });
  if (withEscapes.has(request) && !isAllStorable(request.body))
    throw new ApiError('VALIDATION_ERROR', 'Text may contain neither NUL nor half a surrogate pair');
  return request.body === undefined ? {} : request.body;
}

const explainBadJson = (error: unknown): string => {
  const { body, message } = error as { body?: unknown; message?: unknown };
  return explainJson(String(body ?? ''), String(message ?? ''));
};

/** Turns an error of body-parser into ours. */
function asApiError(error: unknown): unknown {
  if (error instanceof TooManyParts) return new ApiError('VALIDATION_ERROR', error.message);
  if (error instanceof NotUtf8)
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON in UTF-8');
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The body may have at most ${(error as { limit: number }).limit / KB} KB`,
      );
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON in UTF-8');
    case 'entity.parse.failed':
      return new ApiError('INVALID_JSON', explainBadJson(error));
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('INVALID_JSON', 'The body ended before its announced length');
    default:
      // Decompression errors have no type, only a status.
      return (error as { status?: number }).status === 400
        ? new ApiError(
            'INVALID_JSON',
            'The body cannot be decompressed: it does not match its Content-Encoding',
          )
        : error;
  }
}
