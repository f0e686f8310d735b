import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createKeyFor, createLoginLink, createUser, deleteUser } from '../../src/access/administer.ts';
import { setNetworks } from '../../src/access/networks.ts';
import { removeOldAudit } from '../../src/audit/audit.store.ts';
import { OPERATOR, recordAudit, strangerAt } from '../../src/audit/record-audit.ts';
import { recordHourly } from '../../src/audit/record-once.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { imagePath } from '../contract/cases.ts';
import { readCsv } from '../http/answer/read-csv.ts';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { withCookie } from '../support/rows/sessions.ts';

const DAY_MS = 86_400_000;
const PASSWORD = 'seven tills on a rainy day';
const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  owner = await api.user();
});
afterAll(() => api.drop());

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly actor: {
    readonly kind: string;
    readonly id: string | null;
    readonly networkAddress: string | null;
  };
  readonly target: { readonly kind: string; readonly id: string } | null;
  readonly details: Record<string, unknown>;
}

const entriesOf = async (user: ApiUser, query = ''): Promise<Entry[]> =>
  (await user.get(`/audit?limit=100${query}`)).body.data;
/** In the order in which they were written: commands use the clock of the machine. */
const actionsOf = async (user: ApiUser): Promise<string[]> =>
  (await entriesOf(user)).sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ action }) => action);

/** Signs in with the password, from the address of this test. */
const signIn = (email: string, password = PASSWORD) =>
  request(api.app).post('/api/v1/session').send({ email, password });

/** A user with a password, and the key of the command line. */
async function personWith(email: string): Promise<ApiUser> {
  const { key, userId } = await createUser(api.context.db, email, false);
  const call = (verb: 'delete' | 'get' | 'patch' | 'post' | 'put') => (path: string, body?: object) => {
    const sent = request(api.app)[verb](`/api/v1${path}`).set('Authorization', `Bearer ${key}`);
    return body ? sent.send(body) : sent;
  };
  const user = { userId, key: key!, get: call('get'), post: call('post'), put: call('put') };
  return { ...user, patch: call('patch'), delete: call('delete') };
}

