import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { beginSession } from '../../src/access/sessions/begin-session.ts';
import { WHOLE_ACCOUNT } from '../../src/access/sessions/grant.ts';
import type { Scope } from '../../src/http/permission.ts';
import { ROLES } from '../../src/http/roles.ts';
import { codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addSession, withCookie } from '../support/rows/sessions.ts';

const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());

const begin = (scopes: readonly Scope[], userId: string) =>
  addSession(api.context.db, userId, scopes, clock.now());
const call = (token: string, method: 'delete' | 'get' | 'patch' | 'post', path: string, body?: object) => {
  const sent = request(api.app)[method](`/api/v1${path}`).set(withCookie(token));
  return body ? sent.send(body) : sent;
};

describe('roles', () => {
  test('each has the scopes of the one before; only an administrator has admin', () => {
    const { viewer, manager, integrator, owner } = ROLES;
    for (const [less, more] of [
      [viewer, manager],
      [manager, integrator],
      [integrator, owner],
    ] as const) {
      expect(more.scopes).toEqual(expect.arrayContaining([...less.scopes]));
      expect(more.scopes.length).toBeGreaterThan(less.scopes.length);
    }
    expect(viewer.scopes.filter((scope) => !/:read$|_READ$/.test(scope))).toEqual([]);
    expect(owner.scopes).not.toContain('admin');
    expect(manager.scopes).toEqual([...viewer.scopes, 'alert:write', 'analysis:control']);
  });

  test('a session has admin only while its user is an administrator', async () => {
    const { userId } = await api.user();
    const { db } = api.context;
    const { token } = await db.$transaction((tx) =>
      beginSession(
        tx,
        { ...WHOLE_ACCOUNT, userId, apiKeyId: null, kind: 'person', method: 'code', label: null },
        { now: clock.now(), address: null, userAgent: null },
      ),
    );
    const isAdmin = async () => (await call(token, 'get', '/session')).body.data.scopes.includes('admin');
    expect(await isAdmin()).toBe(false);
    await db.user.update({ where: { id: userId }, data: { isAdmin: true } });
    clock.forward(10);
    expect(await isAdmin()).toBe(true);
    expect((await call(token, 'get', '/admin/users')).status).toBe(200);
  });
});

describe('a code', () => {
  test.each<[string, object, number, string]>([
    ['a role with more scopes', { kind: 'person', role: 'owner' }, 403, 'INSUFFICIENT_SCOPE'],
    [
      'a scope that the caller lacks',
      { kind: 'person', scopes: ['billing:read'] },
      403,
      'INSUFFICIENT_SCOPE',
    ],
    ['admin', { kind: 'person', scopes: ['admin'] }, 403, 'INSUFFICIENT_SCOPE'],
    ['a screen that manages keys', { kind: 'screen', scopes: ['key:manage'] }, 400, 'VALIDATION_ERROR'],
    ['neither role nor scopes', { kind: 'person' }, 400, 'VALIDATION_ERROR'],
    ['role and scopes', { kind: 'person', role: 'viewer', scopes: ['scene:read'] }, 400, 'VALIDATION_ERROR'],
    ['an unknown role', { kind: 'person', role: 'boss' }, 400, 'VALIDATION_ERROR'],
    ['an unknown kind', { kind: 'robot', role: 'viewer' }, 400, 'VALIDATION_ERROR'],
    ['an empty label', { kind: 'person', role: 'viewer', label: '' }, 400, 'VALIDATION_ERROR'],
  ])('is not made for %s', async (_what, body, status, code) => {
    const { userId } = await api.user();
    const { token } = await begin([...ROLES.viewer.scopes, 'key:manage'], userId);
    expect(codeOf(await call(token, 'post', '/login-codes', body))).toEqual([status, code]);
  });

  test('a hundred of a user may wait', async () => {
    const user = await api.user();
    const { db } = api.context;
    await db.$executeRaw`
      INSERT INTO "LoginCode" ("userId", "codeHash", kind, role, scopes, "expiresAt")
      SELECT ${user.userId}::uuid, sha256(n::text::bytea), 'person', 'viewer', '{}', ${new Date(clock.now().getTime() + 1000)}
      FROM generate_series(1, 100) n`;
    expect(codeOf(await user.post('/login-codes', { kind: 'person', role: 'viewer' }))).toEqual([
      409,
      'LIMIT_REACHED',
    ]);
    clock.forward(1);
    expect((await user.post('/login-codes', { kind: 'person', role: 'viewer' })).status).toBe(201);
  });
});

