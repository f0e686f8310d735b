import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { ApiError } from '../../src/http/errors.ts';
import { pageFields } from '../../src/http/paging.ts';
import { Binary, route } from '../../src/http/route.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { kit } from './support.ts';

const key = { Authorization: 'Bearer good' };
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);

const picture = (scope: null | 'scene:read', maxAgeSeconds: number) =>
  route({
    name: 'aPicture',
    method: 'get',
    path: '/picture',
    scope,
    summary: 'a picture',
    produces: 'image/jpeg',
  }).answers(async ({ caller }) => {
    expect(caller === null).toBe(scope === null);
    return new Binary(JPEG, { maxAgeSeconds });
  });

describe('bytes', () => {
  test('bytes without a key are cached by the browser and may be shown by any page', async () => {
    const answer = await request(kit([picture(null, 60)])).get('/api/v1/picture');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JPEG);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '4',
      'cache-control': 'private, max-age=60',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test('bytes with a key are not cached', async () => {
    const app = kit([picture('scene:read', 0)]);
    expect((await request(app).get('/api/v1/picture')).status).toBe(401);
    const answer = await request(app).get('/api/v1/picture').set(key);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test('calls without a key are limited by address', async () => {
    const app = kit([picture(null, 0)], { environment: { RATE_LIMIT_PER_MINUTE: '1' } });
    expect((await request(app).get('/api/v1/picture')).status).toBe(200);
    expect((await request(app).get('/api/v1/picture')).status).toBe(429);
  });
});

test('a bare list is a page without envelope', async () => {
  const app = kit([
    route({
      name: 'list',
      method: 'get',
      path: '/bare',
      scope: 'scene:read',
      summary: 'list',
      query: z.object(pageFields()),
      paging: 'B',
      bare: true,
      response: z.int(),
    }).answers(async () => ({ items: [7], total: 1 })),
  ]);
  const { body } = await request(app).get('/api/v1/bare').set(key);
  expect(body).toEqual({
    data: [7],
    pagination: {
      limit: 20,
      currentPage: 1,
      totalRecords: 1,
      totalPages: 1,
      nextPage: null,
      previousPage: null,
    },
  });
});

describe('the limit on search', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  test('is shared by API processes and does not count malformed requests', async () => {
    const search = route({
      name: 'search',
      method: 'post',
      path: '/search',
      scope: 'scene:read',
      summary: 'search',
      body: z.strictObject({ query: z.string() }),
      limit: 'search',
      response: z.string(),
    }).answers(async ({ body }) => body.query);
    const environment = { SEARCH_RATE_LIMIT_PER_MINUTE: '2' };
    const processes = [1, 2].map(() => kit([search], { environment, db: database.db }));
    const ask = (at: number, body: object) =>
      request(processes[at]!).post('/api/v1/search').set(key).send(body);
    expect((await ask(0, { wrong: 1 })).status).toBe(400);
    const first = await ask(0, { query: 'a' });
    expect(first.headers['ratelimit-policy']).toBe('"requests";q=600;w=60, "search";q=2;w=60');
    expect((await ask(1, { query: 'a' })).status).toBe(200);
    const third = await ask(0, { query: 'a' });
    expect(third.body).toMatchObject({ statusCode: 429, error: { code: 'RATE_LIMITED' } });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(1, { query: 'a' })).status).toBe(429);
  });
});

