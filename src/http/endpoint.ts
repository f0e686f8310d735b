import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { statusOf, successEnvelope, wrap } from './envelope.ts';
import { ApiError } from './errors.ts';
import { isStorable, readJsonBody } from './json-body.ts';
import { type Authenticate, type Caller, requireScope } from './permission.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Route, RouteInput } from './route.ts';
import { validate } from './validate.ts';

export interface EndpointOptions {
  readonly context: Context;
  readonly authenticate: Authenticate;
  readonly requestLimit: RateLimit;
  readonly failureLimit: RateLimit;
  /** Holds every response against its schema: for tests. */
  readonly checkResponses: boolean;
}

/** What happens to every request of a route, in this order. */
export function endpoint(route: Route, options: EndpointOptions): RequestHandler {
  const { context } = options;
  return async (request, response) => {
    const caller = await identify(request, response, options);
    await options.requestLimit.consume(caller.keyId, response);
    requireScope(caller, route.scope);
    const body = route.body && (await readJsonBody(request, response));
    const input = {
      context,
      caller,
      params: route.params && validate(route.params, request.params),
      query: route.query && validateQuery(route.query, request.query),
      body: route.body && validate(route.body, body),
    };
    const timeLimitMs = context.config.requestTimeoutSeconds * 1000;
    const result = await handleInTime(route, input, { response, timeLimitMs });
    send(route, result, { response, query: input.query, check: options.checkResponses });
  };
}

async function identify(request: Request, response: Response, options: EndpointOptions): Promise<Caller> {
  const caller = await options.authenticate(request.headers.authorization);
  if (!caller) {
    await options.failureLimit.consume(request.ip ?? 'unknown', response);
    response.setHeader('WWW-Authenticate', 'Bearer');
    throw new ApiError('UNAUTHORIZED', 'Send a valid API key as Authorization: Bearer <API_KEY>');
  }
  response.locals.userId = caller.userId;
  return caller;
}

function validateQuery(schema: z.ZodType, query: Request['query']): unknown {
  const unstorable = Object.entries(query).find(([, value]) =>
    [value].flat().some((v) => !isStorable(String(v))),
  );
  if (unstorable) throw new ApiError('VALIDATION_ERROR', `${unstorable[0]}: may not hold NUL`);
  return validate(schema, query);
}

async function handleInTime(
  route: Route,
  input: Omit<RouteInput<unknown, unknown, unknown>, 'signal'>,
  { response, timeLimitMs }: { response: Response; timeLimitMs: number },
): Promise<unknown> {
  const aborter = new AbortController();
  const gone = () => aborter.abort();
  response.once('close', gone);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      aborter.abort();
      reject(
        new ApiError('SERVICE_UNAVAILABLE', `No answer within ${timeLimitMs / 1000} seconds: try again`),
      );
    }, timeLimitMs);
  });
  try {
    return await Promise.race([route.handler({ ...input, signal: aborter.signal }), late]);
  } finally {
    clearTimeout(timer);
    response.off('close', gone);
  }
}

function send(
  route: Route,
  result: unknown,
  { response, query, check }: { response: Response; query: unknown; check: boolean },
): void {
  response.status(statusOf(route));
  response.setHeader('Cache-Control', 'no-store');
  if (!route.response) {
    response.end();
    return;
  }
  const body = wrap(route, result, { requestId: response.locals.requestId as string, query });
  if (check) successEnvelope({ ...route, response: route.response }).parse(body);
  response.json(body);
}
