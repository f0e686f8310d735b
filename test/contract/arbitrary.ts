import { METRIC_CATALOGUE } from '../../src/metrics/catalogue.ts';
import { anyCharacter, fc } from '../support/property.ts';
import { type JsonSchema, type Operation, resolve } from './operations.ts';
import type { Kind } from './rows.ts';

/** A request as it is sent, but that ids still stand as `ref:mine:scene`. */
export interface FuzzRequest {
  readonly operation: string;
  readonly method: Operation['method'];
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body is a recording instead. */
  readonly isClip?: boolean;
}

const KINDS: readonly Kind[] = [
  ...['device', 'scene', 'rule', 'alert', 'insight', 'attribute', 'queuedTask', 'endedTask'],
  ...['busyDevice', 'apiKey', 'session', 'delivery', 'user', 'recording'],
] as Kind[];

const TEXTS = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfffx', '💥'.repeat(60), '\u202egnp', '\ufeff', 'ǅ', 'İstanbul'],
  ...[
    `'; DROP TABLE "User"; --`,
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '$' + '{7*7}',
    '{{x}}',
    '\\',
  ],
  ...[
    '\r\nX: y',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    'null',
    'true',
    '[]',
    '%',
    '%00',
    '"',
    'a'.repeat(5000),
    '(((',
    '& | !',
  ],
  ...[
    '0000-00-00',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30',
    '+275760-09-13T00:00:00Z',
    '11111111-1111-1111-1111',
  ],
];
const NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e21,
  101,
];

const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: {} } }),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const reference = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constant('mine') }, { weight: 1, arbitrary: fc.constant('other') }),
    fc.constantFrom(...KINDS),
  )
  .map(([whose, kind]) => `ref:${whose}:${kind}`);
const referenceTo = (kind: Kind) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(`ref:mine:${kind}`) }, { weight: 1, arbitrary: reference });
const id = fc.oneof({ weight: 6, arbitrary: reference }, { weight: 1, arbitrary: fc.uuid() });

const near = fc
  .date({ min: new Date('2026-10-01'), max: new Date('2026-12-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** What no schema says, but a valid request needs. */
const SAMPLES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  deviceId: referenceTo('device'),
  sceneId: referenceTo('scene'),
  ruleId: referenceTo('rule'),
  userIds: fc.array(referenceTo('user'), { minLength: 1, maxLength: 3 }),
  // Nothing that a probe would wait for.
  streamUrl: fc.constantFrom(
    'sim:shop?seed=1',
    'file:///etc/passwd',
    'http://169.254.169.254/',
    'rtsp://127.0.0.1/',
  ),
  url: fc.constantFrom(
    'https://93.184.216.34/',
    'https://127.0.0.1/',
    'http://example.com',
    'https://[::1]/',
  ),
  metricPath: fc.constantFrom(...METRIC_CATALOGUE.slice(0, 12).map(({ path }) => path)),
  billingPeriod: fc.constantFrom('2026-11', '2026-13', '0000-01', '9999-12'),
  period: fc.constantFrom('2026-11', '1-1', '9999-12'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Nowhere/At_All'),
  recordedAt: fc.oneof(fc.constant('2026-11-01T00:00:00.000Z'), near),
  at: fc.constantFrom(0, 1, 1.999, 2, -1, 1e9),
  schedule: fc.constantFrom(
    null,
    { timezone: 'UTC', windows: [{ days: [1, 7], start: '22:00', end: '02:00' }] },
    { timezone: 'Nowhere/At_All', windows: [{ days: [0, 1e9], start: '24:00', end: '99:99' }] },
    {
      timezone: 'UTC',
      windows: Array.from({ length: 500 }, () => ({ days: [1], start: '09:00', end: '10:00' })),
    },
  ),
  email: fc.uuid().map((name) => `${name}@example.com`),
  startDate: fc.oneof(fc.constant('2026-11-01T00:00:00.000Z'), near),
  endDate: fc.oneof(fc.constant('2026-11-05T00:00:00Z'), near),
  query: fc.constantFrom(
    'people yesterday',
    'critical last week at Till',
    'gestern Abend',
    '"',
    'or or',
    '-',
  ),
};

const mostly = (valid: fc.Arbitrary<unknown>, weight = 14) =>
  fc.oneof({ weight, arbitrary: valid }, { weight: 1, arbitrary: nasty });

function text({ format, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return id;
  if (format === 'date-time') {
    const any = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    return fc.oneof({ weight: 6, arbitrary: near }, { weight: 1, arbitrary: any });
  }
  const longest = Math.min(maxLength, 300);
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(20, longest)) }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, 20) }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('x'.repeat(longest), 'x'.repeat(longest + 1), '💥'.repeat(longest)),
    },
  );
}

