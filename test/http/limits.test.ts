import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { pageFields } from '../../src/http/paging.ts';
import { route } from '../../src/http/route.ts';
import { authenticate, codeOf, kit } from './support.ts';

const key = { Authorization: 'Bearer good' };

const things = route({
  name: 'list',
  method: 'get',
  path: '/things',
  scope: 'scene:read',
  summary: 'list',
  query: z.object(pageFields()),
  paging: 'A',
  response: z.int(),
}).answers(async ({ query }) => ({ items: [query.page], total: 45 }));

describe('limits', () => {
  const limited = (environment: NodeJS.ProcessEnv) => kit([things], { environment });

  test('the limit of requests per key', async () => {
    const small = limited({ RATE_LIMIT_PER_MINUTE: '2' });
    const call = () => request(small).get('/api/v1/things').set(key);
    const first = await call();
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"requests";q=2;w=60',
      ratelimit: expect.stringMatching(/^"requests";r=1;t=\d+$/),
    });
    await call();
    const third = await call();
    expect(codeOf(third)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('the limit of requests per user counts all keys and shows headers only when it refuses', async () => {
    const users: Record<string, string> = { 'Bearer a1': 'a', 'Bearer a2': 'a', 'Bearer b1': 'b' };
    const app = kit([things], {
      environment: { RATE_LIMIT_PER_MINUTE: '2', USER_RATE_LIMIT_PER_MINUTE: '3' },
      authenticate: async ({ authorization: bearer = '' }) => ({
        userId: users[bearer]!,
        credentialId: bearer,
        keyId: bearer,
        sessionId: null,
        scopes: new Set(['scene:read']),
      }),
    });
    const call = (bearer: string) =>
      request(app).get('/api/v1/things').set('Authorization', `Bearer ${bearer}`);
    for (const bearer of ['a1', 'a1', 'a2']) {
      const { status, headers } = await call(bearer);
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"requests";q=2;w=60']);
    }
    const refused = await call('a2');
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers['ratelimit-policy']).toContain('"user-requests";q=3;w=60');
    expect((await call('b1')).status).toBe(200);
  });

  test('the limit of failed authentications per address does not affect a valid key', async () => {
    const small = limited({ AUTH_FAILURES_PER_MINUTE: '1' });
    const fail = () => request(small).get('/api/v1/things');
    expect((await fail()).status).toBe(401);
    expect(codeOf(await fail())).toEqual([429, 'RATE_LIMITED']);
    expect((await fail().set(key)).status).toBe(200);
  });
});

describe('calls without a key', () => {
  const limited = () => kit([], { environment: { KEYLESS_RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY: '1' } });
  const from = (address: string, path: string, app: ReturnType<typeof kit>) =>
    request(app).get(path).set('X-Forwarded-For', address);

  test.each(['/docs', '/readyz', '/api/v1/openapi.json', '/api/v1/nothing'])(
    '%s is limited by address',
    async (path) => {
      const app = limited();
      for (let i = 0; i < 2; i++) expect((await from('203.0.113.7', path, app)).status).not.toBe(429);
      expect(codeOf(await from('203.0.113.7', path, app))).toEqual([429, 'RATE_LIMITED']);
      expect((await from('203.0.113.8', path, app)).status).not.toBe(429);
    },
  );

  test('/healthz, /readyz from the same machine and static files are not limited', async () => {
    const app = limited();
    for (const [address, path] of [
      ['203.0.113.7', '/healthz'],
      ['127.0.0.1', '/readyz'],
      ['203.0.113.7', '/docs/swagger-ui.css'],
    ] as const)
      for (let i = 0; i < 4; i++) expect((await from(address, path, app)).status).toBe(200);
  });

  test('the OpenAPI document is built once, compressed, and answered with 304 for its ETag', async () => {
    const app = kit([]);
    const plain = await request(app).get('/api/v1/openapi.json').set('Accept-Encoding', 'identity');
    for (const encoding of ['gzip', 'br']) {
      const packed = await request(app).get('/api/v1/openapi.json').set('Accept-Encoding', encoding);
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers.etag).toBe(plain.headers.etag);
    }
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.openapi).toBe('3.1.0');
    const again = await request(app).get('/api/v1/openapi.json').set('If-None-Match', plain.headers.etag!);
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('failed authentications', () => {
  test('are counted before the key is read, and a valid key gets its point back', async () => {
    const lookUps: string[] = [];
    const app = kit([things], {
      environment: { AUTH_FAILURES_PER_MINUTE: '2' },
      authenticate: async (credentials, beforeLookUp) => {
        await beforeLookUp?.();
        lookUps.push(credentials.authorization ?? '');
        return authenticate(credentials);
      },
    });
    const call = (bearer: string) =>
      request(app).get('/api/v1/things').set('Authorization', `Bearer ${bearer}`);
    for (let i = 0; i < 5; i++) expect((await call('good')).status).toBe(200);
    expect((await call('good')).headers['ratelimit-policy']).toBe('"requests";q=600;w=60');
    expect((await call('bad')).status).toBe(401);
    expect((await call('bad')).status).toBe(401);
    lookUps.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('bad')));
    expect(answers.map(codeOf)).toEqual(answers.map(() => [429, 'RATE_LIMITED']));
    expect(lookUps).toEqual([]);
  });
});
