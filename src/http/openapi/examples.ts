import { ERRORS, type ErrorCode } from '../errors.ts';

/**
 * Example values by name: `Schema`, `Schema.field`, `METHOD /path` (a body), `?name` (a parameter) or `field`. The most
 * specific name counts. A schema may have its own example in `.meta`. Other examples are composed of their parts.
 */
export type Examples = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
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
export function giveExamples(document: object, examples: Examples): void {
  const { paths, components } = document as Document;
  const compose = composer(components.schemas, examples);
  for (const [name, schema] of Object.entries(components.schemas)) {
    const example = compose({ $ref: `#/components/schemas/${name}` }, '', '');
    if (example !== undefined) schema.examples = [example];
  }
  for (const [code, answer] of Object.entries(components.responses))
    giveFailure(answer, [code as ErrorCode], examples);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const owner = `${method.toUpperCase()} ${path}`;
      for (const parameter of operation.parameters ?? []) {
        const example =
          examples[`${owner} ?${parameter.name}`] ??
          examples[`?${parameter.name}`] ??
          compose(parameter.schema, '', parameter.name);
        if (example !== undefined) parameter.example = example;
      }
      for (const media of Object.values(operation.requestBody?.content ?? {}))
        setExample(media, examples[owner] ?? compose(media.schema, owner, ''));
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) >= 400) giveFailure(answer, codesOf(answer), examples);
        else
          for (const [type, media] of Object.entries(answer.content ?? {}))
            setExample(
              media,
              examples[`${owner} ${type}`] ?? compose(media.schema, `${owner} ${status}`, ''),
            );
      }
    }
  }
}

function setExample(media: Media, example: unknown): void {
  if (example !== undefined) media.example = example;
}

/** @returns a function that composes the example of a schema, or undefined if a part has no example */
function composer(components: Readonly<Record<string, Schema>>, examples: Examples) {
  const find = (names: readonly string[]): unknown => {
    const name = names.find((known) => Object.hasOwn(examples, known));
    return name === undefined ? undefined : examples[name];
  };
  return function compose(schema: Schema | undefined, owner: string, name: string): unknown {
    if (schema === undefined) return undefined;
    const own = name === '' ? undefined : find([`${owner}.${name}`]);
    if (own !== undefined) return own;
    if (schema.$ref) {
      const component = schema.$ref.split('/').at(-1)!;
      return (
        find([component]) ?? components[component]?.example ?? compose(components[component], component, '')
      );
    }
    if (schema.example !== undefined) return schema.example;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum?.length === 1) return schema.enum[0];
    const shared = name === '' ? undefined : find([name]);
    if (shared !== undefined) return shared;
    if (schema.properties) return composeFields(schema.properties, owner, compose);
    if (schema.items) {
      const item = compose(schema.items, owner, name === '' ? '' : `${name}[]`);
      return item === undefined ? undefined : [item];
    }
    for (const choice of schema.anyOf ?? schema.oneOf ?? []) {
      const chosen = choice.type === 'null' ? undefined : compose(choice, owner, '');
      if (chosen !== undefined) return chosen;
    }
    return undefined;
  };
}

function composeFields(
  properties: Readonly<Record<string, Schema>>,
  owner: string,
  compose: (schema: Schema, owner: string, name: string) => unknown,
): unknown {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, compose(field, owner, name)] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const CODE = /`([A-Z_]+)`:/g;
const codesOf = (answer: Answer): ErrorCode[] =>
  [...((answer as { description?: string }).description ?? '').matchAll(CODE)].map(
    ([, code]) => code as ErrorCode,
  );

/** One example for each error code of an answer. */
function giveFailure({ content = {} }: Answer, codes: readonly ErrorCode[], examples: Examples): void {
  for (const media of Object.values(content)) {
    const values = codes.map((code) => [code, { value: failureExample(code, examples) }] as const);
    if (values.length === 1) media.example = values[0]![1].value;
    else media.examples = Object.fromEntries(values);
  }
}

function failureExample(code: ErrorCode, examples: Examples): unknown {
  const { status, meaning } = ERRORS[code];
  const known = examples[code] as { message: string; details?: unknown } | undefined;
  const { message = `${meaning[0]!.toUpperCase()}${meaning.slice(1)}`, details } = known ?? {};
  return {
    success: false,
    statusCode: status,
    message,
    error: { code, ...(details !== undefined && { details }) },
    meta: { timestamp: examples.timestamp, requestId: examples.requestId },
  };
}
