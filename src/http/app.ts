import { setMaxListeners } from 'node:events';
import express, { type Express } from 'express';
import type { Context } from '../platform/context.ts';
import type { Answer } from '../platform/prometheus.ts';
import type { ReadinessChecks } from '../platform/readiness.ts';
import { answerFailure, noSuchPath } from './answer/failure.ts';
import { preparedJson } from './answer/prepared-answer.ts';
import { docs, docsFiles } from './openapi/docs.ts';
import { page } from './page.ts';
import type { Authenticate } from './permission.ts';
import type { EndpointOptions } from './request/endpoint-options.ts';
import type { ZoneOf } from './request/local-days.ts';
import type { Route } from './route.ts';
import { apiRouter } from './server/api-router.ts';
import { cors } from './server/cors.ts';
import { health } from './server/health.ts';
import { limitKeyless } from './server/limit-keyless.ts';
import { measure } from './server/measure.ts';
import { RateLimit } from './server/rate-limit.ts';
import { nameRequest, requestLog } from './server/request-log.ts';
import { securityHeaders } from './server/security-headers.ts';
import { Cookies } from './session/cookies.ts';

const API_PREFIX = '/api/v1';
const HEARTBEAT_MS = 15_000;
const STUCK_MS = 30_000;

export interface HttpOptions {
  readonly context: Context;
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Default: UTC. */
  readonly zoneOf?: ZoneOf;
  /** Builds the OpenAPI document of the routes; called once. */
  readonly document: () => object;
  /** Rejects while the program cannot serve requests. */
  readonly ready: ReadinessChecks;
  /** Called after every answer except endless ones. */
  readonly observe?: ((answer: Answer) => void) | undefined;
  /** Aborted when the program stops: endless answers end. */
  readonly stopping?: AbortSignal;
  /** Time between two heartbeats of an endless answer; default 15 s. */
  readonly heartbeatMs?: number;
  /** An endless answer whose client reads nothing for so long is closed; default 30 s. */
  readonly stuckMs?: number;
  /** Checks every response against its schema; for tests. */
  readonly checkResponses?: boolean;
}

/** Builds the Express application of the routes. It does not listen: `startServer` does. */
export function createHttpApp(options: HttpOptions): Express {
  const { context, routes, authenticate } = options;
  const { config, logger } = context;
  const stopping = options.stopping ?? new AbortController().signal;
  // Every endless answer listens.
  setMaxListeners(0, stopping);
  const userLimitPerMinute = config.userRateLimitPerMinute ?? 5 * config.rateLimitPerMinute;
  const endpointOptions: EndpointOptions = {
    context,
    authenticate,
    zoneOf: options.zoneOf ?? (async () => 'UTC'),
    cookies: new Cookies(config.publicUrl),
    requestLimit: new RateLimit('requests', config.rateLimitPerMinute),
    userLimit: new RateLimit('user-requests', userLimitPerMinute, { isShown: false }),
    failureLimit: new RateLimit('authentication-failures', config.authFailuresPerMinute),
    extraLimits: {
      search: new RateLimit('search', config.searchRateLimitPerMinute, { sharedBy: context.db }),
      probe: new RateLimit('probe', config.probeRateLimitPerMinute, { sharedBy: context.db }),
    },
    stopping,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    stuckMs: options.stuckMs ?? STUCK_MS,
    uploadPace: {
      idleMs: config.uploadIdleSeconds * 1000,
      minBytesPerSecond: config.uploadMinBytesPerSecond,
    },
    checkResponses: options.checkResponses ?? false,
  };
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', config.trustProxy);
  app.use(nameRequest, requestLog(logger), securityHeaders(config.hstsSubdomains), cors(config.corsOrigins));
  if (options.observe) app.use(measure(options.observe));
  app.use(API_PREFIX, apiRouter(routes, endpointOptions));
  app.use(docsFiles());
  app.use(page());
  app.use(limitKeyless(new RateLimit('keyless-requests', config.keylessRateLimitPerMinute)));
  app.use(health(options.ready));
  app.use('/docs', docs(config.publicUrl));
  app.get(`${API_PREFIX}/openapi.json`, preparedJson(options.document));
  app.use(noSuchPath(routes.map(({ path }) => `${API_PREFIX}${path}`)));
  app.use(answerFailure(context));
  return app;
}
