import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from '../platform/logger.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names each request: its own X-Request-Id where that is a UUID, else a new one; the answer carries it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && UUID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
};

/** One line per answer: never a header, a body or the query, in which signatures may stand. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp<Parameters<RequestHandler>[0], Parameters<RequestHandler>[1]>({
    logger,
    quietReqLogger: true,
    autoLogging: { ignore: (request) => request.url === '/healthz' || request.url === '/readyz' },
    genReqId: (_request, response) => response.locals.requestId as string,
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customProps: (_request, response) => ({ userId: response.locals.userId as string | undefined }),
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}
