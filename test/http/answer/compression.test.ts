import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { ApiError } from '../../../src/http/errors.ts';
import { Binary, route } from '../../../src/http/route.ts';
import { kit } from '../support.ts';

const key = { Authorization: 'Bearer good' };
const LONG = 'A till of the shop. '.repeat(100);
const common = { scope: 'scene:read', summary: 'answers' } as const;

const app = kit([
  route({
    ...common,
    name: 'read',
    method: 'get',
    path: '/things/{times}',
    params: z.object({ times: z.coerce.number() }),
    response: z.string(),
  }).answers(async ({ params }) => LONG.repeat(params.times)),
  route({ ...common, name: 'write', method: 'post', path: '/writes', response: z.string() }).answers(
    async () => LONG,
  ),
  route({ ...common, name: 'fail', method: 'get', path: '/faults', response: z.string() }).answers(
    async () => {
      throw new ApiError('NOT_FOUND', LONG);
    },
  ),
  route({ ...common, name: 'see', method: 'get', path: '/pictures', produces: 'image/jpeg' }).answers(
    async () => new Binary(Buffer.from(LONG), { maxAgeSeconds: 0 }),
  ),
  route({
    ...common,
    name: 'rows',
    method: 'get',
    path: '/rows',
    response: z.strictObject({ name: z.string() }),
    csv: async function* () {
      yield { name: LONG };
    },
  }).answers(async () => ({ name: LONG })),
  route({ ...common, name: 'hear', method: 'get', path: '/events', events: z.any() }).answers(async () =>
    (async function* () {
      yield { type: 'long', data: LONG };
    })(),
  ),
]);
const get = (path: string, encoding = 'gzip') =>
  request(app).get(`/api/v1${path}`).set(key).set('Accept-Encoding', encoding);

/** The answer as it is on the wire: libraries for tests unpack what they get. */
async function onTheWire(method: string, path: string): Promise<{ head: string; body: Buffer }> {
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `${method} /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body = ''] = (await text(socket.setEncoding('latin1'))).split(/\r\n\r\n(.*)/s);
    return { head, body: Buffer.from(body, 'latin1') };
  } finally {
    server.close();
  }
}

describe('JSON is compressed', () => {
  test.each([
    ['at once', 1],
    ['by another thread', 50],
  ])('%s, with the length of what is sent', async (_how, times) => {
    const { head, body } = await onTheWire('GET', `/things/${times}`);
    expect(head).toMatch(/^content-encoding: gzip\r$/im);
    expect(head).toMatch(/^vary: Origin, Accept-Encoding\r$/im);
    expect(Number(/^content-length: (\d+)/im.exec(head)?.[1])).toBe(body.byteLength);
    expect(body.byteLength).toBeLessThan(LONG.length);
    expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ data: LONG.repeat(times) });
  });

  test('HEAD has the headers of GET and no body', async () => {
    const lengthOf = (head: string) => /^content-(encoding|length): (.*)\r$/gim[Symbol.match](head);
    const [asked, read] = [await onTheWire('HEAD', '/rows'), await onTheWire('GET', '/rows')];
    expect(asked.body.byteLength).toBe(0);
    expect(lengthOf(asked.head)?.[0]).toBe(lengthOf(read.head)?.[0]);
  });

  test.each([
    'gzip',
    'GZIP',
    '*',
    'deflate, gzip;q=0.5, br',
    'identity;q=0.1, gzip',
    'identity;q=0, gzip;q=0.001',
    ', gzip ,,',
    'gzip;q=1;level=9',
    'gzip;q=',
  ])('for %j', async (encoding) => {
    const answer = await get('/things/1', encoding);
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.body.data).toBe(LONG);
  });
});

describe('JSON is not compressed', () => {
  test.each([
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip;q=0, *',
    '*;q=0',
    'identity;q=0, br',
    'gzip;q=0.5, identity',
    'gzip;q=-1',
    'gzip;q=much',
    'gzip q=1',
    'gzipped',
    'x/gzip',
    ';;;,,,',
    'gzip\u00e9',
  ])('for %j', async (encoding) => {
    const answer = await get('/things/1', encoding);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
    expect(answer.body.data).toBe(LONG);
  });

  test('for thousands of encodings', async () => {
    expect((await get('/things/1', 'br,'.repeat(4_000))).headers).not.toHaveProperty('content-encoding');
  });

  test('where it is short', async () => {
    const answer = await get('/things/0');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
  });

  test('where it answers a write, or says what was wrong', async () => {
    const write = await request(app).post('/api/v1/writes').set(key).set('Accept-Encoding', 'gzip');
    const fault = await get('/faults');
    expect([write.status, write.body.data]).toEqual([200, LONG]);
    expect([fault.status, fault.body.message]).toEqual([404, LONG]);
    for (const { headers } of [write, fault]) expect(headers).not.toHaveProperty('content-encoding');
  });
});

test.each([
  ['/pictures', 'image/jpeg'],
  ['/rows', 'text/csv'],
  ['/events', 'text/event-stream'],
])('%s as %s is sent as it is', async (path, type) => {
  const answer = await get(path).set('Accept', type).buffer(true);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(type);
  expect(answer.headers).not.toHaveProperty('content-encoding');
});
