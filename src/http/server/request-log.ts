import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type Logger, withoutNames } from '../../platform/logger.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Gives each request an id: its X-Request-Id if that is a UUID, otherwise a new one. The answer has it as a header. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && UUID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
};

const QUIET = new Set(['/healthz', '/readyz']);

/** Logs one line per answer, without headers, bodies and the query, which may contain signatures. */
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
      if (!response.writableFinished) logger.info(line, 'the client disconnected');
      else if (response.statusCode >= 500) logger.error(line, 'answered');
      else logger.info(line, 'answered');
    });
    next();
  };
}
