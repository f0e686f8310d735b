import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setNetworks } from '../../../src/access/networks.ts';
import { charge } from '../../../src/billing/charge.ts';
import { claimDueProbes } from '../../../src/cameras/devices/presence.store.ts';
import { freshMetrics } from '../../../src/delivery/live/live.store.ts';
import type { RecordingRow } from '../../../src/runs/recordings/recording.store.ts';
import { claimDueDevices } from '../../../src/runs/store/schedule.store.ts';
import { type ApiUser, codeOf, QUEUE_ZONE, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { addRecording } from '../../support/rows/recordings.ts';
import { addNode } from '../../support/rows/runs.ts';

const NOT_FOUND = [404, 'NOT_FOUND'];
const CONDITIONS = [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 3 }];
const CONFIG = { zones: { queueZone: QUEUE_ZONE } };

let api: TestApi;
let user: ApiUser;
let shop: { deviceId: string; sceneId: string };
let recording: RecordingRow;
let taskId: string;

beforeAll(async () => {
  api = await testApi({
    MAX_DEVICES_PER_USER: '2',
    MAX_SCENES_PER_USER: '2',
    MAX_RECORDINGS_PER_USER: '2',
  });
  const { context } = api;
  user = await api.user();
  shop = await shopOf(user);
  recording = await addRecording(context, user.userId);
  await addNode(context.db, 'alive');
  const started = await user.post(`/recordings/${recording.id}/analysis`, { plan: 'LEVEL_02' });
  taskId = started.body.data.analysis.taskId;
  await context.db.visit.create({
    data: {
      ...{ taskId, sceneId: recording.sceneId, number: 1, trackId: 1, state: 'closed', outcome: 'completed' },
      arrivalDecidedAt: new Date('2026-11-01T12:00:01Z'),
      outcomeDecidedAt: new Date('2026-11-01T12:00:02Z'),
    },
  });
  await context.db.scene.update({
    where: { id: recording.sceneId },
    data: { metricsUpdatedAt: new Date() },
  });
});
afterAll(() => api?.drop());

const total = async (path: string) => (await user.get(path)).body.meta.pagination.total as number;

test('no list and no count has the device, the scene and the task of a recording', async () => {
  expect(await total('/devices')).toBe(1);
  expect((await user.get('/scenes')).body.meta.pagination.totalRecords).toBe(1);
  expect((await user.get('/overview')).body.data).toHaveLength(1);
  expect(JSON.stringify((await user.get('/overview')).body)).not.toContain(recording.deviceId);
  expect((await user.get('/analysis/tasks')).body.data).toEqual([]);
  expect((await user.get('/analysis/tasks/statistics')).body.data.total).toBe(0);
  expect((await user.get('/visits')).body.data).toEqual([]);
  expect(await freshMetrics(api.context.db, user.userId, new Date())).toEqual([]);
});

test('calls of devices do not know its device', async () => {
  const path = `/devices/${recording.deviceId}`;
  const { sceneId } = recording;
  for (const call of [
    ...[user.get(path), user.patch(path, { name: 'x' }), user.delete(path)],
    ...[user.get(`${path}/frame`), user.get(`${path}/live`)],
    user.post(`${path}/analysis/start`, { sceneId }),
    user.post(`${path}/analysis/stop`, {}),
    ...[user.get(`${path}/analysis/status`), user.get(`${path}/analysis/history`)],
    user.post('/scenes', {
      deviceId: recording.deviceId,
      name: 'x',
      analysisType: 'queue_analysis',
      config: CONFIG,
    }),
    user.post('/sites', { name: 'x', timezone: 'UTC', deviceIds: [recording.deviceId] }),
  ])
    expect(codeOf(await call)).toEqual(NOT_FOUND);
});

test('calls of scenes read its scene and do not change it', async () => {
  const path = `/scenes/${recording.sceneId}`;
  expect((await user.get(path)).body.data).toMatchObject({
    id: recording.sceneId,
    recordingId: recording.id,
  });
  expect((await user.get(`/scenes/${shop.sceneId}`)).body.data.recordingId).toBeNull();
  for (const call of [
    user.patch(path, { name: 'x' }),
    user.patch(path, { config: CONFIG }),
    user.patch(`${path}?restart=true`, { config: CONFIG }),
    user.delete(path),
  ])
    expect(codeOf(await call)).toEqual(NOT_FOUND);
});

