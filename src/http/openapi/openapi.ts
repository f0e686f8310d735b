import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { csvColumns } from '../answer/csv.ts';
import { bodySchema, errorEnvelope, statusOf } from '../answer/envelope.ts';
import { MEDIA_TYPES } from '../answer/format.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { IDEMPOTENCY_HEADER } from '../idempotency/idempotency-key.ts';
import { SCOPES, scopesOf } from '../permission.ts';
import { parametersOf, queryParameters } from '../request/query.ts';
import type { UploadSpec } from '../request/upload.ts';
import type { Route } from '../route.ts';
import { type Examples, giveExamples } from './examples.ts';
import { explainFields, type Glossary } from './explain-fields.ts';
import { HEADERS, headersOf, introduction } from './prose.ts';

/** A chapter of the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
  /** Matches the paths of the routes; a route belongs to the first tag that matches. */
  readonly paths: RegExp;
}

export interface Api {
  readonly routes: readonly Route[];
  readonly tags: readonly Tag[];
  /** Descriptions of fields whose schema has none. */
  readonly glossary: Glossary;
  /** By default examples of errors alone. */
  readonly examples?: Examples;
  readonly version: string;
  /** Address for clients, also below a path; if empty, the folder of the document, so that a proxy may serve it below any path. */
  readonly publicUrl: string;
  /** The requests that are sent to webhooks. */
  readonly webhooks?: ZodOpenApiObject['webhooks'];
}

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** The OpenAPI 3.1 document, generated from the same route objects that serve requests. */
export function openApiDocument({
  routes,
  tags,
  glossary,
  examples = { calls: {}, parameters: {}, errors: {} },
  version,
  publicUrl,
  webhooks,
}: Api): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const { path } = route;
    paths[path] = { ...paths[path], [route.method]: operation(route, tags) };
  }
  const used = new Set(routes.map((route) => tagOf(route, tags)));
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Video Analytics Service',
      version,
      description: introduction(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ? `${publicUrl.replace(/\/+$/, '')}/api/v1` : '.' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    components: {
      schemas: { Error: errorEnvelope },
      headers: HEADERS,
      responses: Object.fromEntries(CODES.map((code) => [code, failureOf([code])])),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `vas_…`, as Bearer token' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-vas',
          description: 'The cookie that `POST /session` sets; over plain http its name is `vas`',
        },
      },
    },
    paths,
    ...(webhooks && { webhooks }),
  });
  // A copy, because the library reuses one object for every use of a schema.
  const own = structuredClone(document);
  explainFields(own as never, glossary);
  giveExamples(own, examples);
  return own;
}

/** The header that browsers send automatically when they reconnect. */
const RESUME = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description:
      'The `id` of the last event that the client received; the stream continues with the events after it',
  }),
});

function tagOf(route: Route, tags: readonly Tag[]): string {
  const tag = tags.find(({ paths }) => paths.test(route.path));
  return tag?.name ?? route.path.slice(1).replace(/\/.*/, '');
}

function operation(route: Route, tags: readonly Tag[]): ZodOpenApiOperationObject {
  const { name, scope, summary, description, params, body, upload } = route;
  const query = queryParameters(route);
  const scopes = scopesOf(scope).map((name) => `\`${name}\`: ${SCOPES[name]}`);
  const access =
    scopes.length > 0
      ? `Scope ${scopes.join('; or ')}.`
      : scope === null
        ? 'Needs no API key.'
        : 'Any API key or session.';
  const limit = route.limit && 'These calls have an additional rate limit, shared by all API processes.';
  const required = !body?.safeParse({}).success;
  return {
    operationId: name,
    summary,
    description: [description, access, limit].filter(Boolean).join('\n\n'),
    tags: [tagOf(route, tags)],
    ...(scope === null && { security: [] }),
    requestParams: {
      ...(params && { path: z.object(parametersOf(params)) }),
      ...(query && { query: z.object(query) }),
      ...(route.events && { header: RESUME }),
      ...(route.idempotency && { header: IDEMPOTENCY_HEADER }),
    },
    ...(body && { requestBody: { required, content: { 'application/json': { schema: body } } } }),
    ...(upload && { requestBody: fileOf(upload) }),
    responses: responses(route),
  };
}

