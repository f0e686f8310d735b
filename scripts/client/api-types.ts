import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { apiDocument } from '../../src/app.ts';

interface Operation {
  readonly responses: Record<string, { headers?: unknown } | { $ref: string }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { headers?: unknown; responses: Record<string, unknown> };
}

/** The TypeScript types of every call, for `openapi-fetch`. */
export async function apiTypes(): Promise<string> {
  const document = JSON.parse(JSON.stringify(apiDocument(''))) as Document;
  const types = await openapiTS(shortened(document) as unknown as OpenAPI3, { defaultNonNullable: false });
  return COMMENT_HEADER + astToString(types);
}

/**
 * Without examples and headers, and with one type for all errors: every error has the same form. The types are then
 * half as long, and an editor shows a type without a page of examples.
 */
function shortened(document: Document): Document {
  const errors = {
    Error: { description: 'An error', content: jsonOf({ $ref: '#/components/schemas/Error' }) },
  };
  document.components.responses = errors;
  delete document.components.headers;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) delete operation.responses[status];
      else if ('headers' in response) delete response.headers;
    }
    operation.responses.default = { $ref: '#/components/responses/Error' };
  }
  return withoutTuples(withoutExamples(document)) as Document;
}

/** A point as `number[]`: the types of answers in `openapi-fetch` make arrays of tuples. */
function withoutTuples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTuples);
  if (typeof value !== 'object' || value === null) return value;
  const { prefixItems, ...rest } = value as { prefixItems?: unknown };
  const kept = Array.isArray(prefixItems) ? { ...rest, items: prefixItems[0] as unknown } : rest;
  return Object.fromEntries(Object.entries(kept).map(([name, item]) => [name, withoutTuples(item)]));
}

const jsonOf = (schema: object) => ({ 'application/json': { schema } });

/** `example` as a name of a property of a schema stays. */
function withoutExamples(value: unknown, isPropertyMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isPropertyMap || (name !== 'example' && name !== 'examples'))
      .map(([name, item]) => [name, withoutExamples(item, name === 'properties')]),
  );
}
