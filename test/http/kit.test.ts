import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { ApiError } from '../../src/http/errors.ts';
import { idParams, orderedRange, rangeFields } from '../../src/http/fields.ts';
import { pageFields, pagination } from '../../src/http/paging.ts';
import { route, WithMeta } from '../../src/http/route.ts';
import { codeOf, kit } from './support.ts';

const ID = '11111111-1111-1111-1111-111111111111';
const key = { Authorization: 'Bearer good' };

const list = (path: string, paging: 'A' | 'B') =>
  route({
    name: 'list',
    method: 'get',
    path,
    scope: 'scene:read',
    summary: 'list',
    query: z.object(pageFields()),
    paging,
    response: z.int(),
  }).answers(async ({ query }) => ({ items: [query.page], total: 45 }));

const app = kit([
  list('/things', 'A'),
  list('/others', 'B'),
  route({
    name: 'one',
    method: 'get',
    path: '/things/{id}',
    scope: 'scene:read',
    summary: 'one',
    params: idParams,
    response: z.string(),
  }).answers(async ({ params }) => params.id),
  route({
    name: 'fixed',
    method: 'get',
    path: '/things/statistics',
    scope: 'scene:read',
    summary: 'fixed',
    response: z.literal('fixed'),
  }).answers(async () => 'fixed' as const),
  route({
    name: 'make',
    method: 'post',
    path: '/things',
    scope: 'scene:write',
    summary: 'make',
    body: z.strictObject({ name: z.string().min(1).max(10), deep: z.unknown().optional() }),
    status: 202,
    response: z.string(),
  }).answers(async ({ body }) => new WithMeta(body.name, { computeNodeId: ID })),
  route({
    name: 'remove',
    method: 'delete',
    path: '/things/{id}',
    scope: 'scene:write',
    summary: 'remove',
    params: idParams,
  }).answers(async () => {}),
  route({
    name: 'range',
    method: 'get',
    path: '/range',
    scope: 'scene:read',
    summary: 'range',
    query: z.object(rangeFields).superRefine(orderedRange),
    response: z.array(z.string()),
  }).answers(async ({ query }) =>
    [query.startDate, query.endDate].flatMap((date) => (date ? [date.toISOString()] : [])),
  ),
  route({
    name: 'needsMore',
    method: 'get',
    path: '/forbidden',
    scope: 'webhook:write',
    summary: 'needs more',
    response: z.string(),
  }).answers(async () => 'never'),
  route({
    name: 'throws',
    method: 'get',
    path: '/broken',
    scope: 'scene:read',
    summary: 'throws',
    response: z.string(),
  }).answers(async () => {
    throw new Error('password=hunter2');
  }),
  route({
    name: 'refuses',
    method: 'get',
    path: '/conflict',
    scope: 'scene:read',
    summary: 'refuses',
    response: z.string(),
  }).answers(async () => {
    throw new ApiError('ALREADY_RUNNING', 'It runs');
  }),
  route({
    name: 'answersOffItsSchema',
    method: 'get',
    path: '/off-schema',
    scope: 'scene:read',
    summary: 'answers off its schema',
    response: z.strictObject({ a: z.string() }),
  }).answers(async () => ({ a: 'x', secret: 'y' })),
]);

const get = (path: string) => request(app).get(`/api/v1${path}`).set(key);
const post = (body: unknown) =>
  request(app)
    .post('/api/v1/things')
    .set(key)
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));

