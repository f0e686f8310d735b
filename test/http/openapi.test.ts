import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { API_TAGS } from '../../src/api-docs/tags.ts';
import { API_ROUTES } from '../../src/app.ts';
import { errorsOf, openApiDocument } from '../../src/http/openapi/openapi.ts';
import { publishedDocument } from '../support/checked-app.ts';
import { OURS, SPECIFIED } from '../support/route-list.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: { name: string; in: string; description?: string; schema: { description?: string } }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: { securitySchemes: object; schemas: Record<string, Schema>; responses: Record<string, object> };
}

const document = publishedDocument() as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

/** An API without calls, whose document is quickly made. */
const NOTHING = { routes: [], tags: [], glossary: {}, version: '1.0.0' };

describe('OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('the router and the document have exactly the listed routes under their published operationIds', () => {
    const served = API_ROUTES.map(({ name, method, path }) => `${name} ${method.toUpperCase()} ${path}`);
    expect(new Set(served).size).toBe(served.length);
    const documented = operations.map(({ name, operation }) => `${operation.operationId} ${name}`);
    expect(documented.sort()).toEqual([...served].sort());
    expect(SPECIFIED).toHaveLength(58);
    expect([...served].sort()).toEqual([...SPECIFIED, ...OURS].sort());
  });

  test('every operation has a unique id that can be a method name, a tag and its path parameters', () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z]+[A-Z][A-Za-z]+$/);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? [];
      expect(described.map(({ name }) => name)).toEqual(inPath);
      expect(API_TAGS.map(({ name }) => name)).toContain(operation.tags[0]);
    }
  });

  test('every operation except signed addresses and those that sign in requires a key or session', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ path }) => path).filter((path) => !path.startsWith('/images/'))).toEqual([
      '/reports/unsubscribe/{id}',
      '/reports/unsubscribe/{id}',
      '/notifications/unsubscribe/{id}',
      '/notifications/unsubscribe/{id}',
      '/session',
      '/setup',
      '/setup',
    ]);
  });

  test('bodies refuse unknown fields, and DELETE answers 204', () => {
    for (const { method, path, body, response } of API_ROUTES) {
      const codes = (schema: typeof body) =>
        schema
          ?.safeParse({ 'no such field': 1 })
          .error?.issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flat() : issue))
          .map(({ code }) => code) ?? [];
      if (body) expect([path, codes(body)]).toEqual([path, expect.arrayContaining(['unrecognized_keys'])]);
      if (method === 'delete') expect([path, response]).toEqual([path, undefined]);
    }
  });

  test('every error of every operation is documented with its codes', () => {
    for (const route of API_ROUTES) {
      const operation = document.paths[route.path]![route.method]!;
      const codes = Object.values(operation.responses).flatMap(codesOf);
      expect(codes.sort()).toEqual([...new Set(errorsOf(route))].sort());
    }
  });

  test('every field and parameter has a description', () => {
    expect([...undescribed(document, '')]).toEqual([]);
  });

  test('the name of an operation says whether it answers with a list', () => {
    const wrong = operations.filter(({ operation: { operationId, responses } }) => {
      const json = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[
        'application/json'
      ];
      const data = resolved(resolved(json?.schema).properties?.data);
      const isList = operationId.startsWith('list');
      return data.type === undefined ? isList : isList !== (data.type === 'array');
    });
    expect(wrong.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  test.each([
    ['https://video.example.com/shop/api/v1/openapi.json', ''],
    ['http://10.0.0.5:8080/api/v1/openapi.json', ''],
    ['https://video.example.com/shop/api/v1/openapi.json', 'https://video.example.com/shop'],
    ['https://video.example.com/a/b/api/v1/openapi.json', 'https://video.example.com/a/b/'],
    ['https://video.example.com/a/api/v1/openapi.json', 'https://video.example.com/a//'],
  ])('of %s with the public address "%s" leads to the calls beside it', (address, publicUrl) => {
    const [server] = (openApiDocument({ ...NOTHING, publicUrl }) as { servers: { url: string }[] }).servers;
    // A client puts the path of a call behind the address of the server without its last slash.
    const base = new URL(server!.url, address).href.replace(/\/$/, '');
    expect(`${base}/openapi.json`).toBe(address);
  });
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
}

/** A schema, or the one to which it refers. */
function resolved(schema: Schema = {}): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name]!;
}

function codesOf(response: Operation['responses'][string]): string[] {
  const whole = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!] : response;
  const text = JSON.stringify(whole);
  return [...(/"code":\{"enum":\[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(
    ([, code]) => code!,
  );
}

/** Where fields and parameters stand that say nothing, neither themselves nor by what they refer to. */
function* undescribed(node: unknown, path: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { properties, name, schema } = node as {
    properties?: Record<string, Schema>;
    name?: unknown;
    schema?: { description?: string };
  };
  if (properties && !path.endsWith('/properties')) {
    for (const [field, used] of Object.entries(properties)) {
      if (!used.description && !resolved(used).description) yield `${path} ${field}`;
    }
  }
  if (typeof name === 'string' && schema && !schema.description && !('description' in node))
    yield `${path} ?${name}`;
  for (const [key, part] of Object.entries(node)) yield* undescribed(part, `${path}/${key}`);
}
