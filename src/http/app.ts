import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Context } from '../platform/context.ts';
import { cors } from './cors.ts';
import { docs } from './docs.ts';
import { type EndpointOptions, endpoint } from './endpoint.ts';
import { answerFailure, noSuchPath, wrongMethod } from './failure.ts';
import { health } from './health.ts';
import type { Authenticate } from './permission.ts';
import { RateLimit } from './rate-limit.ts';
import { requestId, requestLog } from './request-log.ts';
import type { Method, Route } from './route.ts';

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
  /** Aborted when the program stops: event streams end. */
  readonly stopping?: AbortSignal;
  /** Between two signs of life of an event stream; 15 s where not given. */
  readonly heartbeatMs?: number;
  /** Holds every response against its schema: for tests. */
  readonly checkResponses?: boolean;
}

/** What the API answers is data: a browser that shows it as a page may load nothing with it. */
const SECURITY_HEADERS = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** The whole HTTP side: routes in, application out. It listens to nothing by itself. */
export function createHttpApp(options: HttpOptions): Express {
  const { context, routes, authenticate } = options;
  const { config, logger } = context;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  app.use(requestId, requestLog(logger), SECURITY_HEADERS, cors(config.corsOrigins));
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
  for (const route of fixedPathsFirst(routes)) {
    app[route.method](expressPath(route.path), endpoint(route, endpointOptions));
  }
  for (const [path, methods] of methodsByPath(routes)) app.all(expressPath(path), wrongMethod(methods));
  app.use(noSuchPath);
  app.use(answerFailure(logger));
  return app;
}

const expressPath = (path: string) => `${API_PREFIX}${path.replace(/\{(\w+)\}/g, ':$1')}`;

/** `/tasks/statistics` before `/tasks/{id}`: a fixed segment wins wherever both would match. */
function fixedPathsFirst(routes: readonly Route[]): Route[] {
  // A brace sorts after every letter.
  return routes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function methodsByPath(routes: readonly Route[]): Map<string, Method[]> {
  const found = new Map<string, Method[]>();
  for (const { path, method } of fixedPathsFirst(routes))
    found.set(path, [...(found.get(path) ?? []), method]);
  return found;
}
