import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { Binary, type Route } from '../route.ts';
import { isRead } from '../session/own-page.ts';
import { statusOf, wrap } from './envelope.ts';
import { MEDIA_TYPES } from './format.ts';

export interface SendOptions {
  readonly response: Response;
  readonly now: Date;
  /** The validated query; a page takes `page` and `limit` from it. */
  readonly query: unknown;
  /** Checks the body; in tests. */
  readonly check: z.ZodType | undefined;
}

/** Sends the result of a handler: an envelope, bytes or no body. */
export async function send(
  route: Route,
  result: unknown,
  { response, now, query, check }: SendOptions,
): Promise<void> {
  response.statusCode = statusOf(route);
  if (result instanceof Binary) return sendBytes(route, result, response);
  if (result === null && route.orNothing) response.statusCode = 204;
  if (!route.response || response.statusCode === 204) {
    response.setHeader('Cache-Control', 'no-store');
    response.end();
    return;
  }
  const body = wrap(route, result, { requestId: response.locals.requestId as string, now, query });
  check?.parse(body);
  return sendJson(response, JSON.stringify(body));
}

/** A shorter answer is one packet in any case. */
const WORTH_COMPRESSING_BYTES = 1_400;
/** A longer answer is compressed by another thread, so that other requests do not wait for it. */
const AT_ONCE_BYTES = 65_536;
/** Level 6 takes twice the time for 7 % less. */
const FAST = { level: 1 };
const gzipElsewhere = promisify(gzip);

/** Sends an envelope that is already serialised. */
export async function sendJson(response: Response, json: string): Promise<void> {
  const plain = Buffer.from(json);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.vary('Accept-Encoding');
  let bytes = plain;
  if (plain.byteLength >= WORTH_COMPRESSING_BYTES && mayCompress(response.req)) {
    bytes = plain.byteLength > AT_ONCE_BYTES ? await gzipElsewhere(plain, FAST) : gzipSync(plain, FAST);
    response.setHeader('Content-Encoding', 'gzip');
  }
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}

/**
 * Answers to writes stay as they are: they hand out keys, codes and secrets, and the length of what is compressed says how
 * much of a request's own text stands in it. Faults, which repeat what was sent, do not come here.
 */
const mayCompress = (request: Request): boolean =>
  isRead(request) && request.acceptsEncodings(['gzip', 'identity']) === 'gzip';

/** The document may have styles inside, and be shown in a page of this service. It loads nothing and runs no script. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Headers that browsers heed over https only. */
export const ONLY_HTTPS = ['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'] as const;

/** Sends an HTML document. */
export function sendHtml(response: Response, page: string): void {
  // As for the web page, which shows it in a frame: over plain http browsers ignore them, and write an error for each.
  if (!response.req.secure) for (const name of ONLY_HTTPS) response.removeHeader(name);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('Content-Type', `${MEDIA_TYPES.html}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(page));
  response.end(page);
}

function sendBytes(route: Route, { bytes, maxAgeSeconds, headers }: Binary, response: Response): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : 'no-store');
  response.setHeader('Content-Type', route.produces!);
  // Any web page may show an image by its signed address.
  if (route.scope === null) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}
