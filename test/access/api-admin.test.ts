import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { claimRuns } from '../../src/runs/store/claim-runs.store.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, TestClock, testApi } from '../support/api.ts';
import { addDevice, addNode, queueScene } from '../support/rows/runs.ts';
import { told } from '../support/told.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
clock.time = new Date('2025-11-12T12:00:00.000Z');
let api: TestApi;
let admin: ApiUser;
let user: ApiUser;
let deviceId: string;
beforeAll(async () => {
  api = await testApi({}, clock);
  [admin, user] = [await api.user(['admin', 'key:manage']), await api.user()];
  deviceId = (await user.post('/devices', SHOP)).body.data.id;
});
afterAll(() => api.drop());

describe('administration requires the scope admin', () => {
  test.each([
    ['get', '/admin/users'],
    ['post', '/admin/users'],
    ['post', `/admin/users/${ABSENT}/quota/top-up`],
    ['put', `/admin/users/${ABSENT}/quota`],
    ['put', `/admin/devices/${ABSENT}/quota`],
    ['get', '/admin/compute-nodes'],
    ['get', '/admin/overview'],
    ['get', `/admin/users/${ABSENT}`],
    ['post', '/admin/announcements'],
  ] as const)('%s %s', async (verb, path) => {
    expect(codeOf(await api.nobody[verb](path))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await user[verb](path, verb === 'get' ? undefined : {}))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });
});

