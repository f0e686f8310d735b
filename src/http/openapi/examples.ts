import { ERRORS, type ErrorCode } from '../errors.ts';
import { EXAMPLE_ID, EXAMPLE_TIME } from './example-shop.ts';

/** What was sent in a call, and what was answered by media type. */
export interface RecordedCall {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer?: Readonly<Record<string, unknown>>;
}

export interface Examples {
  /** By operationId. */
  readonly calls: Readonly<Record<string, RecordedCall>>;
  /** Values of parameters that no recorded call has, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Messages of errors; those without one show their meaning. */
  readonly errors: Readonly<
    Partial<Record<ErrorCode, { readonly message: string; readonly details?: object }>>
  >;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** The example in the schema's own `.meta`. */
  readonly example?: unknown;
  examples?: unknown[];
}
interface Media {
  readonly schema?: Schema;
  example?: unknown;
  examples?: unknown;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** Adds examples to the components, parameters, bodies and answers of an OpenAPI document. */
export function giveExamples(document: object, { calls, parameters, errors }: Examples): void {
  const { paths, components } = document as Document;
  const found = new Map<string, unknown>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, requestBody, responses } = operation;
    const call = calls[operationId];
    for (const parameter of operation.parameters ?? []) {
      const { name, schema } = parameter;
      parameter.example =
        call?.parameters?.[name] ??
        parameters[`${operationId} ${name}`] ??
        ownExample(schema) ??
        schema.default ??
        schema.enum?.[0] ??
        schema.const ??
        parameters[name] ??
        (schema.type === 'boolean' ? true : undefined);
    }
    for (const media of Object.values(requestBody?.content ?? {}))
      setExample(media, media.schema ? call?.body : '(the bytes of the file)');
    for (const [status, answer] of Object.entries(responses)) {
      if (Number(status) >= 400) giveFailure(answer, codesOf(answer), errors);
      else
        for (const [type, media] of Object.entries(answer.content ?? {}))
          setExample(media, call?.answer?.[type] ?? (media.schema ? undefined : `(${type})`));
    }
  }
  for (const [code, answer] of Object.entries(components.responses))
    giveFailure(answer, [code as ErrorCode], errors);
  found.set('Error', failureExample('NOT_FOUND', errors));
  for (const [name, schema] of Object.entries(components.schemas)) {
    const example = found.get(name) ?? ownExample(schema);
    if (example !== undefined) schema.examples = [example];
  }

  function setExample(media: Media, recorded: unknown): void {
    const example = recorded ?? (media.schema && ownExample(media.schema));
    if (example === undefined) return;
    media.example = example;
    if (media.schema) gather(media.schema, example);
  }

  /** Keeps the fullest example of each component that is a part of a value. */
  function gather(schema: Schema, value: unknown): void {
    if (value === null || value === undefined) return;
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) {
      if (sizeOf(value) > sizeOf(found.get(name))) found.set(name, value);
      gather(components.schemas[name]!, value);
      return;
    }
    for (const part of schema.allOf ?? []) gather(part, value);
    const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => fits(one, value));
    if (choice) gather(choice, value);
    if (Array.isArray(value)) for (const one of value) gather(schema.items ?? {}, one);
    else if (typeof value === 'object')
      for (const [field, one] of Object.entries(value)) {
        const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
        gather(schema.properties?.[field] ?? others, one);
      }
  }

  /** Whether a value can be of this one of several schemas. */
  function fits(schema: Schema, value: unknown): boolean {
    const name = schema.$ref?.split('/').at(-1);
    const own = name === undefined ? schema : components.schemas[name]!;
    const { properties = {}, required = [], anyOf, oneOf = anyOf } = own;
    if (oneOf) return oneOf.some((one) => fits(one, value));
    if (Array.isArray(value)) return own.items !== undefined;
    if (typeof value !== 'object' || value === null)
      return (own.enum ?? [own.const ?? value]).includes(value);
    const isObject = [own.type].flat().includes('object');
    return (
      isObject &&
      required.every((field) => field in value && fits(properties[field] ?? {}, Reflect.get(value, field)))
    );
  }
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
const ownExample = ({ example, examples }: Schema): unknown => example ?? examples?.[0];

const CODE = /`([A-Z_]+)`:/g;
const codesOf = (answer: Answer): ErrorCode[] =>
  [...((answer as { description?: string }).description ?? '').matchAll(CODE)].map(
    ([, code]) => code as ErrorCode,
  );

/** One example for each error code of an answer. */
function giveFailure(
  { content = {} }: Answer,
  codes: readonly ErrorCode[],
  errors: Examples['errors'],
): void {
  for (const media of Object.values(content)) {
    const values = codes.map((code) => [code, { value: failureExample(code, errors) }] as const);
    const [only, ...others] = values;
    if (only && others.length === 0) media.example = only[1].value;
    else media.examples = Object.fromEntries(values);
  }
}

function failureExample(code: ErrorCode, errors: Examples['errors']): unknown {
  const { status, meaning } = ERRORS[code];
  const { message = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`, details } = errors[code] ?? {};
  return {
    success: false,
    statusCode: status,
    message,
    error: { code, ...(details !== undefined && { details }) },
    meta: { timestamp: EXAMPLE_TIME.answered, requestId: EXAMPLE_ID.request },
  };
}
