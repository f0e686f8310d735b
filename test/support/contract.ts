import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What of an answer the OpenAPI document speaks about. */
export interface HttpAnswer {
  readonly method: string;
  /** Below the server's address, with or without a query: `/api/v1/scenes`. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface MediaType {
  readonly schema?: object;
}
interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

const PREFIX = '/api/v1';
/** Answers of the kit itself, before a call is known: they are of no operation. */
const OF_NO_OPERATION = new Set([404, 405]);

/** Holds answers against a published OpenAPI document; every schema is compiled when it is first met. */
export class Contract {
  readonly #document: () => Document;
  readonly #checks = new Map<object, ValidateFunction>();
  readonly #paths: () => (readonly [RegExp, string])[];
  #ajv: Ajv2020 | undefined;

  /** @param document asked once, for the first answer */
  constructor(document: () => object) {
    this.#document = once(() => JSON.parse(JSON.stringify(document())) as Document);
    this.#paths = once(() =>
      Object.keys(this.#document().paths)
        // A fixed segment before a parameter, as the router has it.
        .sort((a, b) => a.split('{').length - b.split('{').length)
        .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'), path] as const),
    );
  }

  /** @returns what of the answer is not as the document says; undefined where all is */
  faultOf(answer: HttpAnswer): string | undefined {
    const path = answer.path.split('?')[0]!;
    if (!path.startsWith(`${PREFIX}/`) || answer.method === 'OPTIONS') return undefined;
    const below = path.slice(PREFIX.length);
    const template = this.#paths().find(([pattern]) => pattern.test(below))?.[1];
    const verb = (answer.method === 'HEAD' ? 'GET' : answer.method).toLowerCase();
    const operation = template && this.#document().paths[template]![verb];
    const where = `${answer.method} ${template ?? below} ${answer.status}`;
    if (!operation || !template)
      return OF_NO_OPERATION.has(answer.status) || below === '/openapi.json'
        ? undefined
        : `${where}: no such call`;
    const documented = this.#resolve(operation.responses[String(answer.status)]);
    if (!documented) return `${where}: this status is not documented`;
    const fault = this.#faultInHeaders(documented, answer) ?? this.#faultInBody(documented, answer);
    return fault && `${where}: ${fault}`;
  }

  #resolve(answer: Answer | undefined): Answer | undefined {
    const name = answer?.$ref?.split('/').at(-1);
    return name === undefined ? answer : this.#document().components.responses[name];
  }

  #faultInHeaders({ headers = {} }: Answer, answer: HttpAnswer): string | undefined {
    const { headers: components } = this.#document().components;
    const missing = Object.keys(headers).filter(
      (name) => components[name]?.required && answer.headers[name.toLowerCase()] === undefined,
    );
    return missing.length > 0 ? `the required headers ${missing.join(', ')} are missing` : undefined;
  }

  #faultInBody({ content }: Answer, { method, headers, body }: HttpAnswer): string | undefined {
    const type = String(headers['content-type'] ?? '').split(';')[0]!;
    if (!content) return body === '' ? undefined : 'a body, although none is documented';
    const media = content[type];
    if (!media) return `the type "${type}" is not documented`;
    if (method === 'HEAD' || !media.schema || type !== 'application/json') return undefined;
    const check = this.#checkOf(media.schema);
    if (check(JSON.parse(body))) return undefined;
    const errors = check.errors ?? [];
    return `${errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}\n${body.slice(0, 2000)}`;
  }

  /** Compiled once for each schema object; all answers of one error share theirs. */
  #checkOf(schema: object): ValidateFunction {
    const known = this.#checks.get(schema);
    if (known) return known;
    this.#ajv ??= createAjv(this.#document());
    const check = this.#ajv.compile(pointingInto(schema));
    this.#checks.set(schema, check);
    return check;
  }
}

/** Holds values against schemas of a document. @returns a function that says what is wrong; undefined where nothing is */
export function schemaChecker(document: object): (schema: object, value: unknown) => string | undefined {
  const ajv = createAjv(document);
  // Most answers of an error have the same schema.
  const checks = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    const check = checks.get(text) ?? ajv.compile(pointingInto(schema));
    checks.set(text, check);
    if (check(value)) return undefined;
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
  };
}

/** References of a schema are those of its document. */
const pointingInto = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;

/** Validates JSON Schema 2020-12, which OpenAPI 3.1 is written in. */
function createAjv(document: object): Ajv2020 {
  // Most schemas check a few answers: to compile them costs more than the checks that would gain from it.
  const quicklyCompiled = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quicklyCompiled });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return ajv;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
