import type { Response } from 'express';
import type { z } from 'zod';
import { Binary, type Route } from '../route.ts';
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
export function send(route: Route, result: unknown, { response, now, query, check }: SendOptions): void {
  response.statusCode = statusOf(route);
  if (result instanceof Binary) {
    sendBytes(route, result, response);
    return;
  }
  if (result === null && route.orNothing) response.statusCode = 204;
  if (!route.response || response.statusCode === 204) {
    response.setHeader('Cache-Control', 'no-store');
    response.end();
    return;
  }
  const body = wrap(route, result, { requestId: response.locals.requestId as string, now, query });
  check?.parse(body);
  sendJson(response, JSON.stringify(body));
}

/** Sends an envelope that is already serialised. */
export function sendJson(response: Response, json: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}

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
