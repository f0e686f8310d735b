import { publishedDocument } from '../support/checked-app.ts';

/** A JSON schema as the document has it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** An operation of the OpenAPI document, its references resolved. */
export interface Operation {
  /** Its operationId. */
  readonly id: string;
  /** E.g. `GET /scenes/{id}`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** Its body is a file. */
  readonly takesFile: boolean;
  /** The documented statuses. */
  readonly statuses: ReadonlySet<number>;
  /** Without a key. */
  readonly isOpen: boolean;
  readonly ids: readonly IdPlace[];
}

/** Where an operation takes an id. */
export interface IdPlace {
  readonly where: 'path' | 'query' | 'body';
  readonly name: string;
  readonly required: boolean;
  /** It takes a list of ids. */
  readonly many: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly object[];
}

const document = publishedDocument() as Document;

/** What a schema refers to, or the schema itself. */
export function resolve(schema: JsonSchema): JsonSchema {
  if (!schema.$ref) return schema;
  const found = document.components.schemas[schema.$ref.split('/').at(-1)!];
  if (!found) throw new Error(`The document lacks ${schema.$ref}`);
  return resolve(found);
}

const isId = (schema: JsonSchema) => schema.format === 'uuid';

/** Fields with ids inside, with the test of foreign and absent ids. */
const DEEP: Readonly<Record<string, string>> = { parts: 'insights/search/api-parts' };

/** @throws Error for an id deeper in a body: then this must learn to look there */
function idPlaces(parameters: readonly Parameter[], body: JsonSchema | undefined): IdPlace[] {
  const given = parameters.flatMap(({ name, in: where, required = false, schema }) =>
    where !== 'header' && isId(resolve(schema)) ? [{ where, name, required, many: false }] : [],
  );
  const inBody = Object.entries(body?.properties ?? {}).flatMap(([name, raw]) => {
    const schema = resolve(raw);
    const many = schema.items !== undefined && isId(resolve(schema.items));
    const required = body?.required?.includes(name) ?? false;
    if (isId(schema) || many) return [{ where: 'body' as const, name, required, many }];
    if (!DEEP[name] && JSON.stringify(schema).includes('"format":"uuid"'))
      throw new Error(`There is an id inside ${name}`);
    return [];
  });
  return [...given, ...inBody];
}

/** Every operation of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const { parameters = [], requestBody, responses, security } = operation;
    const json = requestBody?.content['application/json'];
    const body = json && resolve(json.schema);
    return {
      id: operation.operationId,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Operation['method'],
      path,
      parameters,
      body,
      takesFile: requestBody !== undefined && json === undefined,
      statuses: new Set(Object.keys(responses).map(Number)),
      isOpen: security?.length === 0,
      ids: idPlaces(parameters, body),
    };
  }),
);
