import type { RequestHandler } from 'express';
import type { Answer } from '../../platform/prometheus.ts';
import { isEndless, type Route } from '../route.ts';

/** Reports every answer after it was sent, except endless ones, whose duration depends on the client. */
export function measure(observe: (answer: Answer) => void): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      const route = response.locals.route as Route | undefined;
      if (route && isEndless(route)) return;
      observe({
        method: request.method,
        route: route?.path ?? 'none',
        status: response.statusCode,
        seconds: (performance.now() - start) / 1000,
      });
    });
    next();
  };
}
