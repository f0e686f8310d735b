import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  owner = await api.user();
});
afterAll(() => api.drop());

const callWith = (key: string, path = '/api-keys') =>
  request(api.app).get(`/api/v1${path}`).set('Authorization', `Bearer ${key}`);

describe('creating a key', () => {
  test('the key is shown once and has the given scopes', async () => {
    const scopes = ['scene:read', 'TASK_READ', 'scene:read'];
    const { status, body } = await owner.post('/api-keys', { name: 'Dashboard', scopes });
    expect(status).toBe(201);
    const { key, ...shown } = body.data;
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Dashboard',
      prefix: key.slice(0, 12),
      last4: key.slice(-4),
      scopes: ['scene:read', 'TASK_READ'],
      expiresAt: null,
      lastUsedAt: null,
      createdAt: expect.any(String),
    });
    const listed = (await owner.get('/api-keys')).body.data;
    expect(listed).toContainEqual(shown);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect((await callWith(key, '/scenes')).status).toBe(200);
    expect(codeOf(await callWith(key, '/devices'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('a key can pass on only its own scopes, and never admin', async () => {
    const small = await api.user(['key:manage', 'scene:read']);
    expect((await small.post('/api-keys', { name: 'k', scopes: ['scene:read', 'key:manage'] })).status).toBe(
      201,
    );
    const more = await small.post('/api-keys', { name: 'k', scopes: ['scene:read', 'scene:write'] });
    expect(codeOf(more)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    for (const user of [owner, await api.user(['key:manage', 'admin'])]) {
      const answer = await user.post('/api-keys', { name: 'k', scopes: ['admin'] });
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await small.get('/api-keys')).body.meta.pagination.total).toBe(2);
  });

  test('a key stops working when it expires', async () => {
    const expiresAt = new Date(clock.time.getTime() + 60_000).toISOString();
    const { data } = (await owner.post('/api-keys', { name: 'k', scopes: ['key:manage'], expiresAt })).body;
    expect(data.expiresAt).toBe(expiresAt);
    expect((await callWith(data.key)).status).toBe(200);
    clock.forward(60);
    expect(codeOf(await callWith(data.key))).toEqual([401, 'UNAUTHORIZED']);
  });

  test.each([
    ['no name', { name: undefined }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['scene:delete'] }],
    ['a past end', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { expiresAt: 'soon' }],
    ['an end beyond the calendar', { expiresAt: '9999-12-31T23:59:59-14:00' }],
    ['somebody else', { userId: ABSENT }],
  ])('refuses %s', async (_name, change) => {
    const answer = await owner.post('/api-keys', { name: 'k', scopes: ['scene:read'], ...change });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a key that was created with another key', () => {
  const make = async (key: string, body: object = {}) =>
    request(api.app)
      .post('/api/v1/api-keys')
      .set('Authorization', `Bearer ${key}`)
      .send({ name: 'child', scopes: ['key:manage'], ...body });
  const inMinutes = (minutes: number) => new Date(clock.time.getTime() + minutes * 60_000).toISOString();

  test('expires no later than its parent', async () => {
    const parent = (await make(owner.key, { expiresAt: inMinutes(10) })).body.data;
    expect((await make(parent.key)).body.data.expiresAt).toBe(parent.expiresAt);
    expect((await make(parent.key, { expiresAt: null })).body.data.expiresAt).toBe(parent.expiresAt);
    expect((await make(parent.key, { expiresAt: inMinutes(5) })).body.data.expiresAt).toBe(inMinutes(5));
    const later = await make(parent.key, { expiresAt: inMinutes(11) });
    expect(codeOf(later)).toEqual([400, 'VALIDATION_ERROR']);
    expect(later.body.message).toContain(parent.expiresAt);
  });

  test('is revoked with its parent over several generations; other keys are not', async () => {
    const parent = (await make(owner.key)).body.data;
    const child = (await make(parent.key)).body.data;
    const grandchild = (await make(child.key)).body.data;
    const sibling = (await make(owner.key)).body.data;
    expect((await owner.delete(`/api-keys/${parent.id}`)).status).toBe(204);
    clock.forward(10);
    for (const { key } of [parent, child, grandchild])
      expect(codeOf(await callWith(key))).toEqual([401, 'UNAUTHORIZED']);
    for (const key of [owner.key, sibling.key]) expect((await callWith(key)).status).toBe(200);
  });

  test('is not created by a revoked key that is still cached', async () => {
    const parent = (await make(owner.key)).body.data;
    expect((await callWith(parent.key)).status).toBe(200);
    await owner.delete(`/api-keys/${parent.id}`);
    expect((await callWith(parent.key)).status).toBe(200);
    expect(codeOf(await make(parent.key))).toEqual([401, 'UNAUTHORIZED']);
  });

  test('never survives when the parent is revoked while the child is created', async () => {
    const parent = (await make(owner.key)).body.data;
    const [revoked, ...made] = await Promise.all([
      owner.delete(`/api-keys/${parent.id}`),
      ...Array.from({ length: 8 }, () => make(parent.key)),
    ]);
    expect(revoked.status).toBe(204);
    const alive = await api.context.db.apiKey.count({ where: { parentId: parent.id, revokedAt: null } });
    expect(alive).toBe(0);
    for (const { status } of made) expect([201, 401]).toContain(status);
  });
});

describe('revoking', () => {
  test('a revoked key is not listed and stops working within ten seconds', async () => {
    const { data } = (await owner.post('/api-keys', { name: 'k', scopes: ['key:manage'] })).body;
    expect((await callWith(data.key)).status).toBe(200);
    expect((await owner.delete(`/api-keys/${data.id}`)).status).toBe(204);
    clock.forward(10);
    expect(codeOf(await callWith(data.key))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await owner.delete(`/api-keys/${data.id}`))).toEqual([404, 'NOT_FOUND']);
    const ids = (await owner.get('/api-keys?limit=100')).body.data.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(data.id);
  });

  test('404 for an absent key and for a key of another user, 400 for a malformed id', async () => {
    const { data } = (await owner.post('/api-keys', { name: 'k', scopes: ['key:manage'] })).body;
    const other = await api.user();
    expect(codeOf(await other.delete(`/api-keys/${data.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.delete(`/api-keys/${ABSENT}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.delete('/api-keys/x'))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await callWith(data.key)).status).toBe(200);
  });
});

test('own keys are listed in pages, with the required scope', async () => {
  const user = await api.user();
  for (const name of ['a', 'b']) await user.post('/api-keys', { name, scopes: ['scene:read'] });
  const { data, meta } = (await user.get('/api-keys?limit=2')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['b', 'a']);
  expect(meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
  expect(codeOf(await user.get('/api-keys?limit=101'))).toEqual([400, 'VALIDATION_ERROR']);
  const without = await api.user(['scene:read']);
  for (const answer of [
    await without.get('/api-keys'),
    await without.post('/api-keys', { name: 'k', scopes: ['scene:read'] }),
    await without.delete(`/api-keys/${ABSENT}`),
  ]) {
    expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
  }
  expect(codeOf(await api.nobody.get('/api-keys'))).toEqual([401, 'UNAUTHORIZED']);
});