function number({ type, minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<unknown> {
  const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1);
  const inside =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, minimum + 50)) })
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof({ weight: 5, arbitrary: inside }, { weight: 1, arbitrary: edges });
}

/** Values a schema allows, and now and then something it does not. @param name of the field, for the samples */
export function valuesOf(raw: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  const schema = resolve(raw);
  const sample = SAMPLES[name];
  if (sample) return mostly(sample);
  return mostly(plainValuesOf(schema));
}

function plainValuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined);
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice)));
  if (schema.allOf) return valuesOf(schema.allOf[0]!);
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return schema.prefixItems
        ? fc.tuple(...schema.prefixItems.map((item) => valuesOf(item)))
        : fc.array(valuesOf(schema.items ?? {}), {
            minLength: Math.min(schema.minItems ?? 0, 5),
            maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 4, 4)),
          });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([field, value]) => [field, valuesOf(value, field)]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Percent-encodes what is no Unicode, too. */
const encode = (value: string) => encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));

const queryText = (value: unknown) =>
  encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const parts = known.map(({ name, required, schema }) => {
    const part = valuesOf(schema, name).map((value) => `${name}=${queryText(value)}`);
    // Now and then twice.
    const parts = fc
      .array(part, { minLength: 1, maxLength: 2, depthIdentifier: name })
      .map((all) => all.join('&'));
    const some = fc.oneof({ weight: 9, arbitrary: part }, { weight: 1, arbitrary: parts });
    return fc.oneof(
      { weight: required ? 20 : 1, arbitrary: some },
      { weight: 1, arbitrary: fc.constant('') },
    );
  });
  const odd = fc.constantFrom(
    '%',
    '%zz',
    '%E0%A4%A',
    'a[b]=c',
    'page[]=1',
    'limit=1&limit=2',
    '__proto__=1',
    '=',
    '&&',
    'x=%00',
  );
  return fc
    .tuple(
      fc.tuple(...parts),
      fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: odd }),
    )
    .map(([all, extra]) => [...all, extra].filter((part) => part !== '').join('&'));
}

/** Shared by all paths: each arbitrary of texts is costly to make. */
const oddSegment = fc
  .oneof(fc.constantFrom(...TEXTS), fc.string({ minLength: 1, maxLength: 30 }))
  .map((value) => value.slice(0, 500))
  .filter((value) => value.trim() !== '' && !/^\.{1,2}$/.test(value));

function pathOf({ path, parameters }: Operation, kind: Kind | undefined): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const own = kind ? referenceTo(kind) : id;
  const one = fc.oneof({ weight: 9, arbitrary: own }, { weight: 1, arbitrary: oddSegment });
  return fc
    .tuple(...names.map(() => one))
    .map((values) =>
      names.reduce((done, name, at) => done.replace(`{${name}}`, () => encode(values[at]!)), path),
    );
}

/** Costly to send: seldom. */
const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
const HUGE_BODIES = [
  deep('[', ']'),
  deep('{"a":', '}'),
  `{"name":"${'x'.repeat(300_000)}"}`,
  `[${'0,'.repeat(60_000)}0]`,
];
const RAW_BODIES = [
  ...[
    '',
    'null',
    '1',
    '"x"',
    '[]',
    '{',
    '{"a":',
    '{"name":"x"',
    'undefined',
    "{'a':1}",
    '\ufeff{}',
    'a=b&c=d',
    '\0\0',
  ],
  ...['{"name":"a","name":"b"}', '{"__proto__":{"scopes":["admin"]}}', '{"name":1e999}', '{"limit":-0}'],
];