describe('users', () => {
  test('are created with a first key that has every scope except admin', async () => {
    const email = `${randomUUID()}@example.com`;
    const { status, body } = await admin.post('/admin/users', { email, name: 'Shop' });
    expect(status).toBe(201);
    const { apiKey, ...shown } = body.data;
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(shown).toEqual({ id: expect.any(String), email, name: 'Shop', isAdmin: false, ...times });
    const call = (path: string) =>
      request(api.app).get(`/api/v1${path}`).set('Authorization', `Bearer ${apiKey}`);
    expect((await call('/scenes')).status).toBe(200);
    expect(codeOf(await call('/admin/users'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await admin.get(`/admin/users?q=${email.slice(0, 20)}`)).body.data).toEqual([shown]);
    expect(codeOf(await admin.post('/admin/users', { email }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each([
    {},
    { email: 'x' },
    { email: 'a@example.com', isAdmin: true },
    { email: 'a@example.com', name: '' },
  ])('%j is refused', async (body) => {
    expect(codeOf(await admin.post('/admin/users', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('are listed newest first, in pages', async () => {
    const { data, meta } = (await admin.get('/admin/users?limit=1')).body;
    expect(data).toHaveLength(1);
    expect(meta.pagination.total).toBe(await api.context.db.user.count({ where: { deletedAt: null } }));
    expect(codeOf(await admin.get('/admin/users?limit=0'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the quota of a user', () => {
  const quotaOf = async (who: ApiUser) => (await who.get('/billing/monthly-quota')).body.data;

  test('a top-up applies to this month, once per reference', async () => {
    const who = await api.user();
    const body = { featureType: 'vlm', amount: 500, referenceId: randomUUID(), reason: 'paid by invoice' };
    const top = () => admin.post(`/admin/users/${who.userId}/quota/top-up`, body);
    const answers = await Promise.all([top(), top(), top()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await quotaOf(who)).vlmTokens).toEqual({ limit: 1_000_500, used: 0, balance: 1_000_500 });
    const [row] = (await who.get('/billing/transactions?source=admin_manual')).body.data;
    expect(row).toMatchObject({
      ...{ type: 'credit', amount: 500, balanceBefore: 1_000_000, balanceAfter: 1_000_500 },
      ...{ referenceId: body.referenceId, reason: 'paid by invoice', deviceId: null },
    });
    const december = (await who.get('/billing/monthly-quota?billingPeriod=2025-12')).body.data;
    expect(december.vlmTokens.limit).toBe(1_000_000);
  });

  test('is set for this month and all later months, also to unlimited and back', async () => {
    const who = await api.user();
    const set = async (body: object) => (await admin.put(`/admin/users/${who.userId}/quota`, body)).body.data;
    await admin.post(`/admin/users/${who.userId}/quota/top-up`, { featureType: 'alert', amount: 7 });
    expect((await set({ alert: 50, analysis: null })).alertCount.limit).toBe(50);
    expect((await quotaOf(who)).analysisSeconds).toEqual({ limit: null, used: 0, balance: null });
    expect(await set({ analysis: 0, reason: 'not paid' })).toMatchObject({
      analysisSeconds: { limit: 0, balance: 0 },
      alertCount: { limit: 50 },
    });
    const december = (await who.get('/billing/monthly-quota?billingPeriod=2025-12')).body.data;
    expect([december.alertCount.limit, december.analysisSeconds.limit]).toEqual([50, 0]);
    const changes = (await who.get('/billing/transactions?source=admin_adjustment')).body.data;
    expect(
      changes.map((row: { type: string; amount: number; reason: string | null }) => [
        row.type,
        row.amount,
        row.reason,
      ]),
    ).toEqual([
      ['debit', 2_678_400, 'not paid'],
      ['debit', 9957, null],
      ['credit', 0, null],
    ]);
  });

  test('accepts the names of the reports, so that a report can be sent back', async () => {
    const who = await api.user();
    const set = async (body: object) => (await admin.put(`/admin/users/${who.userId}/quota`, body)).body.data;
    const wanted = { analysisSeconds: 7200, alertCount: 20, attributeCount: 30, vlmTokens: null };
    const reported = await set(wanted);
    const limits = Object.fromEntries(Object.keys(wanted).map((name) => [name, reported[name].limit]));
    expect(limits).toEqual(wanted);
    expect(await set(limits)).toEqual(reported);
    expect((await set({ analysisSeconds: 60, alert: 21 })).alertCount.limit).toBe(21);
  });

  test('a limit under both names is refused, and the answer says which name to use', async () => {
    const both = { analysis: 60, analysisSeconds: 60 };
    const answer = await admin.put(`/admin/users/${user.userId}/quota`, both);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].path).toBe('analysis');
    expect(answer.body.message).toContain('send only analysisSeconds');
  });

  test.each([
    ['post', 'quota/top-up', { featureType: 'vlm' }],
    ['post', 'quota/top-up', { featureType: 'vlm', amount: 0 }],
    ['post', 'quota/top-up', { featureType: 'vlm', amount: 1e15 }],
    ['post', 'quota/top-up', { featureType: 'tokens', amount: 1 }],
    ['post', 'quota/top-up', { featureType: 'vlm', amount: 1, referenceId: 'x' }],
    ['put', 'quota', {}],
    ['put', 'quota', { reason: 'none' }],
    ['put', 'quota', { analysis: -1 }],
    ['put', 'quota', { analysis: 1.5 }],
    ['put', 'quota', { analysisSeconds: -1 }],
    ['put', 'quota', { vlmTokens: '7' }],
    ['put', 'quota', { analysisseconds: 7 }],
  ] as const)('%s %s %j is refused', async (verb, path, body) => {
    const answer = await admin[verb](`/admin/users/${user.userId}/${path}`, body);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('404 for a user who does not exist', async () => {
    const top = { featureType: 'vlm', amount: 1 };
    expect(codeOf(await admin.post(`/admin/users/${ABSENT}/quota/top-up`, top))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await admin.put(`/admin/users/${ABSENT}/quota`, { vlm: 1 }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await admin.put('/admin/users/x/quota', { vlm: 1 }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the quota of a device', () => {
  test('limits are set, and the device is disabled and enabled', async () => {
    const put = (body: object) => admin.put(`/admin/devices/${deviceId}/quota`, body);
    const limited = (await put({ analysisSeconds: 3600, isDisabled: true })).body.data;
    expect(limited).toMatchObject({
      ...{ deviceId, quotaSeconds: 3600, usedSeconds: 0, remainingSeconds: 3600, usagePercentage: 0 },
      ...{ isUnlimited: false, isDisabled: true, alertQuota: null },
    });
    expect((await user.get(`/usage/devices/${deviceId}`)).body.data).toEqual(limited);
    expect((await user.get(`/devices/${deviceId}`)).body.data.isDisabled).toBe(true);
    expect((await put({ isDisabled: false })).body.data).toMatchObject({
      isDisabled: false,
      quotaSeconds: 3600,
    });
    expect((await put({ analysis: null })).body.data).toMatchObject({
      isUnlimited: true,
      quotaSeconds: null,
    });
  });

  test('404 for an absent or deleted device, 400 for an empty body', async () => {
    const goneId = (await user.post('/devices', SHOP)).body.data.id;
    await user.delete(`/devices/${goneId}`);
    for (const id of [ABSENT, goneId]) {
      expect(codeOf(await admin.put(`/admin/devices/${id}/quota`, { vlm: 1 }))).toEqual([404, 'NOT_FOUND']);
    }
    expect(codeOf(await admin.put(`/admin/devices/${deviceId}/quota`, {}))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

test('compute nodes are listed by name; nodes without a heartbeat are offline', async () => {
  const common = { host: 'h', version: '1', maxConcurrentDevices: 4 };
  await api.context.db.computeNode.createMany({
    data: [
      { ...common, name: 'b', lastHeartbeatAt: new Date(Date.now() - 31_000) },
      { ...common, name: 'a', activeDeviceCount: 2, lastHeartbeatAt: new Date() },
    ],
  });
  const { data, meta } = (await admin.get('/admin/compute-nodes')).body;
  expect(data).toMatchObject([
    {
      ...{ ...common, id: expect.any(String), name: 'a', health: 'healthy', activeDeviceCount: 2 },
      ...{
        model: null,
        executionProvider: null,
        adapter: null,
        providerReason: null,
        isDraining: false,
        clockSkewMs: 0,
        startedAt: expect.any(String),
      },
    },
    { ...common, name: 'b', health: 'offline', lastHeartbeatAt: expect.any(String) },
  ]);
  expect(meta.pagination.total).toBe(2);
  expect((await admin.get('/admin/compute-nodes?page=2&limit=1')).body.data).toHaveLength(1);
});

describe('GET /admin/users/{id}', () => {
  test('shows the limits of each month, and of this month with top-ups and usage', async () => {
    const { data: before } = (await admin.get(`/admin/users/${user.userId}`)).body;
    const { month, monthlyLimits, ...shown } = before;
    const [listed] = (await admin.get(`/admin/users?q=${before.email}`)).body.data;
    expect(shown).toEqual(listed);
    expect(month).toEqual((await user.get('/billing/monthly-quota')).body.data);
    await admin.put(`/admin/users/${user.userId}/quota`, { alertCount: 10 });
    const topUp = { featureType: 'alert', amount: 5 };
    await admin.post(`/admin/users/${user.userId}/quota/top-up`, topUp);
    const { data } = (await admin.get(`/admin/users/${user.userId}`)).body;
    expect(data.monthlyLimits).toEqual({ ...monthlyLimits, alertCount: 10 });
    expect(data.month.alertCount).toMatchObject({ limit: 15 });
  });

  test('a user that does not exist is 404', async () => {
    expect(codeOf(await admin.get(`/admin/users/${ABSENT}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await admin.get('/admin/users/x'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('announcements', () => {
  const BODY = { type: 'maintenance_scheduled', title: 'Update', message: 'A few minutes.' };
  const eventsOf = (userId: string) => told(api.context.db, { userId });

  test('go to all users, with a delivery for each subscribed webhook', async () => {
    await user.post('/users/me/webhook', { url: 'https://hooks.example.com/' });
    const span = { startsAt: '2026-02-01T02:00:00.000Z', endsAt: '2026-02-01T02:15:00.000Z' };
    const { status, body } = await admin.post('/admin/announcements', { ...BODY, ...span });
    expect(status).toBe(201);
    const everybody = await api.context.db.user.count({ where: { deletedAt: null } });
    expect(body.data).toEqual({
      ...{ ...BODY, ...span, id: expect.any(String), userIds: [], recipientCount: everybody },
      createdAt: expect.any(String),
    });
    expect(await api.context.db.event.count()).toBe(everybody);
    expect(await eventsOf(user.userId)).toMatchObject([{ type: 'maintenance_scheduled', data: span }]);
    const [delivery] = (await user.get('/users/me/webhook/deliveries')).body.data;
    expect(delivery.payload).toMatchObject({
      type: 'maintenance_scheduled',
      data: { title: 'Update', message: 'A few minutes.', ...span },
    });
  });

  test('go to the named users, or to nobody if one does not exist', async () => {
    const who = await api.user();
    const userIds = [who.userId, who.userId];
    const { data } = (
      await admin.post('/admin/announcements', { ...BODY, type: 'system_announcement', userIds })
    ).body;
    expect(data).toMatchObject({ userIds: [who.userId], recipientCount: 1, startsAt: null, endsAt: null });
    expect(await eventsOf(who.userId)).toMatchObject([
      { type: 'system_announcement', data: { title: 'Update' } },
    ]);
    const missing = await admin.post('/admin/announcements', { ...BODY, userIds: [who.userId, ABSENT] });
    expect(codeOf(missing)).toEqual([404, 'NOT_FOUND']);
    expect(await eventsOf(who.userId)).toHaveLength(1);
  });

  test('are shown to their recipients until they end', async () => {
    const [who, another] = [await api.user(), await api.user()];
    const shownTo = async (reader: ApiUser) =>
      (await reader.get('/announcements')).body.data.map(({ title }: { title: string }) => title);
    const own = { type: 'system_announcement', message: 'M', userIds: [who.userId] };
    const { id } = (await admin.post('/admin/announcements', { ...own, title: 'Own' })).body.data;
    await admin.post('/admin/announcements', { ...own, title: 'Over', endsAt: '2020-01-01' });
    await admin.post('/admin/announcements', { ...own, title: 'Later', startsAt: '2999-01-01' });
    expect((await shownTo(who)).slice(0, 2)).toEqual(['Later', 'Own']);
    expect(await shownTo(who)).not.toContain('Over');
    expect(await shownTo(another)).not.toContain('Own');
    expect((await admin.delete(`/admin/announcements/${id}`)).status).toBe(204);
    expect(await shownTo(who)).not.toContain('Own');
    const { data } = (await admin.get('/admin/announcements?limit=3')).body;
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Later', 'Over', 'Own']);
    const ended = data[2].endedAt;
    expect(ended).toEqual(expect.any(String));
    await admin.delete(`/admin/announcements/${id}`);
    expect((await admin.get('/admin/announcements?limit=3')).body.data[2].endedAt).toBe(ended);
    expect(codeOf(await admin.delete(`/admin/announcements/${ABSENT}`))).toEqual([404, 'NOT_FOUND']);
  });

  test.each([
    ['another type', { type: 'alert_triggered' }, 'VALIDATION_ERROR'],
    ['no title', { title: '' }, 'VALIDATION_ERROR'],
    ['a long message', { message: 'x'.repeat(5001) }, 'VALIDATION_ERROR'],
    ['nobody', { userIds: [] }, 'VALIDATION_ERROR'],
    ['a malformed user', { userIds: ['x'] }, 'VALIDATION_ERROR'],
    ['an end before the start', { startsAt: '2026-02-02', endsAt: '2026-02-01' }, 'INVALID_DATE_RANGE'],
  ])('%s is refused', async (_name, change, code) => {
    expect(codeOf(await admin.post('/admin/announcements', { ...BODY, ...change }))).toEqual([400, code]);
  });
});

describe('the start of an analysis', () => {
  test('is refused when the analysis seconds of the user or device are used up, or the device is disabled', async () => {
    const scene = { deviceId, name: 'Till', analysisType: 'queue_analysis' };
    const sceneId = (await user.post('/scenes', scene)).body.data.id;
    await api.context.db.computeNode.create({
      data: { name: 'n', host: 'h', version: '1', maxConcurrentDevices: 2 },
    });
    await api.context.db.device.update({ where: { id: deviceId }, data: { onlineStatus: 'online' } });
    const start = () => user.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    const refusals = [
      [`/admin/users/${user.userId}/quota`, { analysis: 0 }, { analysis: 100 }],
      [`/admin/devices/${deviceId}/quota`, { analysis: 0 }, { analysis: null }],
      [`/admin/devices/${deviceId}/quota`, { isDisabled: true }, { isDisabled: false }],
    ] as const;
    for (const [path, refusing, allowing] of refusals) {
      await admin.put(path, refusing);
      expect([path, ...codeOf(await start())]).toEqual([path, 402, 'QUOTA_EXCEEDED']);
      await admin.put(path, allowing);
    }
    expect((await start()).status).toBe(202);
  });
});

test('a draining node is shown as such, and takes runs again when it is told to', async () => {
  const { db } = api.context;
  const nodeId = await addNode(db, 'leaving');
  const claim = () => claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 4, leaseSeconds: 15 });
  const { task } = await queueScene(db, await addDevice(db));
  const path = `/admin/compute-nodes/${nodeId}`;
  expect((await admin.patch(path, { isDraining: true })).body.data).toMatchObject({
    id: nodeId,
    isDraining: true,
  });
  expect(await claim()).toEqual([]);
  expect((await admin.patch(path, { isDraining: false })).body.data.isDraining).toBe(false);
  expect(await claim()).toEqual(expect.arrayContaining([expect.objectContaining({ id: task.id })]));
  expect(codeOf(await admin.patch(path, {}))).toEqual([400, 'VALIDATION_ERROR']);
  // Only changes are in the audit log.
  expect((await admin.patch(path, { isDraining: false })).status).toBe(200);
  const { data: entries } = (await admin.get(`/admin/audit?targetId=${nodeId}`)).body;
  expect(entries).toMatchObject(
    ['compute_node_resumed', 'compute_node_drained'].map((action) => ({
      action,
      userId: admin.userId,
      actor: { kind: 'administrator', id: admin.userId, networkAddress: '127.0.0.1' },
      target: { kind: 'compute_node', id: nodeId },
      details: { name: 'leaving' },
    })),
  );
  expect(codeOf(await admin.patch(`/admin/compute-nodes/${ABSENT}`, { isDraining: true }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
});
