import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { errorEnvelope, statusOf, successBody } from './envelope.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { SCOPES } from './permission.ts';
import type { Route } from './route.ts';

const EVERYWHERE: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** The OpenAPI 3.1 document of these routes, made from the very objects that serve them. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Video Analytics Service', version: '1', description: 'Queue analytics from cameras.' },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `vas_…`, as Bearer token' },
      },
    },
    paths,
  };
  return createDocument(document);
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { method, path, scope, summary, description, params, query, body } = route;
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? '')}`,
    summary,
    description: `${description ? `${description}\n\n` : ''}${scope ? `Scope \`${scope}\`: ${SCOPES[scope]}.` : 'No key is needed.'}`,
    ...(scope === null && { security: [] }),
    tags: [path.split('/')[1]!],
    requestParams: {
      ...(params instanceof z.ZodObject && { path: params }),
      ...(query instanceof z.ZodObject && { query }),
    },
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: responses(route),
  };
}

function responses(route: Route): ZodOpenApiResponsesObject {
  const codes = [...new Set([...errorsOf(route), ...EVERYWHERE])];
  const failures = [...new Set(codes.map((code) => ERRORS[code].status))].map((status) => {
    const meanings = codes
      .filter((code) => ERRORS[code].status === status)
      .map((code) => `\`${code}\`: ${ERRORS[code].meaning}`);
    const content = { 'application/json': { schema: errorEnvelope } };
    return [String(status), { description: meanings.join('\n\n'), content }];
  });
  return { [String(statusOf(route))]: success(route), ...Object.fromEntries(failures) };
}

function success(route: Route): ZodOpenApiResponseObject {
  const { response, produces, events, summary } = route;
  if (produces) return { description: summary, content: { [produces]: {} } };
  if (events) {
    const description = 'Server-sent events; each `data` is one line of JSON. Schema: one event.';
    return { description, content: { 'text/event-stream': { schema: events } } };
  }
  if (!response) return { description: 'Done; no body' };
  return {
    description: summary,
    content: { 'application/json': { schema: successBody({ ...route, response }) } },
  };
}

function errorsOf({ params, query, body, errors = [] }: Route): readonly ErrorCode[] {
  return [
    ...errors,
    ...(params || query || body ? (['VALIDATION_ERROR'] as const) : []),
    ...(params ? (['NOT_FOUND'] as const) : []),
    ...(body ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
  ];
}