describe('what is recorded', () => {
  test('of an account: creation, keys, sessions, wrong passwords and a new password', async () => {
    const { db } = api.context;
    const email = 'anna@example.com';
    const anna = await personWith(email);
    const made = await anna.post('/api-keys', { name: 'Dashboard', scopes: ['key:manage'] });
    await anna.delete(`/api-keys/${made.body.data.id}`);
    const code = await anna.post('/login-codes', { kind: 'person', role: 'viewer', label: 'Tablet' });
    const tablet = await request(api.app).post('/api/v1/session').send({ code: code.body.data.code });
    await anna.delete(`/sessions/${tablet.body.data.session.id}`);
    expect(await actionsOf(anna)).toEqual([
      ...['user_created', 'api_key_created', 'api_key_created', 'api_key_revoked'],
      ...['login_code_created', 'signed_in', 'session_revoked'],
    ]);
    const entries = await entriesOf(anna);
    const id = made.body.data.id as string;
    const caller = { kind: 'key', id: expect.any(String), networkAddress: '127.0.0.1' };
    expect(entries.find(({ action }) => action === 'user_created')?.actor).toEqual({
      ...{ kind: 'operator', id: null, networkAddress: null },
    });
    expect(entries.find(({ target }) => target?.id === id)).toMatchObject({
      ...{ action: 'api_key_revoked', actor: caller, target: { kind: 'api_key', id }, details: { keys: 1 } },
    });
    expect(entries.find(({ action }) => action === 'signed_in')).toMatchObject({
      actor: { kind: 'session', id: tablet.body.data.session.id, networkAddress: '127.0.0.1' },
      details: { method: 'code', kind: 'person', role: 'viewer', label: 'Tablet' },
    });
    expect(JSON.stringify(entries)).not.toContain(made.body.data.key);

    // A password, and the hour of a stranger who tries others.
    await db.user.update({ where: { id: anna.userId }, data: { passwordHash: null } });
    const link = await createLoginLink(api.context, email, { role: 'owner', screen: false });
    const begun = await request(api.app).post('/api/v1/session').send({ code: link.code });
    const cookie = begun
      .get('Set-Cookie')!
      .map((each) => /^vas=([^;]+)/.exec(each)?.[1])
      .find(Boolean)!;
    const inSession = withCookie(cookie);
    await request(api.app)
      .patch('/api/v1/users/me')
      .set(inSession)
      .send({ password: PASSWORD, name: 'Anna' });
    expect((await signIn(email, 'wrong wrong wrong')).status).toBe(401);
    expect((await signIn(email, 'wrong again wrong')).status).toBe(401);
    expect((await signIn('nobody@example.com', PASSWORD)).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
    await request(api.app).delete('/api/v1/session').set(inSession);
    const failed = await eventually('the wrong password is written', async () => {
      const found = await entriesOf(anna, '&action=sign_in_failed');
      return found.length > 0 && found;
    });
    expect(failed.map(({ actor }) => actor)).toEqual([
      { kind: 'address', id: null, networkAddress: '127.0.0.1' },
    ]);
    expect((await actionsOf(anna)).slice(7).filter((action) => action !== 'sign_in_failed')).toEqual([
      ...[
        'login_code_created',
        'signed_in',
        'account_changed',
        'password_changed',
        'signed_in',
        'signed_out',
      ],
    ]);
    expect((await entriesOf(anna, '&action=account_changed'))[0]!.details).toEqual({ fields: ['name'] });
  });

  test('of what operators and administrators do with a user', async () => {
    const { db } = api.context;
    const boss = await api.user(['admin']);
    const email = 'bert@example.com';
    const bert = await personWith(email);
    await createUser(db, email, true);
    await createKeyFor(db, email, { name: 'one more', scopes: ['scene:read'] });
    await setNetworks(db, email, ['10.1.0.0/16']);
    const { body } = await bert.post('/devices', { name: 'Shop', streamUrl: 'sim:shop?seed=1' });
    const deviceId = body.data.id as string;
    await boss.put(`/admin/users/${bert.userId}/quota`, { alert: 5 });
    for (const _ of ['first', 'repeated']) {
      const referenceId = '22222222-2222-2222-2222-222222222222';
      await boss.post(`/admin/users/${bert.userId}/quota/top-up`, {
        featureType: 'alert',
        amount: 7,
        referenceId,
      });
    }
    for (const isDisabled of [true, true, false])
      await boss.put(`/admin/devices/${deviceId}/quota`, { isDisabled, reason: 'unpaid' });
    expect((await actionsOf(bert)).slice(2)).toEqual([
      ...['administrator_granted', 'api_key_created', 'networks_changed', 'quota_changed', 'quota_changed'],
      ...['device_disabled', 'device_enabled'],
    ]);
    const [enabled, disabled, topUp, limit] = (await entriesOf(bert)).sort((a, b) => (a.id < b.id ? 1 : -1));
    const actor = { kind: 'administrator', id: boss.userId, networkAddress: '127.0.0.1' };
    const target = { kind: 'device', id: deviceId };
    expect(enabled).toMatchObject({ actor, target, details: { reason: 'unpaid' } });
    expect(disabled).toMatchObject({ actor, target });
    expect(topUp).toMatchObject({ actor, target: null, details: { alert: '+7', reason: null } });
    expect(limit).toMatchObject({ actor, details: { alert: 5 } });
  });

  test('of opened images: time and network address, once an hour', async () => {
    const user = await api.user();
    const key = newImageKey(clock.now(), user.userId);
    await api.context.images.put(key, Buffer.from('bytes'));
    const open = () => api.nobody.get(imagePath(api.context, key));
    const answers = await Promise.all([open(), open(), open()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await entriesOf(user)).toEqual([
      expect.objectContaining({
        action: 'image_viewed',
        actor: { kind: 'address', id: null, networkAddress: '127.0.0.1' },
        target: null,
        details: {},
      }),
    ]);
    expect((await api.nobody.get(imagePath(api.context, newImageKey(clock.now(), user.userId)))).status).toBe(
      404,
    );
    clock.forward(3_600);
    await open();
    expect(await actionsOf(user)).toEqual(['image_viewed', 'image_viewed']);
  });
});

describe('entries that exist once an hour', () => {
  const note = (userId: string, address: string, most = 3) =>
    ({
      userId,
      actor: strangerAt(address),
      action: 'image_viewed',
      key: address,
      most,
      at: clock.now(),
    }) as const;

  test('several processes write one; there are at most so many an hour', async () => {
    const { userId } = await api.user();
    const { db, config } = api.context;
    const another = createDb(config.databaseUrl!, { maxConnections: 2 });
    try {
      for (const process of [db, another, db])
        await Promise.all([1, 2].map(() => recordHourly(process, note(userId, '10.0.0.1'))));
      expect(await db.auditEntry.count({ where: { userId } })).toBe(1);
      for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'])
        await recordHourly(another, note(userId, address));
      expect(await db.auditEntry.count({ where: { userId } })).toBe(3);
      clock.forward(3_600);
      await recordHourly(db, note(userId, '10.0.0.1'));
      expect(await db.auditEntry.count({ where: { userId } })).toBe(4);
    } finally {
      await another.$disconnect();
    }
  });

  test('nothing is written for a user who is gone', async () => {
    await recordHourly(api.context.db, note('11111111-1111-1111-1111-111111111111', '10.0.0.1'));
  });

  test('after the first time it asks the database nothing', async () => {
    const { userId } = await api.user();
    const { db } = api.context;
    await recordHourly(db, note(userId, '10.0.0.1'));
    const closed = createDb('postgresql://nobody@127.0.0.1:1/none', { maxConnections: 1 });
    await expect(recordHourly(closed, note(userId, '10.0.0.1'))).rejects.toThrow();
    await db.user.delete({ where: { id: userId } });
    await recordHourly(db, note(userId, '10.0.0.1'));
    await closed.$disconnect();
  });
});

describe('nobody changes an entry', () => {
  const oldEntry = (userId: string, days: number) =>
    api.context.db.$transaction((tx) =>
      recordAudit(tx, {
        ...{ userId, actor: OPERATOR, action: 'user_created' },
        at: new Date(Date.now() - days * DAY_MS),
      }),
    );

  test('the database refuses changes, truncation, and the removal of young entries', async () => {
    const { db } = api.context;
    await oldEntry(owner.userId, 29);
    const refused = 'Entries of the audit log cannot be changed or removed';
    await expect(db.auditEntry.updateMany({ data: { action: 'signed_in' } })).rejects.toThrow(refused);
    await expect(db.auditEntry.deleteMany({ where: { userId: owner.userId } })).rejects.toThrow(refused);
    await expect(db.$executeRaw`TRUNCATE "AuditEntry"`).rejects.toThrow(refused);
    await expect(db.$executeRaw`TRUNCATE "User" CASCADE`).rejects.toThrow(refused);
  });

  test('retention removes entries after AUDIT_RETENTION_DAYS', async () => {
    const { db } = api.context;
    const { userId } = await api.user();
    for (const days of [20, 364, 366, 900]) await oldEntry(userId, days);
    const now = new Date();
    const context = { db, clock: { now: () => now }, config: { auditRetentionDays: 365 } };
    for (const _ of ['first', 'second']) {
      await removeOldAudit(context);
      expect(await db.auditEntry.count({ where: { userId } })).toBe(2);
    }
  });

  test('a user who is erased takes the entries along', async () => {
    const { db, images } = api.context;
    const carl = await personWith('carl@example.com');
    await oldEntry(carl.userId, 1);
    expect(await deleteUser({ db, images }, 'carl@example.com')).toBe(true);
    expect(await db.auditEntry.count({ where: { userId: carl.userId } })).toBe(0);
  });
});

describe('the list', () => {
  test('is filtered by action, actor, target and time, newest first, in pages, and as CSV', async () => {
    const { db } = api.context;
    const user = await api.user();
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute));
    const key = '33333333-3333-3333-3333-333333333333';
    for (const minute of [1, 2, 3, 4]) {
      await db.$transaction((tx) =>
        recordAudit(tx, {
          userId: user.userId,
          actor: { kind: 'key', id: minute < 3 ? key : null, networkAddress: null },
          action: minute === 1 ? 'signed_in' : 'quota_changed',
          target: { kind: 'device', id: `device ${minute}` },
          details: { text: '=1+1', minute },
          at: at(minute),
        }),
      );
    }
    const minutes = async (query: string) =>
      (await entriesOf(user, query)).map(({ details }) => details.minute);
    expect(await minutes('')).toEqual([4, 3, 2, 1]);
    expect(await minutes('&action=quota_changed')).toEqual([4, 3, 2]);
    expect(await minutes(`&actorId=${key}`)).toEqual([2, 1]);
    expect(await minutes('&targetId=device%203')).toEqual([3]);
    expect(await minutes('&from=2026-11-01T12:02:00Z&to=2026-11-01T12:04:00Z')).toEqual([3, 2]);
    const page = await user.get('/audit?limit=3&page=2');
    expect([page.body.data.length, page.body.meta.pagination.total]).toEqual([1, 4]);
    const csv = await user.get('/audit').set('Accept', 'text/csv');
    expect(readCsv(csv.text).map((row) => row[8])).toEqual([
      ...['targetId', 'device 4', 'device 3', 'device 2', 'device 1'],
    ]);
    const boss = await api.user(['admin']);
    const ofUser = await boss.get(`/admin/audit?userId=${user.userId}&action=signed_in`);
    expect(ofUser.body.data).toHaveLength(1);
    expect(
      new Set(
        (await boss.get('/admin/audit?limit=100')).body.data.map((each: { userId: string }) => each.userId),
      ).size,
    ).toBeGreaterThan(1);
  });

  test.each([
    ['action=nothing', 400, 'VALIDATION_ERROR'],
    ['actorId=x', 400, 'VALIDATION_ERROR'],
    ['targetId=', 400, 'VALIDATION_ERROR'],
    ['from=2026-11-02&to=2026-11-01', 400, 'INVALID_DATE_RANGE'],
    ['userId=33333333-3333-3333-3333-333333333333', 400, 'VALIDATION_ERROR'],
  ])('a bad filter: %s', async (query, status, code) => {
    expect(codeOf(await owner.get(`/audit?${query}`))).toEqual([status, code]);
  });

  test('needs key:manage, that of all users admin', async () => {
    const viewer = await api.user(['device:read', 'analytics:read']);
    expect(codeOf(await viewer.get('/audit'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(codeOf(await owner.get('/admin/audit'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});
