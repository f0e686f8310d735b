import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type Logger, withoutNames } from '../../platform/logger.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names each request: its own X-Request-Id where that is a UUID, else a new one; the answer carries it. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && UUID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
};

const QUIET = new Set(['/healthz', '/readyz']);

/** One line per answer: never a header, a body or the query, in which signatures may stand. */
export function requestLog(parent: Logger): RequestHandler {
  const logger = withoutNames(parent);
  return (request, response, next) => {
    const start = performance.now();
    const path = request.path;
    if (QUIET.has(path)) return next();
    response.once('close', () => {
      const { requestId, userId } = response.locals as { requestId: string; userId?: string };
      const line = {
        requestId,
        userId,
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
      };
      if (!response.writableFinished) logger.info(line, 'the client went away');
      else if (response.statusCode >= 500) logger.error(line, 'answered');
      else logger.info(line, 'answered');
    });
    next();
  };
}