test('what is measured on it is read by the calls of every scene', async () => {
  const { sceneId } = recording;
  const path = `/analytics/scenes/${sceneId}`;
  const range = 'from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z';
  for (const query of [
    ...[`${path}/latest`, `${path}/series?${range}`, `${path}/heatmap?${range}`],
    ...[`${path}/distribution?${range}`, `${path}/floor?${range}`],
    ...[`/analytics/snapshots?sceneId=${sceneId}`, `/analytics/rolling?sceneId=${sceneId}`],
  ])
    expect([query, (await user.get(query)).status]).toEqual([query, 200]);
  const series = await user.get(`${path}/series?${range}`);
  expect(series.body.data.timezone).toBe('Europe/Berlin');
  expect((await user.get(`/visits?sceneId=${sceneId}`)).body.data).toHaveLength(1);
  expect((await user.get(`/analysis/tasks/${taskId}`)).body.data.id).toBe(taskId);
});

test('alert rules are previewed on it, and not created', async () => {
  const { sceneId } = recording;
  const range = { startDate: '2026-11-01T00:00:00Z', endDate: '2026-11-02T00:00:00Z' };
  const preview = await user.post('/alerts/rules/preview', { sceneId, conditions: CONDITIONS, ...range });
  expect(preview.status).toBe(200);
  const rule = { name: 'Rule', severity: 'warning', conditions: CONDITIONS };
  const refused = await user.post('/alerts/rules', { ...rule, sceneId });
  expect([codeOf(refused), refused.body.message]).toEqual([
    [400, 'VALIDATION_ERROR'],
    expect.stringContaining('/alerts/rules/preview'),
  ]);
  const { id } = (await user.post('/alerts/rules', { ...rule, sceneId: shop.sceneId })).body.data;
  expect(codeOf(await user.patch(`/alerts/rules/${id}`, { sceneId }))).toEqual([400, 'VALIDATION_ERROR']);
});

test('it is neither probed nor scheduled, also after a change of the networks', async () => {
  const { db } = api.context;
  const owner = await db.user.findUniqueOrThrow({ where: { id: user.userId } });
  await setNetworks(db, owner.email, ['none']);
  const probed = (await claimDueProbes(db, { everySeconds: 3600, limit: 100 })).map(({ id }) => id);
  expect(probed).toContain(shop.deviceId);
  expect(probed).not.toContain(recording.deviceId);
  const claim = { now: new Date(Date.now() + 86_400_000), retryAt: new Date(), limit: 100 };
  expect(await claimDueDevices(db, claim)).toEqual([]);
  const { streamRevision } = await db.device.findUniqueOrThrow({ where: { id: recording.deviceId } });
  expect(streamRevision).toBe(1);
});

test('its analysis is told to nobody', async () => {
  const { data } = (await user.get('/events')).body;
  expect(JSON.stringify(data)).not.toContain(recording.deviceId);
});

test('no client may name such an address', async () => {
  const streamUrl = `recording:${recording.id}`;
  expect(codeOf(await user.post('/devices', { ...SHOP, streamUrl }))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await user.patch(`/devices/${shop.deviceId}`, { streamUrl }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
});

describe('billing', () => {
  test('lists it with its type, also after it was deleted', async () => {
    const { db, clock } = api.context;
    const one = await addRecording(api.context, user.userId);
    await db.$transaction((tx) =>
      charge(tx, {
        ...{ userId: user.userId, deviceId: one.deviceId, sceneId: one.sceneId },
        ...{ feature: 'analysis', analysisType: 'queue_analysis', quantity: 60, sourceId: 'slice' },
        occurredAt: clock.now(),
      }),
    );
    const shares = async () => (await user.get('/billing/summary/by-device')).body.data;
    const expected = { deviceId: one.deviceId, deviceName: one.name, deviceType: 'recording' };
    expect(await shares()).toMatchObject([{ ...expected, analysisSeconds: 60 }]);
    const usage = await user.get(`/usage/devices/${one.deviceId}`);
    expect(usage.body.data).toMatchObject(expected);
    expect((await user.delete(`/recordings/${one.id}`)).status).toBe(204);
    expect(await shares()).toMatchObject([expected]);
  });
});

test('recordings do not count as devices or scenes, and have a limit of their own', async () => {
  expect((await user.post('/devices', SHOP)).status).toBe(201);
  expect(codeOf(await user.post('/devices', SHOP))).toEqual([409, 'LIMIT_REACHED']);
  await addRecording(api.context, user.userId);
  const query = 'recordedAt=2026-11-01T09:00:00Z&timezone=UTC';
  const third = await user
    .post(`/recordings?${query}`)
    .set('Content-Type', 'application/octet-stream')
    .send('x');
  expect(codeOf(third)).toEqual([409, 'LIMIT_REACHED']);
});
