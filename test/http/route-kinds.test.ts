import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { pageFields } from '../../src/http/paging.ts';
import { Binary, route } from '../../src/http/route.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { kit } from './support.ts';

const key = { Authorization: 'Bearer good' };
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);

const picture = (scope: null | 'scene:read', maxAgeSeconds: number) =>
  route({
    method: 'get',
    path: '/picture',
    scope,
    summary: 'a picture',
    produces: 'image/jpeg',
    handler: async ({ caller }) => {
      expect(caller === null).toBe(scope === null);
      return new Binary(JPEG, { maxAgeSeconds });
    },
  });

describe('bytes', () => {
  test('without a key, kept by the browser and shown by any page', async () => {
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

  test('with a key, not kept', async () => {
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

test('a bare list is its page and nothing else', async () => {
  const app = kit([
    route({
      method: 'get',
      path: '/bare',
      scope: 'scene:read',
      summary: 'list',
      query: z.object(pageFields()),
      paging: 'B',
      bare: true,
      response: z.int(),
      handler: async () => ({ items: [7], total: 1 }),
    }),
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

  test('is shared by API processes, and what is malformed costs nothing', async () => {
    const search = route({
      method: 'post',
      path: '/search',
      scope: 'scene:read',
      summary: 'search',
      body: z.strictObject({ query: z.string() }),
      limit: 'search',
      response: z.string(),
      handler: async ({ body }) => body.query,
    });
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