/** A body that is a file. OpenAPI 3.1 describes bytes by a media type without a schema. */
const fileOf = ({ types, description }: UploadSpec) => ({
  required: true,
  description,
  content: Object.fromEntries(types.map((type) => [type, {}])),
});

function responses(route: Route): ZodOpenApiResponsesObject {
  const codes = [...new Set(errorsOf(route))];
  const failures = [...new Set(codes.map((code) => ERRORS[code].status))]
    .sort((a, b) => a - b)
    .map((status) => [String(status), failure(status, codes)]);
  const nothing = route.orNothing && {
    204: { description: 'There is none, and `orNothing` is true', headers: headersOf(204, []) },
  };
  return { [String(statusOf(route))]: success(route), ...nothing, ...Object.fromEntries(failures) };
}

function success(route: Route): ZodOpenApiResponseObject {
  const { produces, events, summary } = route;
  const status = statusOf(route);
  const replayed = route.idempotency ? (['Idempotency-Replayed'] as const) : [];
  const headers = headersOf(status, [...replayed, ...(route.headers ?? [])]);
  if (produces) return { description: summary, headers, content: { [produces]: {} } };
  if (events) {
    const description = `${summary}. Each event has the lines \`id\`, \`event\` (its type) and \`data\` (one line of JSON). Comments are heartbeats.`;
    return { description, headers, content: { 'text/event-stream': { schema: events } } };
  }
  const schema = bodySchema(route);
  if (!schema) return { description: 'Success without a body', headers };
  const json = { 'application/json': { schema } };
  const content = {
    ...json,
    ...(route.csv && { [MEDIA_TYPES.csv]: csvOf(route) }),
    ...(route.html && { [MEDIA_TYPES.html]: HTML }),
  };
  return { description: summary, headers, content };
}

const HTML = {
  schema: z.string().meta({
    description: 'One document that loads nothing and runs no script.',
    example: '<!doctype html>\n<html lang="en-GB">…</html>\n',
  }),
};

/** The schema of a list as CSV. */
const csvOf = (route: Route) => ({
  schema: z.string().meta({
    description: `RFC 4180 in UTF-8: a header line (${csvColumns(route).join(', ')}), then all entries of all pages. Every text is quoted, null is an empty field. Where a spreadsheet could read a part of a text as a formula, an apostrophe stands before it.`,
  }),
});

/** A failure with one possible code refers to a component that all operations share. */
function failure(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject | { $ref: string } {
  const possible = codes.filter((code) => ERRORS[code].status === status);
  return possible.length === 1
    ? { $ref: `#/components/responses/${possible[0]}` }
    : failureOf(possible as [ErrorCode, ...ErrorCode[]]);
}

/** @param codes error codes of the same status */
function failureOf(codes: readonly [ErrorCode, ...ErrorCode[]]): ZodOpenApiResponseObject {
  const code = { enum: [...codes], description: 'Error code of this answer' };
  const error = { type: 'object', properties: { code }, description: 'Error code of this answer' } as const;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headersOf(ERRORS[codes[0]].status),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { error } }],
        },
      },
    },
  };
}

/** Every error of a route: its own, and those that follow from its schemas and its scope. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const { method, scope, params, body, upload, idempotency, signsIn, errors = [] } = route;
  return [
    ...errors,
    // Every route refuses unknown query parameters.
    'VALIDATION_ERROR',
    ...(params ? (['NOT_FOUND'] as const) : []),
    ...(idempotency ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'] as const) : []),
    ...(body ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE'] as const) : []),
    ...(upload ? (['UPLOAD_INCOMPLETE', 'PAYLOAD_TOO_LARGE', 'STORAGE_FULL'] as const) : []),
    // A session refuses bodies of other types also where no body is read.
    ...(body || (scope && method !== 'get') ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(scope || signsIn ? (['UNAUTHORIZED', 'CROSS_ORIGIN'] as const) : []),
    ...(scopesOf(scope).length > 0 ? (['INSUFFICIENT_SCOPE'] as const) : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}
