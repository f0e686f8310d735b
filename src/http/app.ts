import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../platform/context.ts';
import type { Answer } from '../platform/prometheus.ts';
import { answerFailure, noSuchPath, wrongMethod } from './answer/failure.ts';
import { preparedJson } from './answer/prepared-answer.ts';
import { docs, docsFiles } from './openapi/docs.ts';
import type { Authenticate } from './permission.ts';
import { type EndpointOptions, endpoint } from './request/endpoint.ts';
import type { Route } from './route.ts';
import { cors } from './server/cors.ts';
import { health } from './server/health.ts';
import { limitKeyless } from './server/limit-keyless.ts';
import { measure } from './server/measure.ts';
import { PathTree } from './server/path-tree.ts';
import { RateLimit } from './server/rate-limit.ts';
import { nameRequest, requestLog } from './server/request-log.ts';
import { setSecurityHeaders } from './server/security-headers.ts';

const API_PREFIX = '/api/v1';
const HEARTBEAT_MS = 15_000;

export interface HttpOptions {
  readonly context: Context;
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** The OpenAPI document of the routes; asked once. */
  readonly document: () => object;
  /** Throws while the program should get no requests. */
  readonly ready: () => Promise<void>;
  /** Told of every answer but event streams. */
  readonly observe?: ((answer: Answer) => void) | undefined;
  /** Aborted when the program stops: event streams end. */
  readonly stopping?: AbortSignal;
  /** Between two signs of life of an event stream; 15 s where not given. */
  readonly heartbeatMs?: number;
  /** Holds every response against its schema: for tests. */
  readonly checkResponses?: boolean;
}

/** The whole HTTP side: routes in, application out. It listens to nothing by itself. */
export function createHttpApp(options: HttpOptions): Express {
  const { context, routes, authenticate } = options;
  const { config, logger } = context;
  const endpointOptions: EndpointOptions = {
    context,
    authenticate,
    requestLimit: new RateLimit('requests', config.rateLimitPerMinute),
    userLimit: new RateLimit(
      'user-requests',
      config.userRateLimitPerMinute ?? 5 * config.rateLimitPerMinute,
      {
        isShown: false,
      },
    ),
    failureLimit: new RateLimit('authentication-failures', config.authFailuresPerMinute),
    searchLimit: new RateLimit('search', config.searchRateLimitPerMinute, { sharedBy: context.db }),
    stopping: options.stopping ?? new AbortController().signal,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    checkResponses: options.checkResponses ?? false,
  };
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  const steps: Step[] = [nameRequest, requestLog(logger), setSecurityHeaders, cors(config.corsOrigins)];
  if (options.observe) steps.push(measure(options.observe));
  app.use(dispatch(routes, { steps, endpointOptions }));
  app.use(docsFiles());
  app.use(limitKeyless(new RateLimit('keyless-requests', config.keylessRateLimitPerMinute)));
  app.use(health(options.ready));
  app.use('/docs', docs(config.publicUrl));
  app.get(`${API_PREFIX}/openapi.json`, preparedJson(options.document));
  app.use(noSuchPath(routes.map(({ path }) => `${API_PREFIX}${path}`)));
  app.use(answerFailure(logger));
  return app;
}

/** What is done for every request first; it may answer already. */
type Step = (request: Request, response: Response) => void;

/**
 * Takes the steps and sends the request to its route, if it has one. All in one handler: what Express does between two
 * takes longer than most of them.
 */
function dispatch(
  routes: readonly Route[],
  { steps, endpointOptions }: { steps: readonly Step[]; endpointOptions: EndpointOptions },
): RequestHandler {
  const tree = new PathTree<(method: string) => RequestHandler>();
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path);
    const wrong = wrongMethod(here.map(({ method }) => method));
    const handlers = new Map(
      here.map((route) => [route.method.toUpperCase(), endpoint(route, endpointOptions)]),
    );
    // Node itself leaves the body out of an answer to HEAD.
    tree.add(`${API_PREFIX}${path}`, (method) => handlers.get(method === 'HEAD' ? 'GET' : method) ?? wrong);
  }
  return (request, response, next) => {
    for (const step of steps) step(request, response);
    if (response.writableEnded) return;
    const found = tree.find(request.path);
    if (!found) return next();
    request.params = found.params;
    return found.value(request.method)(request, response, next);
  };
}