describe('envelope', () => {
  test('wraps data with a timestamp and the request id', async () => {
    const { body, status, headers } = await get(`/things/${ID}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      statusCode: 200,
      data: ID,
      meta: { timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), requestId: headers['x-request-id'] },
    });
  });

  test.each([
    ['keeps a UUID', ID, true],
    ['keeps the case of a UUID', 'ABCDEFAB-1111-4111-8111-111111111111', true],
    ['replaces anything else', 'abc', false],
  ])('%s of X-Request-Id', async (_name, id, kept) => {
    const { body } = await get(`/things/${ID}`).set('X-Request-Id', id);
    expect(body.meta.requestId === id).toBe(kept);
  });

  test('meta contains the fields of the handler', async () => {
    const { body, status } = await post({ name: 'a' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ statusCode: 202, data: 'a', meta: { computeNodeId: ID } });
  });

  test('a route without a response answers 204 without a body', async () => {
    const { status, text } = await request(app).delete(`/api/v1/things/${ID}`).set(key);
    expect([status, text]).toEqual([204, '']);
  });

  test.each([
    ['/things?page=2', { page: 2, limit: 20, total: 45, totalPages: 3 }],
    ['/things?page=9&limit=100', { page: 9, limit: 100, total: 45, totalPages: 1 }],
    [
      '/others',
      { limit: 20, currentPage: 1, totalRecords: 45, totalPages: 3, nextPage: 2, previousPage: null },
    ],
    [
      '/others?page=3',
      { limit: 20, currentPage: 3, totalRecords: 45, totalPages: 3, nextPage: null, previousPage: 2 },
    ],
    [
      '/others?page=99',
      { limit: 20, currentPage: 99, totalRecords: 45, totalPages: 3, nextPage: null, previousPage: 3 },
    ],
    [
      '/others?page=4',
      { limit: 20, currentPage: 4, totalRecords: 45, totalPages: 3, nextPage: null, previousPage: 3 },
    ],
  ])('pagination of %s', async (path, pagination) => {
    expect((await get(path)).body.meta.pagination).toEqual(pagination);
  });

  test.each([1, 2, 99])('page %i of an empty list has no previous page', (page) => {
    expect(pagination('B', { page, limit: 20 }, 0)).toMatchObject({ previousPage: null, nextPage: null });
  });

  test('a response that does not match its schema is an error in tests', async () => {
    expect(codeOf(await get('/off-schema'))).toEqual([500, 'INTERNAL_ERROR']);
  });
});

describe('refusals', () => {
  test.each([
    ['no key', undefined, /^The request has no API key\. Send it as Authorization: Bearer <API_KEY>$/],
    ['a wrong key', 'Bearer bad', /^This API key is not valid: it is unknown, revoked, expired or/],
    ['another scheme', 'Basic good', /^The header Authorization does not begin with "Bearer "/],
  ])('401 for %s, with a hint how to send a key', async (_name, authorization, message) => {
    const call = request(app).get('/api/v1/things');
    const answer = await (authorization ? call.set('Authorization', authorization) : call);
    expect(codeOf(answer)).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body.message).toMatch(message);
  });

  test('the scope is checked before validation', async () => {
    expect(codeOf(await get('/forbidden'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test.each([
    ['/things/not-a-uuid', 400, 'VALIDATION_ERROR'],
    ['/things/%E0%A4%A', 400, 'VALIDATION_ERROR'],
    ['/things?page=0', 400, 'VALIDATION_ERROR'],
    ['/things?limit=101', 400, 'VALIDATION_ERROR'],
    ['/things?limit=', 400, 'VALIDATION_ERROR'],
    ['/things?limit=1&limit=2', 400, 'VALIDATION_ERROR'],
    ['/things?page=%00', 400, 'VALIDATION_ERROR'],
    ['/things?other=%E0%A4%A', 400, 'VALIDATION_ERROR'],
    ['/range?startDate=yesterday', 400, 'VALIDATION_ERROR'],
    ['/range?startDate=0000-01-01', 400, 'VALIDATION_ERROR'],
    ['/range?startDate=2026-02-02&endDate=2026-02-01', 400, 'INVALID_DATE_RANGE'],
    ['/nothing', 404, 'NOT_FOUND'],
    ['/conflict', 409, 'ALREADY_RUNNING'],
    ['/broken', 500, 'INTERNAL_ERROR'],
  ])('%s is %i %s', async (path, status, code) => {
    const answer = await get(path);
    expect(codeOf(answer)).toEqual([status, code]);
    expect(answer.body).toMatchObject({
      success: false,
      statusCode: status,
      meta: { requestId: expect.any(String) },
    });
  });

  test('the answer names the wrong field', async () => {
    const { body } = await post({ name: '', extra: 1 });
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(['extra', 'name']);
  });

  test('405 lists the allowed methods', async () => {
    const answer = await request(app).patch('/api/v1/things').set(key);
    expect(codeOf(answer)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.allow).toBe('GET, POST');
  });

  test('an internal error is logged and its answer has no details', async () => {
    const logLines: string[] = [];
    const broken = kit(
      [
        route({
          name: 'throws',
          method: 'get',
          path: '/broken',
          scope: 'scene:read',
          summary: 'throws',
          response: z.string(),
        }).answers(async () => {
          throw new Error('boom');
        }),
      ],
      { logLines },
    );
    const { text } = await request(broken).get('/api/v1/broken').set(key);
    expect(text).not.toMatch(/boom|\bat /);
    expect(logLines.join()).toContain('boom');
    expect(logLines.join()).not.toContain('Bearer');
  });

  test('503 when the database is not available', async () => {
    const away = kit([
      route({
        name: 'noDatabase',
        method: 'get',
        path: '/away',
        scope: 'scene:read',
        summary: 'no database',
        response: z.string(),
      }).answers(async () => {
        throw Object.assign(new Error('refused'), { code: 'P1001' });
      }),
    ]);
    expect(codeOf(await request(away).get('/api/v1/away').set(key))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  test('503 when the handler takes too long', async () => {
    let aborted = false;
    const slow = kit(
      [
        route({
          name: 'neverEnds',
          method: 'get',
          path: '/slow',
          scope: 'scene:read',
          summary: 'never ends',
          response: z.string(),
        }).answers(
          ({ signal }) =>
            new Promise<string>(() => {
              signal.addEventListener('abort', () => {
                aborted = true;
              });
            }),
        ),
      ],
      { environment: { REQUEST_TIMEOUT_SECONDS: '1' } },
    );
    expect(codeOf(await request(slow).get('/api/v1/slow').set(key))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(aborted).toBe(true);
  });
});

describe('bodies', () => {
  test.each([
    ['cut off', '{"name":"a', 400, 'INVALID_JSON'],
    ['null', 'null', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['a text', '"a"', 400, 'VALIDATION_ERROR'],
    ['nothing', '', 400, 'VALIDATION_ERROR'],
    ['an unknown field', '{"name":"a","x":1}', 400, 'VALIDATION_ERROR'],
    ['NUL', '{"name":"a\\u0000"}', 400, 'VALIDATION_ERROR'],
    ['half a surrogate pair', '{"name":"\\ud800"}', 400, 'VALIDATION_ERROR'],
    ['a whole pair', '{"name":"\\ud83d\\ude00"}', 202, undefined],
    [
      'very deep nesting',
      `{"name":"a","deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      400,
      'VALIDATION_ERROR',
    ],
    ['too much', `{"name":"${'a'.repeat(300_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s', async (_name, body, status, code) => {
    expect(codeOf(await post(body))).toEqual([status, code]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '%s is 415',
    async (type) => {
      const call = request(app)
        .post('/api/v1/things')
        .set(key)
        .set('Content-Type', type)
        .send('{"name":"a"}');
      expect(codeOf(await call)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );
});

test('a fixed path has priority over a parameter, also if it does not support the method', async () => {
  expect((await get('/things/statistics')).body.data).toBe('fixed');
  const { status, headers } = await request(app).delete('/api/v1/things/statistics').set(key);
  expect([status, headers.allow]).toEqual([405, 'GET']);
});

test.each([
  ['/things?pge=2', 'pge', 'is not a query parameter here. Did you mean page?'],
  ['/things?other=1&other=2&page=2', 'other', 'is not a query parameter here; there are page, limit'],
  [`/things/${ID}?page=2`, 'page', 'is not a query parameter here; there are none'],
])('an unknown query parameter is refused: %s', async (path, name, message) => {
  const answer = await get(path);
  expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  expect(answer.body.message).toBe(`${name}: ${message}`);
  expect(answer.body.error.details).toEqual([{ path: name, message }]);
});

test('a repeated query parameter is refused', async () => {
  expect((await get('/things?page=1&page=2')).body.message).toBe(
    'page: must be a number; received a list of 2 entries. Give it once',
  );
});

test('a date means midnight UTC where no zone is known, and a time is converted from its zone', async () => {
  const { body } = await get('/range?startDate=2026-01-01&endDate=2026-01-01T02:00:00%2B01:00');
  expect(body.data).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z']);
});

describe('outside the routes', () => {
  const origin = 'https://dashboard.example.com';
  const open = kit([list('/things', 'A')], { environment: { CORS_ORIGINS: origin } });

  test('only configured origins get CORS headers', async () => {
    const asked = await request(open).options('/api/v1/things').set('Origin', origin);
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, origin]);
    const other = await request(open).get('/api/v1/things').set('Origin', 'https://evil.example').set(key);
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });
});