describe('sessions', () => {
  test('a session stores its last use at most once a minute, and lives thirty days longer', async () => {
    const { userId } = await api.user();
    const { session, token } = await begin(['scene:read'], userId);
    const authenticate = createAuthenticate(api.context);
    const rowOf = () => api.context.db.session.findUniqueOrThrow({ where: { id: session.id } });
    const userAgent = `Phone\u0000\u001b[31m ${'x'.repeat(500)}`;
    const use = () =>
      authenticate({ authorization: undefined, session: token, address: '::ffff:10.1.2.3', userAgent });
    clock.forward(59);
    await use();
    clock.forward(1);
    const now = clock.now();
    await use();
    const row = await eventually('the last use', async () => {
      const found = await rowOf();
      return found.lastUsedAt.getTime() === now.getTime() && found;
    });
    expect(row.lastAddress).toBe('10.1.2.3');
    expect(row.lastUserAgent).toMatch(/^Phone\?\?\[31m x+$/);
    expect(row.lastUserAgent).toHaveLength(200);
    expect(row.expiresAt!.getTime() - now.getTime()).toBe(30 * 86_400_000);
  });

  test('guesses and malformed cookies cause at most one query, none beyond the limit of failures', async () => {
    const authenticate = createAuthenticate(api.context);
    const refuse = () => Promise.reject(new Error('limit'));
    await expect(authenticate({ authorization: undefined, session: 'a'.repeat(43) }, refuse)).rejects.toThrow(
      'limit',
    );
    expect(await authenticate({ authorization: undefined, session: 'short' }, refuse)).toBeNull();
    expect(await authenticate({ authorization: undefined, session: 'a'.repeat(43) })).toBeNull();
    // A header decides alone, also when it is wrong.
    const { token } = await begin(['scene:read'], (await api.user()).userId);
    expect(await authenticate({ authorization: 'Bearer x', session: token })).toBeNull();
    expect(await authenticate({ authorization: undefined, session: token })).not.toBeNull();
  });

  test('whoever sends nothing may ask who is signed in without a fault; a key or cookie that is wrong stays one', async () => {
    const ask = (orNothing: string) => request(api.app).get('/api/v1/session').query({ orNothing });
    const answers = [
      await ask('true'),
      await ask('false'),
      await ask('perhaps'),
      await ask('true').set(withCookie('x'.repeat(40))),
      await ask('true').set('Authorization', 'Bearer nobody'),
      await request(api.app).get('/api/v1/sessions?orNothing=true'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 401, 401, 401, 401, 401]);
  });

  test('the weakest key ends only sessions of its own, and may sign in sixty times in a quarter of an hour', async () => {
    const { db } = api.context;
    const { userId, key } = await api.user(['device:read']);
    const { session: mine } = await begin(['scene:read'], userId);
    const { id: apiKeyId } = await db.apiKey.findFirstOrThrow({ where: { userId } });
    await db.$executeRaw`
      INSERT INTO "Session" ("userId", "apiKeyId", "tokenHash", kind, role, scopes, method, "lastUsedAt", "expiresAt")
      SELECT ${userId}::uuid, CASE WHEN n > 199 THEN ${apiKeyId}::uuid END, sha256(('old' || n)::bytea), 'person', 'viewer', '{}',
             'key', ${clock.now()}::timestamptz - make_interval(mins => n), ${new Date(clock.now().getTime() + 86_400_000)}
      FROM generate_series(1, 300) n`;
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++) statuses.push((await api.nobody.post('/session', { apiKey: key })).status);
    expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
    const of = (from: string | null) => db.session.count({ where: { userId, apiKeyId: from } });
    expect([await of(null), await of(apiKeyId)]).toEqual([200, 50]);
    expect(await db.session.findUnique({ where: { id: mine.id } })).not.toBeNull();
    const another = await api.user();
    expect((await api.nobody.post('/session', { apiKey: another.key })).status).toBe(200);
  });

  test('a flood of sessions by codes ends none that began with the password or by a link of the operator', async () => {
    const { userId } = await api.user();
    const { db } = api.context;
    await db.$executeRaw`
      INSERT INTO "Session" ("userId", "tokenHash", kind, role, scopes, method, "byOperator", "lastUsedAt", "expiresAt")
      SELECT ${userId}::uuid, sha256(('flood' || n)::bytea), 'person', 'viewer', '{}',
             (CASE WHEN n = 1 THEN 'password' ELSE 'code' END)::"SignInMethod", n = 2,
             ${clock.now()}::timestamptz - make_interval(mins => 1000 - n), ${new Date(clock.now().getTime() + 86_400_000)}
      FROM generate_series(1, 202) n`;
    await expect(begin(['scene:read'], userId)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    const where = { userId, OR: [{ method: 'password' as const }, { byOperator: true }] };
    expect(await db.session.count({ where })).toBe(2);
    expect(await db.session.count({ where: { userId } })).toBe(202);
  });

  test('signing in and out again and again removes revoked rows, and ends no session', async () => {
    const { userId } = await api.user();
    const { db } = api.context;
    const { session: mine } = await begin(['scene:read'], userId);
    await db.$executeRaw`
      INSERT INTO "Session" ("userId", "tokenHash", kind, role, scopes, method, "lastUsedAt", "revokedAt")
      SELECT ${userId}::uuid, sha256(('revoked' || n)::bytea), 'person', 'viewer', '{}', 'code',
             ${clock.now()}::timestamptz + interval '1 second', ${clock.now()}
      FROM generate_series(1, 300) n`;
    const { session: next } = await begin(['scene:read'], userId);
    const left = await db.session.findMany({ where: { userId } });
    expect(left).toHaveLength(200);
    const alive = left.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    expect(new Set(alive)).toEqual(new Set([mine.id, next.id]));
  });

  test('the list shows sessions that work, of this user alone, and which one calls', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const { session: mine, token } = await begin([...ROLES.owner.scopes], user.userId);
    const { session: revoked } = await begin(['scene:read'], user.userId);
    await begin(['scene:read'], other.userId);
    expect((await user.delete(`/sessions/${revoked.id}`)).status).toBe(204);
    expect((await user.delete(`/sessions/${revoked.id}`)).status).toBe(404);
    const { body } = await call(token, 'get', '/sessions');
    expect(body.data.map(({ id, isCurrent }: { id: string; isCurrent: boolean }) => [id, isCurrent])).toEqual(
      [[mine.id, true]],
    );
    expect((await user.get('/sessions')).body.data[0].isCurrent).toBe(false);
  });

  test('an API key has no session to end, and learns who it is', async () => {
    const user = await api.user(['scene:read']);
    expect((await user.get('/session')).body.data).toMatchObject({ scopes: ['scene:read'], session: null });
    const { status, body } = await user.delete('/session');
    expect([status, body.message]).toEqual([404, expect.stringContaining('DELETE /api-keys/{id}')]);
  });

  test('a session or user that is deleted while the session is still cached is answered like one that ended', async () => {
    const { db } = api.context;
    const user = await api.user();
    const { session, token } = await begin(['key:manage'], user.userId);
    expect((await call(token, 'get', '/session')).status).toBe(200);
    await db.session.delete({ where: { id: session.id } });
    const gone = await call(token, 'get', '/session');
    expect([...codeOf(gone), gone.body.message]).toEqual([
      ...[401, 'UNAUTHORIZED'],
      'The session of this call has ended',
    ]);
    expect(gone.headers['set-cookie']).toBeUndefined();
    expect((await user.get('/session')).status).toBe(200);
    await db.user.update({ where: { id: user.userId }, data: { deletedAt: clock.now() } });
    expect(codeOf(await user.get('/session'))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await user.get('/users/me'))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await user.patch('/users/me', { name: 'Nobody' }))).toEqual([401, 'UNAUTHORIZED']);
  });

  test('signing in needs exactly one way', async () => {
    for (const body of [
      {},
      { email: 'a' },
      { code: 'x', apiKey: 'y' },
      { email: 'a', password: 'b', code: 'c' },
    ]) {
      const { status, body: answer } = await api.nobody.post('/session', body);
      expect([status, answer.message]).toEqual([
        400,
        expect.stringContaining('Send either email and password'),
      ]);
      expect(answer.message).not.toMatch(/"[xyb]"/);
    }
    const sent = await api.nobody.post('/session', { email: 'a', password: 12345678901 });
    expect(sent.body.message).toBe('password: must be a text; received a number');
    for (const body of [{ code: 'x' }, { apiKey: 'vas_x' }])
      expect(codeOf(await api.nobody.post('/session', body))).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('the account', () => {
  test('shows and changes name, time zone and language', async () => {
    const user = await api.user();
    const { body } = await user.patch('/users/me', {
      name: 'Ada',
      timezone: 'Europe/Berlin',
      locale: 'pt-br',
    });
    expect(body.data).toMatchObject({
      name: 'Ada',
      timezone: 'Europe/Berlin',
      locale: 'pt-BR',
      hasPassword: false,
    });
    const viewer = await begin(['scene:read'], user.userId);
    expect((await call(viewer.token, 'get', '/users/me')).body.data).toEqual(body.data);
    expect((await call(viewer.token, 'patch', '/users/me', { name: 'x' })).status).toBe(403);
    expect((await user.patch('/users/me', { timezone: null })).body.data).toMatchObject({
      name: 'Ada',
      timezone: null,
    });
  });

  test.each<[string, object]>([
    ['a time zone', { timezone: 'Nowhere/At_All' }],
    ['a language', { locale: 'not a language' }],
    ['a short password', { password: 'short' }],
    ['a long password', { password: 'x'.repeat(201) }],
    ['a current password alone', { currentPassword: 'x' }],
    ['an unknown field', { email: 'b@example.com' }],
  ])('refuses %s', async (_what, body) => {
    const user = await api.user();
    expect(codeOf(await user.patch('/users/me', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a password is set by a fresh link or the present password, and ends the other sessions', async () => {
    const user = await api.user();
    const { db } = api.context;
    const { token, session } = await addSession(db, user.userId, ROLES.owner.scopes, clock.now(), true);
    const other = await begin(['scene:read'], user.userId);
    await user.post('/login-codes', { kind: 'person', role: 'viewer' });
    const set = (body: object, by = token) => call(by, 'patch', '/users/me', body);

    expect((await user.patch('/users/me', { password: 'a long password' })).status).toBe(403);
    clock.forward(600);
    expect(codeOf(await set({ password: 'a long password' }))).toEqual([403, 'FORBIDDEN']);
    await db.session.update({ where: { id: session.id }, data: { createdAt: clock.now() } });
    expect((await set({ password: 'a long password' })).body.data.hasPassword).toBe(true);
    const ended = await db.session.findUniqueOrThrow({ where: { id: other.session.id } });
    expect([ended.revokedAt !== null, await db.loginCode.count({ where: { userId: user.userId } })]).toEqual([
      true,
      0,
    ]);

    await db.session.update({ where: { id: session.id }, data: { createdAt: new Date(0) } });
    expect((await set({ password: 'another password' })).body.message).toContain(
      'currentPassword: is missing',
    );
    const wrong = await set({ password: 'another password', currentPassword: 'a wrong password' });
    expect([wrong.status, wrong.body.message]).toEqual([400, 'currentPassword: is not the present password']);
    const right = await set({ password: 'another password', currentPassword: 'a long password' });
    expect(right.status).toBe(200);
    // The API key stays.
    expect((await user.get('/scenes')).status).toBe(200);
  });

  test('no code of an API key lets anybody set a password', async () => {
    const user = await api.user();
    const { code } = (await user.post('/login-codes', { kind: 'person', role: 'owner' })).body.data;
    const begun = await api.nobody.post('/session', { code });
    const [, token] = /^vas=([^;]+)/.exec(begun.headers['set-cookie']![0]!)!;
    expect(codeOf(await call(token!, 'patch', '/users/me', { password: 'a long password' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});
