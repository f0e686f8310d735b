import { describe, expect, test } from '@jest/globals';
import { EXAMPLE_ID } from '../../src/http/openapi/example-shop.ts';
import { publishedDocument } from '../support/checked-app.ts';
import { schemaChecker } from '../support/contract.ts';

interface Media {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  $ref?: string;
  content?: Record<string, Media>;
}
interface Operation {
  parameters?: { name: string; in: string; description?: string; example?: unknown; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }>; responses: Record<string, Answer> };
}

const document = publishedDocument() as Document;
const check = schemaChecker(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);
const parameters = operations.flatMap(({ name, operation }) =>
  (operation.parameters ?? []).map((parameter) => ({ name: `${name} ?${parameter.name}`, parameter })),
);
const answers = [
  ...operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => [`${name} ${status}`, answer] as const),
  ),
  ...Object.entries(document.components.responses),
];
const media = [
  ...answers.map(([name, { content }]) => [name, content] as const),
  ...operations.map(({ name, operation }) => [name, operation.requestBody?.content] as const),
].flatMap(([name, content]) =>
  Object.entries(content ?? {}).map(([type, one]) => ({ name: `${name} ${type}`, one })),
);
const valuesOf = ({ example, examples }: Media): unknown[] =>
  examples ? Object.values(examples).map(({ value }) => value) : example === undefined ? [] : [example];

describe('the document has examples', () => {
  test('every parameter has an example and a description', () => {
    const lacking = parameters.filter(
      ({ parameter }) => !parameter.description || parameter.example === undefined,
    );
    expect(lacking.map(({ name }) => name)).toEqual([]);
    expect(parameters.length).toBeGreaterThan(150);
  });

  test('every component has an example', () => {
    const lacking = Object.entries(document.components.schemas).filter(([, { examples }]) => !examples);
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  test('every body and every answer has an example', () => {
    expect(media.filter(({ one }) => valuesOf(one).length === 0).map(({ name }) => name)).toEqual([]);
  });
});

describe('every example matches its schema', () => {
  test.each(Object.entries(document.components.schemas))('of the component %s', (name, { examples = [] }) => {
    for (const example of examples)
      expect(check({ $ref: `#/components/schemas/${name}` }, example)).toBeUndefined();
  });

  test('examples of parameters, bodies and answers match', () => {
    const faults = [
      ...parameters.map(({ name, parameter }) => [name, check(parameter.schema, parameter.example)]),
      ...media.flatMap(({ name, one }) =>
        one.schema ? valuesOf(one).map((value) => [name, check(one.schema!, value)]) : [],
      ),
    ];
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
  });

  test('examples have all properties of their schemas', () => {
    const lacking = Object.entries(document.components.schemas).flatMap(([, schema]) => {
      const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
      const [example] = schema.examples ?? [];
      return required.filter((field) => field in properties && !(field in (example as object)));
    });
    expect(lacking).toEqual([]);
  });
});

/** Every id and time of an example, by the name of its field. */
function* leaves(value: unknown, name: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [field, part] of Object.entries(value)) yield* leaves(part, Array.isArray(value) ? name : field);
}
const all = [
  ...Object.entries(document.components.schemas).flatMap(([, { examples = [] }]) => examples),
  ...media.flatMap(({ one }) => valuesOf(one)),
];

describe('the examples are consistent', () => {
  const ids = [...all.flatMap((example) => [...leaves(example, '')])];

  test.each(['ruleId', 'userId', 'computeNodeId', 'insightId', 'alertId'])(
    '%s has the same value in all examples',
    (name) => {
      const values = new Set(ids.filter(([field]) => field === name).map(([, value]) => value));
      expect(values.size).toBe(1);
      expect(Object.values(EXAMPLE_ID) as string[]).toContain([...values][0]);
    },
  );

  test.each([
    ['sceneId', 'deviceId'],
    ['analysisId', 'sceneId'],
  ])('each %s has one %s in all examples', (part, whole) => {
    const both = all.flatMap((example) => [...objectsIn(example)]).filter((one) => one[part] && one[whole]);
    const pairs = new Set(both.map((one) => `${one[part]} ${one[whole]}`));
    expect(pairs.size).toBe(new Set(both.map((one) => one[part])).size);
    expect(pairs.size).toBeGreaterThan(0);
  });

  test.each([
    ['createdAt', 'updatedAt'],
    ['windowStart', 'windowEnd'],
    ['startDate', 'endDate'],
    ['startedAt', 'completedAt'],
    ['vlmRequestedAt', 'vlmCompletedAt'],
    ['periodStart', 'periodEnd'],
    ['startsAt', 'endsAt'],
  ])('%s is not later than %s', (from, to) => {
    const objects = all.flatMap((example) => [...objectsIn(example)]);
    const both = objects.filter((one) => typeof one[from] === 'string' && typeof one[to] === 'string');
    expect(both.length).toBeGreaterThan(0);
    for (const one of both)
      expect(Date.parse(String(one[from]))).toBeLessThanOrEqual(Date.parse(String(one[to])));
  });

  test('remaining is limit minus used, and totalPresent is inQueue plus inService', () => {
    const objects = all.flatMap((example) => [...objectsIn(example)]);
    const quotas = objects.filter((one) => typeof one.limit === 'number' && typeof one.balance === 'number');
    const present = objects.filter((one) => typeof one.totalPresent === 'number');
    expect([quotas.length > 0, present.length > 0]).toEqual([true, true]);
    for (const { limit, used, balance } of quotas) expect(balance).toBe(Number(limit) - Number(used));
    for (const { inQueue, inService, totalPresent } of present)
      expect(totalPresent).toBe(Number(inQueue) + Number(inService));
  });
});

function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

/** Where objects stand of which nothing is known. */
function* shapeless(node: unknown, path: string): Generator<string> {
  if (typeof node !== 'object' || node === null || /\/(example|examples)$/.test(path)) return;
  const { type, properties, additionalProperties, description, allOf, oneOf } = node as Record<
    string,
    unknown
  >;
  const isFree =
    type === 'object' && !properties && !allOf && !oneOf && !Object.keys(Object(additionalProperties)).length;
  if (isFree && !/free-form/i.test(String(description))) yield path;
  for (const [key, part] of Object.entries(node)) yield* shapeless(part, `${path}/${key}`);
}

test('the description of an object without properties says that it is free-form', () => {
  expect([...shapeless(document, '')]).toEqual([]);
});