function bodyOf({ body }: Operation): fc.Arbitrary<string | undefined> {
  const raw = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...RAW_BODIES) },
    { weight: 1, arbitrary: fc.constantFrom(...HUGE_BODIES) },
  );
  const none = fc.constant(undefined);
  if (!body) return fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary: raw });
  const valid = plainValuesOf(body).map((value) => JSON.stringify(value));
  const extra = plainValuesOf(body).map((value) => JSON.stringify({ ...(value as object), unknown: 1 }));
  return fc.oneof(
    { weight: 12, arbitrary: valid },
    { weight: 1, arbitrary: extra },
    { weight: 1, arbitrary: valuesOf(body).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: raw },
  );
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=koi-8' },
  { 'content-type': '/' },
  { ...JSON_TYPE, 'content-encoding': 'gzip' },
  { ...JSON_TYPE, 'content-encoding': 'br' },
  { ...JSON_TYPE, 'content-encoding': 'deflate' },
  { ...JSON_TYPE, 'content-encoding': 'rot13' },
  { ...JSON_TYPE, 'x-request-id': 'x'.repeat(3000) },
  { ...JSON_TYPE, 'last-event-id': '99999999999999999999' },
  { ...JSON_TYPE, 'last-event-id': '0' },
  { ...JSON_TYPE, authorization: 'Bearer' },
  { ...JSON_TYPE, authorization: `Bearer vas_${'a'.repeat(8)}_${'b'.repeat(38)}` },
  { ...JSON_TYPE, authorization: 'Basic eDp5' },
  { ...JSON_TYPE, 'idempotency-key': 'again' },
  { ...JSON_TYPE, 'idempotency-key': 'two words' },
  { ...JSON_TYPE, accept: 'text/csv' },
  { ...JSON_TYPE, accept: 'text/csv;q=0.5, application/json;q=0.1' },
  {
    ...JSON_TYPE,
    accept: 'image/*',
    range: 'bytes=0-1',
    'if-none-match': '*',
    origin: 'https://evil.example',
  },
];

const FILE_TYPE = { 'content-type': 'application/octet-stream' };
/** Beginnings of videos without the rest, and what is no video. */
const NO_FILES = [
  '',
  'x',
  '\u0000\u0000\u0000\u0018ftypmp42',
  '\u0000\u0000\u0000\u0008moov',
  '\u001aE\u00df\u00a3',
  'RIFF',
  '#EXTM3U\nfile:///etc/passwd',
];

function uploadsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { name, method, path } = operation;
  const headers = fc.oneof(
    { weight: 8, arbitrary: fc.constant(FILE_TYPE) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>({ 'content-type': 'video/mp4' }, ...ODD_HEADERS),
    },
  );
  return fc
    .tuple(queryOf(operation), headers, fc.option(fc.constantFrom(...NO_FILES), { freq: 2 }))
    .map(([query, given, text]) => ({
      ...{ operation: name, method, headers: given },
      path: query === '' ? path : `${path}?${query}`,
      ...(text === null ? { isClip: true } : { body: text }),
    }));
}

/** Requests to an operation: most nearly right, so that they come far. @param kind what the id in its path names */
export function requestsTo(operation: Operation, kind: Kind | undefined): fc.Arbitrary<FuzzRequest> {
  const headers = fc.oneof(
    { weight: 12, arbitrary: fc.constant(JSON_TYPE) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_HEADERS) },
  );
  if (operation.takesFile) return uploadsTo(operation);
  return fc
    .tuple(pathOf(operation, kind), queryOf(operation), headers, bodyOf(operation))
    .map(([path, query, given, body]) => ({
      operation: operation.name,
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: given,
      ...(body !== undefined && { body }),
    }));
}
