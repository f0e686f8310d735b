import express, { type Express, type RequestHandler, Router } from 'express';
import type { Context } from '../platform/context.ts';
import type { Answer } from '../platform/prometheus.ts';
import { cors } from './cors.ts';
import { docs } from './docs.ts';
import { type EndpointOptions, endpoint } from './endpoint.ts';
import { answerFailure, noSuchPath, wrongMethod } from './failure.ts';
import { health } from './health.ts';
import { measure } from './measure.ts';
import type { Authenticate } from './permission.ts';
import { RateLimit } from './rate-limit.ts';
import { requestId, requestLog } from './request-log.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './security-headers.ts';

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
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  app.use(requestId, requestLog(logger), securityHeaders, cors(config.corsOrigins));
  if (options.observe) app.use(measure(options.observe));
  app.use(health(options.ready));
  app.use('/docs', docs(config.publicUrl));

  let document: object | undefined;
  app.get(`${API_PREFIX}/openapi.json`, (_request, response) => {
    document ??= options.document();
    response.json(document);
  });

  const endpointOptions: EndpointOptions = {
    context,
    authenticate,
    requestLimit: new RateLimit('requests', config.rateLimitPerMinute),
    failureLimit: new RateLimit('authentication-failures', config.authFailuresPerMinute),
    searchLimit: new RateLimit('search', config.searchRateLimitPerMinute, context.db),
    stopping: options.stopping ?? new AbortController().signal,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    checkResponses: options.checkResponses ?? false,
  };
  app.use(routers(routes, endpointOptions));
  app.use(noSuchPath);
  app.use(answerFailure(logger));
  return app;
}

/** Sends a request to the routes that share its first segment: Express tries routes one by one. */
function routers(routes: readonly Route[], options: EndpointOptions): RequestHandler {
  const bySegment = new Map<string, Router>();
  for (const [path, here] of byPath(routes)) {
    const segment = path.split('/')[1]!;
    const router = bySegment.get(segment) ?? Router();
    bySegment.set(segment, router);
    for (const route of here) router[route.method](expressPath(path), endpoint(route, options));
    router.all(expressPath(path), wrongMethod(here.map(({ method }) => method)));
  }
  const prefix = `${API_PREFIX}/`;
  return (request, response, next) => {
    const { path } = request;
    const router = path.startsWith(prefix) && bySegment.get(path.slice(prefix.length).split('/', 1)[0]!);
    if (router) router(request, response, next);
    else next();
  };
}

const expressPath = (path: string) => `${API_PREFIX}${path.replace(/\{(\w+)\}/g, ':$1')}`;

/** The routes of each path; `/tasks/statistics` before `/tasks/{id}`: a fixed segment wins wherever both would match. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const found = new Map<string, Route[]>();
  for (const route of routes) found.set(route.path, [...(found.get(route.path) ?? []), route]);
  // A brace sorts after every letter.
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
