import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { route } from '../../../src/http/route.ts';
import { closest } from '../../../src/platform/explain/closest.ts';
import { unknownName } from '../../../src/platform/explain/expected.ts';
import { kit } from '../support.ts';

const app = kit([
  route({
    name: 'takeBody',
    method: 'post',
    path: '/things',
    scope: 'scene:read',
    summary: 'takes a body',
    body: z.strictObject({
      name: z.string().optional(),
      list: z.array(z.strictObject({ at: z.int() })).optional(),
      any: z.unknown().optional(),
    }),
    response: z.string(),
  }).answers(async () => 'taken'),
]);
const KEY = ['Authorization', 'Bearer good'] as const;
const post = (text: string, type = 'application/json') =>
  request(app)
    .post('/api/v1/things')
    .set(...KEY)
    .set('Content-Type', type)
    .send(text);
const keys = (count: number, name = 'k') =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at])));
const nested = (levels: number) => `{"any":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}}`;

describe('a body', () => {
  test.each([
    ['2,000 keys', `{"any":${keys(1_999)}}`],
    ['20 levels', nested(20)],
    ['10,000 entries', `{"any":[${Array(10_000).fill(1).join()}]}`],
    ['brackets, colons and commas in texts', JSON.stringify({ name: `\\"${'[{:,"'.repeat(20_000)}` })],
  ])('with %s is read', async (_, text) => {
    expect((await post(text)).status).toBe(200);
  });

  test.each([
    ['2,001 keys', `{"any":${keys(2_000)}}`, 'may have at most 2,000 keys'],
    ['15,000 unknown keys', keys(15_000), 'may have at most 2,000 keys'],
    ['21 levels', nested(21), 'may have at most 20 levels'],
    ['100,000 levels', `{"any":${'['.repeat(100_000)}`, 'may have at most 20 levels'],
    ['10,001 entries', `{"any":[${Array(10_001).fill(1).join()}]}`, 'may have at most 10,000 entries'],
    ['an escaped quote before its keys', `{"a\\"":1,"any":${keys(2_000)}}`, 'may have at most 2,000 keys'],
  ])('with %s is refused before it is parsed', async (_, text, message) => {
    const { status, body } = await post(text);
    expect([status, body.error.code, body.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining(message),
    ]);
  });

  test.each([
    ['NUL', '{"name":"a\\u0000b"}'],
    ['half a pair in a list', '{"any":[{"x":["\\ud83d"]}]}'],
    ['half a pair as the whole body', '"\\udc00"'],
  ])('with %s is refused', async (_, text) => {
    const { status, body } = await post(text);
    expect([status, body.message]).toEqual([400, 'Text may contain neither NUL nor half a surrogate pair']);
  });

  test('with a whole pair and an escaped backslash is read', async () => {
    expect((await post('{"name":"\\ud83d\\ude00 \\\\u0000"}')).status).toBe(200);
  });

  test.each([
    ['application/json; charset=utf-16le', Buffer.from('{"name":"x"}', 'utf16le')],
    ['application/json', Buffer.from('{"name":"Kühltheke"}', 'latin1')],
  ])('in another encoding than UTF-8 is refused: %s', async (type, bytes) => {
    const call = request(app)
      .post('/api/v1/things')
      .set(...KEY)
      .set('Content-Type', type);
    call.write(bytes as never); // `send` would write the JSON of the Buffer
    const answer = await call;
    expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('faults of a body', () => {
  test('of unknown keys, twenty are looked at, over all objects', async () => {
    const flat = (await post(keys(1_500, 'nam'))).body;
    expect(flat.error.details).toHaveLength(20);
    expect(flat.message).toContain('19 more faults');
    const list = Array.from({ length: 900 }, () => ({ at: 1, ad: 1 }));
    const inList = (await post(JSON.stringify({ list }))).body;
    expect(inList.error.details).toHaveLength(20);
    expect(inList.error.details[19].message).toContain('Did you mean at?');
  });

  test('of another kind, a hundred are told', async () => {
    const { body } = await post(JSON.stringify({ list: Array(5_000).fill(1) }));
    expect(body.error.details).toHaveLength(100);
  });
});

describe('the most similar name', () => {
  test('is not looked for among names of another length', () => {
    expect(closest('t'.repeat(100), ['timezone', 'name'])).toBeUndefined();
    expect(closest('timezoen', ['timezone', 'name'])).toBe('timezone');
  });

  test('is still found for what it was found before', () => {
    for (const [given, meant] of [
      ['deviceID', 'deviceId'],
      ['nmae', 'name'],
      ['startdte', 'startDate'],
      ['desc', 'description'],
    ] as const)
      expect(
        unknownName(given, { kind: 'field', known: ['deviceId', 'name', 'startDate', 'description'] }),
      ).toContain(`Did you mean ${meant}?`);
  });
});

describe('a query', () => {
  test('with more than 100 names is refused before they are looked at', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=1`).join('&');
    const get = async (count: number) => {
      const { status, body } = await request(app)
        .post(`/api/v1/things?${names(count)}`)
        .set(...KEY)
        .send({});
      return [status, body.message];
    };
    expect(await get(101)).toEqual([400, 'The query may have at most 100 parameters']);
    expect(await get(100)).toEqual([400, expect.stringContaining('k0')]);
  });
});
