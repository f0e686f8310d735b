import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What the API answers is data: a browser that shows it as a page may load nothing with it. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** Helmet's headers are the same on every answer, so that it is asked once, not its fifteen functions each time. */
const HEADERS = Object.entries(headersOf(protect));

export const setSecurityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  next();
};

function headersOf(middleware: typeof protect): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => {});
  return response.getHeaders() as Record<string, string>;
}