describe('a list that is also CSV', () => {
  const item = z.strictObject({ name: z.string(), count: z.int().nullable(), isOn: z.boolean() });
  async function* rows(names: readonly string[]) {
    for (const name of names) yield { name, count: name === '' ? null : -1, isOn: true };
  }
  const list = (names: readonly string[], csv = rows) =>
    route({
      name: 'list',
      method: 'get',
      path: '/things/{id}/list',
      scope: 'scene:read',
      summary: 'list',
      params: z.object({ id: z.string() }),
      query: z.object(pageFields()),
      paging: 'A',
      response: item,
    }).answers({
      handler: async () => ({ items: [{ name: 'json', count: 1, isOn: false }], total: 1 }),
      csv: () => csv(names),
    });
  const ask = (of: ReturnType<typeof list>, accept = 'text/csv') =>
    request(kit([of]))
      .get('/api/v1/things/7/list')
      .set(key)
      .set('Accept', accept);

  test('CSV is chosen by Accept, complete, in RFC 4180, and no text is a formula', async () => {
    const names = ['plain', 'a,b', 'say "hi"', 'two\r\nlines', '', '=1+1', '+1', '-1', '@x', '\tx', 'é'];
    const { status, headers, text } = await ask(list(names));
    expect([status, headers['content-type'], headers.vary, headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'Origin, Accept',
      'attachment; filename="things-list.csv"',
    ]);
    const names2 = ['plain', 'a,b', 'say ""hi""', 'two\r\nlines'];
    const safe = ["'=1+1", "'+1", "'-1", "'@x", '\tx', 'é'];
    const lines = [...names2, null, ...safe].map((name) =>
      name === null ? '"",,true' : `"${name}",-1,true`,
    );
    expect(text).toBe(`name,count,isOn\r\n${lines.join('\r\n')}\r\n`);
  });

  test.each([
    'text/csv; header=present',
    'text/csv;charset=utf-8;header=present',
    'Text/CSV; Header=Present; q=0.9, application/json; q=0.5',
  ])('%s is answered in CSV', async (accept) => {
    expect((await ask(list(['a']), accept)).text).toBe('name,count,isOn\r\n"a",-1,true\r\n');
  });

  test('separator, decimal mark and byte order mark are chosen in the query, and refused with bad values', async () => {
    const app = kit([list(['a;b'])]);
    const get = (query: string, accept = 'text/csv') =>
      request(app).get(`/api/v1/things/7/list?${query}`).set(key).set('Accept', accept);
    expect((await get('separator=semicolon&decimal=comma&bom=true&limit=1')).text).toBe(
      '\ufeffname;count;isOn\r\n"a;b";-1;true\r\n',
    );
    expect((await get('separator=tab&bom=false')).text).toBe('name\tcount\tisOn\r\n"a;b"\t-1\ttrue\r\n');
    expect((await get('separator=tab', 'application/json')).status).toBe(200);
    for (const [query, message] of [
      ['separator=;', 'separator: must be one of comma, semicolon, tab; received ";"'],
      ['decimal=', 'decimal: must be one of point, comma'],
      ['bom=maybe', 'bom: must be'],
      ['separator=tab&separator=comma', 'separator: '],
      ['seperator=tab', 'Did you mean separator?'],
    ] as const) {
      const refused = await get(query);
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused.body.message).toContain(message);
    }
    const both = await get('separator=x&limit=0');
    expect(both.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['separator', 'limit']);
  });

  test.each([
    '*/*',
    'application/json',
    'image/png',
    'text/csv;q=0.1, application/json',
    'text/csv; header=absent',
  ])('%s is answered in JSON', async (accept) => {
    const { body, headers } = await ask(list([]), accept);
    expect([body.data[0].name, headers.vary]).toEqual(['json', 'Origin, Accept, Accept-Encoding']);
  });

  test('an error before the first row is JSON; a later error closes the connection', async () => {
    async function* refused(): ReturnType<typeof rows> {
      yield* rows([]);
      throw new ApiError('NOT_FOUND', 'not here');
    }
    expect((await ask(list([], refused))).body.error.code).toBe('NOT_FOUND');
    async function* breaks(): ReturnType<typeof rows> {
      yield* rows(Array(5000).fill('x'.repeat(20)));
      throw new Error('the database is gone');
    }
    await expect(ask(list([], breaks))).rejects.toThrow(/aborted|hang up/);
    async function* wrong(): ReturnType<typeof rows> {
      yield { name: 1 as never, count: 1, isOn: true };
    }
    await expect(ask(list([], wrong))).rejects.toThrow(/aborted|hang up/);
  });

  test('rows are read at the pace of the client and not after it disconnects', async () => {
    let made = 0;
    async function* endless(): ReturnType<typeof rows> {
      for (;;) {
        made += 1;
        yield { name: 'x'.repeat(1000), count: made, isOn: true };
      }
    }
    const server = kit([list([], endless)]).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write(
      'GET /api/v1/things/7/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nAccept: text/csv\r\n\r\n',
    );
    await once(client, 'readable');
    let before = -1;
    while (before !== made) {
      before = made;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(made).toBeLessThan(50_000);
    client.destroy();
    server.close();
    await once(server, 'close');
  });
});
