import type { Response } from 'express';
import type { z } from 'zod';
import { Binary, type Route } from '../route.ts';
import { statusOf, wrap } from './envelope.ts';

export interface SendOptions {
  readonly response: Response;
  readonly now: Date;
  /** As validated; a page is described by its `page` and `limit`. */
  readonly query: unknown;
  /** Held against the body: in tests. */
  readonly check: z.ZodType | undefined;
}

/** Answers with what a handler returned: an envelope, bytes, or nothing. */
export function send(route: Route, result: unknown, { response, now, query, check }: SendOptions): void {
  response.statusCode = statusOf(route);
  if (result instanceof Binary) {
    sendBytes(route, result, response);
    return;
  }
  if (!route.response) {
    response.setHeader('Cache-Control', 'no-store');
    response.end();
    return;
  }
  const body = wrap(route, result, { requestId: response.locals.requestId as string, now, query });
  check?.parse(body);
  sendJson(response, JSON.stringify(body));
}

/** Answers with an envelope that is written already. */
export function sendJson(response: Response, json: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}

function sendBytes(route: Route, { bytes, maxAgeSeconds }: Binary, response: Response): void {
  response.setHeader('Cache-Control', maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : 'no-store');
  response.setHeader('Content-Type', route.produces!);
  // A signed address is made to be shown by any page that was given it.
  if (route.scope === null) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}
