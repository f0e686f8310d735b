import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { refusedUrl } from '../../support/servers/stream-server.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
beforeAll(async () => {
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1' });
  [owner, other] = [await api.user(), await api.user()];
});
afterAll(() => api.drop());
beforeEach(async () => {
  await api.context.db.analysisTask.deleteMany();
  await api.context.db.computeNode.deleteMany();
});

const node = (columns: object = {}) =>
  api.context.db.computeNode.create({
    data: {
      name: randomUUID(),
      host: 'test',
      version: '1',
      incarnation: randomUUID(),
      maxConcurrentDevices: 2,
      ...columns,
    },
  });
const start = (shop: { deviceId: string; sceneId: string }, body: object = {}, user = owner) =>
  user.post(`/devices/${shop.deviceId}/analysis/start`, { sceneId: shop.sceneId, ...body });
const stop = (deviceId: string, body?: object) => owner.post(`/devices/${deviceId}/analysis/stop`, body);
const sceneOf = (sceneId: string) => api.context.db.scene.findUniqueOrThrow({ where: { id: sceneId } });
const taskOf = (id: string) => api.context.db.analysisTask.findUniqueOrThrow({ where: { id } });

/** What a node does when it claims a run and processes its first frame. */
async function claim(taskId: string, computeNodeId: string) {
  const { db } = api.context;
  const claimed = { computeNodeId, epoch: 1, startedAt: new Date(Date.now() - 1500) };
  await db.analysisTask.update({ where: { id: taskId }, data: { ...claimed, status: 'PROCESSING' } });
  return db.analysisTask.update({ where: { id: taskId }, data: { runStatus: 'running' } });
}

describe('start', () => {
  test('queues a run and reserves a node for it', async () => {
    const { id } = await node({ averageInitMs: 1234 });
    const shop = await shopOf(owner);
    const { status, body } = await start(shop, { priority: 1 });
    expect(status).toBe(202);
    expect(body.data).toEqual({
      sceneId: shop.sceneId,
      deviceId: shop.deviceId,
      analysisId: expect.any(String),
      sceneType: 'queue_analysis',
      status: 'initializing',
      estimatedInitMs: 1234,
      createdAt: expect.any(String),
    });
    expect(body.meta.computeNodeId).toBe(id);
    expect(await taskOf(body.data.analysisId)).toMatchObject({
      status: 'QUEUED',
      priority: 1,
      reservedNodeId: id,
      userId: owner.userId,
    });
    const { reservedUntil, createdAt } = await taskOf(body.data.analysisId);
    expect(Math.abs(reservedUntil!.getTime() - createdAt.getTime() - 5000)).toBeLessThan(500);
    expect(await sceneOf(shop.sceneId)).toMatchObject({
      analysisStatus: 'starting',
      // Null while the run waits for its first node.
      analysisStartedAt: null,
    });
  });

  test('checks in this order: device, scene, running, online, disabled, nodes', async () => {
    const shop = await shopOf(owner);
    const { db } = api.context;
    const said = async () => codeOf(await start(shop))[1];
    await db.device.update({ where: { id: shop.deviceId }, data: { isDisabled: true } });
    await db.scene.update({
      where: { id: shop.sceneId },
      data: { status: 'paused', analysisStatus: 'running' },
    });
    expect(codeOf(await start({ deviceId: ABSENT, sceneId: ABSENT }))[1]).toBe('NOT_FOUND');
    expect(await said()).toBe('NO_ACTIVE_SCENES');
    await db.scene.update({ where: { id: shop.sceneId }, data: { status: 'active' } });
    expect(await said()).toBe('ALREADY_RUNNING');
    await db.scene.update({ where: { id: shop.sceneId }, data: { analysisStatus: 'stopped' } });
    const streamUrl = await refusedUrl('rtsp');
    await owner.patch(`/devices/${shop.deviceId}`, { streamUrl });
    expect(await said()).toBe('DEVICE_OFFLINE');
    await owner.patch(`/devices/${shop.deviceId}`, { streamUrl: SHOP.streamUrl });
    expect(await said()).toBe('QUOTA_EXCEEDED');
    await db.device.update({ where: { id: shop.deviceId }, data: { isDisabled: false } });
    expect(await said()).toBe('NO_COMPUTE_NODE');
    await node();
    expect((await start(shop)).status).toBe(202);
  });

  test('answers 409 for a camera that cannot be read, with the reason for programs and for people', async () => {
    await node();
    const shop = await shopOf(owner);
    const streamUrl = (await refusedUrl('rtsp')).replace('://', '://user:secret@');
    await owner.patch(`/devices/${shop.deviceId}`, { streamUrl });
    await api.context.db.device.update({ where: { id: shop.deviceId }, data: { onlineStatus: 'unknown' } });
    const { status, body, headers } = await start(shop);
    expect([status, body.error.code, headers['retry-after']]).toEqual([409, 'DEVICE_OFFLINE', undefined]);
    expect((await owner.get(`/devices/${shop.deviceId}`)).body.data.onlineStatus).toBe('offline');
    expect(body.error.details).toEqual([
      {
        path: 'streamUrl',
        reason: 'connection_refused',
        message: expect.stringMatching(/refuses connections: check host and port/),
      },
    ]);
    expect(body.message).toMatch(/^The device is offline: .* refuses connections/);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('answers 503 with Retry-After without an online node; the scene stays at rest', async () => {
    await node({ lastHeartbeatAt: new Date(Date.now() - 31_000) });
    await node({ isDraining: true });
    const shop = await shopOf(owner);
    const { status, body, headers } = await start(shop);
    expect([status, body.error]).toEqual([503, { code: 'NO_COMPUTE_NODE' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await sceneOf(shop.sceneId)).toMatchObject({ analysisStatus: 'idle' });
    expect(await api.context.db.analysisTask.count({ where: { sceneId: shop.sceneId } })).toBe(0);
  });

  test('reserves the node that streams the device, else the least loaded healthy node, and none when all are full', async () => {
    await node({ health: 'degraded' });
    await node({ isDraining: true });
    await node({ lastHeartbeatAt: new Date(Date.now() - 31_000) });
    const [a, b] = [
      await node({ maxConcurrentDevices: 1, averageInitMs: 3000 }),
      await node({ maxConcurrentDevices: 2, averageInitMs: 2000 }),
    ];
    const [first, second, third, fourth] = [
      await shopOf(owner),
      await shopOf(owner),
      await shopOf(owner),
      await shopOf(owner),
    ];
    const nodeOf = async (shop: typeof first) => (await start(shop)).body.meta.computeNodeId;
    const reserved = [await nodeOf(first), await nodeOf(second), await nodeOf(third)];
    expect(reserved.sort()).toEqual([a.id, b.id, b.id].sort());
    const full = await start(fourth);
    expect([full.status, full.body.meta.computeNodeId]).toEqual([202, undefined]);
    // No node is reserved, so this is the mean of all nodes.
    expect(full.body.data.estimatedInitMs).toBe(2500);
    const beside = await owner.post('/scenes', {
      deviceId: first.deviceId,
      name: 'Second scene',
      analysisType: 'queue_analysis',
    });
    const firstTask = await api.context.db.analysisTask.findFirstOrThrow({
      where: { sceneId: first.sceneId, status: 'QUEUED' },
    });
    expect(await nodeOf({ deviceId: first.deviceId, sceneId: beside.body.data.id })).toBe(
      firstTask.reservedNodeId,
    );
  });

  test('starts exactly one run when fifty requests come at once', async () => {
    await node();
    const shop = await shopOf(owner);
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(shop)));
    const codes = answers.map(codeOf);
    expect(codes.filter(([status]) => status === 202)).toHaveLength(1);
    expect(codes.filter(([status, code]) => status === 409 && code === 'ALREADY_RUNNING')).toHaveLength(49);
    expect(await api.context.db.analysisTask.count({ where: { sceneId: shop.sceneId } })).toBe(1);
  });

  test('answers 409 when a run is active although the scene’s row says that it is at rest', async () => {
    await node();
    const shop = await shopOf(owner);
    await start(shop);
    await api.context.db.scene.update({ where: { id: shop.sceneId }, data: { analysisStatus: 'idle' } });
    expect(codeOf(await start(shop))).toEqual([409, 'ALREADY_RUNNING']);
  });

  test('refuses a scene that is not active or belongs to another device', async () => {
    await node();
    const [shop, second] = [await shopOf(owner), await shopOf(owner)];
    expect(codeOf(await start({ ...shop, sceneId: second.sceneId }))).toEqual([409, 'NO_ACTIVE_SCENES']);
    await owner.patch(`/scenes/${shop.sceneId}`, { status: 'paused' });
    expect(codeOf(await start(shop))).toEqual([409, 'NO_ACTIVE_SCENES']);
  });

  test('refuses a disabled device', async () => {
    await node();
    const shop = await shopOf(owner);
    await api.context.db.device.update({ where: { id: shop.deviceId }, data: { isDisabled: true } });
    expect(codeOf(await start(shop))).toEqual([402, 'QUOTA_EXCEEDED']);
  });

  test('refuses absent, foreign and malformed ids', async () => {
    const [shop, foreign] = [await shopOf(owner), await shopOf(other)];
    expect(codeOf(await start({ ...shop, deviceId: ABSENT }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await start({ ...shop, sceneId: ABSENT }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await start(foreign))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await start({ ...shop, sceneId: foreign.sceneId }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await start({ ...shop, deviceId: 'x' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await start({ ...shop, sceneId: 'x' }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each([0, 6, 1.5, '1'])('priority %j is refused', async (priority) => {
    expect(codeOf(await start({ deviceId: ABSENT, sceneId: ABSENT }, { priority }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  test('notifies the nodes in the same transaction', async () => {
    await node();
    const { listen } = await import('../../../src/platform/database/notify.ts');
    const shop = await shopOf(owner);
    const told = await new Promise<string>((resolve) => {
      const listener = listen({
        databaseUrl: api.context.config.databaseUrl!,
        channels: ['analysis_runs'],
        onConnect: () => void start(shop).then(),
        onNotify: (_channel, payload) => void listener.close().then(() => resolve(payload)),
      });
    });
    expect(told).toBe(shop.deviceId);
  });
});

describe('stop', () => {
  test('cancels a queued run at once', async () => {
    await node();
    const shop = await shopOf(owner);
    const { analysisId } = (await start(shop)).body.data;
    const { status, body } = await stop(shop.deviceId, { reason: 'scheduled' });
    expect(status).toBe(200);
    const run = {
      ...shop,
      analysisId,
      sceneType: 'queue_analysis',
      status: 'stopped',
      stoppedAt: expect.any(String),
      processingDuration: { seconds: 0, milliseconds: 0 },
    };
    expect(body.data).toEqual({ ...run, runs: [run] });
    expect(await taskOf(analysisId)).toMatchObject({ status: 'CANCELLED', reason: 'scheduled' });
    expect((await sceneOf(shop.sceneId)).analysisStatus).toBe('stopped');
    expect((await start(shop)).status).toBe(202);
  });

  test.each([
    [false, 5000],
    [true, 12_000],
  ])('a running one is stopped by its node; drained: %s', async (drain, withinMs) => {
    const { id } = await node();
    const shop = await shopOf(owner);
    const { analysisId } = (await start(shop)).body.data;
    await claim(analysisId, id);
    await api.context.db.scene.update({ where: { id: shop.sceneId }, data: { analysisStatus: 'running' } });
    const stopping = stop(shop.deviceId, { drain }).then((answer) => answer);
    while ((await sceneOf(shop.sceneId)).analysisStatus !== 'stopping');
    const asked = await taskOf(analysisId);
    expect(asked.stopDeadlineAt!.getTime() - asked.stopRequestedAt!.getTime()).toBe(withinMs);
    expect([asked.drain, asked.reason]).toEqual([drain, 'user_request']);
    expect(codeOf(await owner.patch(`/scenes/${shop.sceneId}`, { name: 'x' }))[1]).toBe(
      'SCENE_ANALYSIS_ACTIVE',
    );
    await api.context.db.analysisTask.update({
      where: { id: analysisId },
      data: { status: 'COMPLETED', runStatus: 'stopped', completedAt: new Date(), processingTimeMs: 1500 },
    });
    const { body } = await stopping;
    expect(body.data).toMatchObject({
      status: 'stopped',
      processingDuration: { seconds: 1.5, milliseconds: 1500 },
    });
    expect((await taskOf(analysisId)).epoch).toBe(1);
  });

  test('ends the run after five seconds when its node does not answer', async () => {
    const { id } = await node();
    const shop = await shopOf(owner);
    const { analysisId } = (await start(shop)).body.data;
    await claim(analysisId, id);
    const { status, body } = await stop(shop.deviceId);
    expect([status, body.data.status]).toEqual([200, 'stopped']);
    expect(body.data.processingDuration.milliseconds).toBeGreaterThan(6000);
    expect(await taskOf(analysisId)).toMatchObject({ status: 'COMPLETED', epoch: 2 });
    expect((await sceneOf(shop.sceneId)).analysisStatus).toBe('stopped');
  });

  test('stops only the named scene', async () => {
    await node();
    const shop = await shopOf(owner);
    const second = (
      await owner.post('/scenes', { deviceId: shop.deviceId, name: 'b', analysisType: 'queue_analysis' })
    ).body.data.id;
    await start(shop);
    await start({ ...shop, sceneId: second });
    const { body } = await stop(shop.deviceId, { sceneId: shop.sceneId });
    expect(body.data.runs).toHaveLength(1);
    expect((await sceneOf(second)).analysisStatus).toBe('starting');
    await start(shop);
    const { data } = (await stop(shop.deviceId)).body;
    expect(data.runs.map(({ sceneId }: { sceneId: string }) => sceneId)).toEqual([shop.sceneId, second]);
    expect(data).toMatchObject(data.runs[0]);
  });

  test('refuses a device without runs, and absent, foreign and malformed ids', async () => {
    const [shop, foreign] = [await shopOf(owner), await shopOf(other)];
    expect(codeOf(await stop(shop.deviceId))).toEqual([409, 'NOT_RUNNING']);
    expect(codeOf(await stop(ABSENT))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await stop(foreign.deviceId))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await stop(shop.deviceId, { sceneId: foreign.sceneId }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await stop('x'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await stop(shop.deviceId, { reason: 'boredom' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await stop(shop.deviceId, { drain: 'yes' }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('status', () => {
  const status = (deviceId: string) => owner.get(`/devices/${deviceId}/analysis/status`);

  test('sums up the online nodes, with the worst health, when the device has no run', async () => {
    const { deviceId } = await shopOf(owner);
    expect((await status(deviceId)).body.data).toEqual({
      computeNodeHealth: 'offline',
      computeNodeHealthReason: null,
      activeDeviceCount: 0,
      maxConcurrentDevices: 0,
      devices: [{ deviceId, fault: null, warnings: [], scenes: [] }],
    });
    await node({ activeDeviceCount: 1, maxConcurrentDevices: 4 });
    await node({ activeDeviceCount: 2, maxConcurrentDevices: 8, health: 'degraded' });
    await node({ maxConcurrentDevices: 100, lastHeartbeatAt: new Date(Date.now() - 31_000) });
    expect((await status(deviceId)).body.data).toMatchObject({
      computeNodeHealth: 'degraded',
      activeDeviceCount: 3,
      maxConcurrentDevices: 12,
    });
  });

  test('shows the node of the newest run and the state of each run', async () => {
    const { id } = await node({ activeDeviceCount: 1, maxConcurrentDevices: 4 });
    const shop = await shopOf(owner);
    const { analysisId } = (await start(shop)).body.data;
    await claim(analysisId, id);
    const frames = { processedFrames: 10, skippedFrames: 4, heldFrames: 3, droppedFrames: 1 };
    const stats = { ...frames, fps: 5, avgProcessingTimeMs: 20.5 };
    const unknown = { analysedRegion: null, networkSize: null, decoding: null, attributes: null };
    await api.context.db.analysisTask.update({ where: { id: analysisId }, data: { stats } });
    const { data } = (await status(shop.deviceId)).body;
    const capacity = { activeDeviceCount: 1, maxConcurrentDevices: 4 };
    expect(data).toMatchObject({ computeNodeHealth: 'healthy', ...capacity });
    expect(data.devices).toEqual([
      {
        deviceId: shop.deviceId,
        fault: null,
        warnings: [],
        scenes: [
          {
            sceneId: shop.sceneId,
            sceneType: 'queue_analysis',
            status: 'running',
            fault: null,
            warnings: [],
            uptimeMs: expect.any(Number),
            startedAt: expect.any(String),
            stats: { ...stats, ...unknown },
          },
        ],
      },
    ]);
    expect(data.devices[0].scenes[0].uptimeMs).toBeGreaterThanOrEqual(1500);
    const detail = (await owner.get(`/analysis/tasks/${analysisId}`)).body.data;
    expect(detail).toMatchObject({ status: 'processing', stats: { ...stats, attributes: null } });

    const counts = { present: 1, people: 3, meanDecisionSeconds: 75.2, longestDecisionSeconds: 101.6 };
    const staff = { ...counts, members: [] };
    const withStaff = { stats: { ...stats, staff } };
    await api.context.db.analysisTask.update({ where: { id: analysisId }, data: withStaff });
    const shown = (await status(shop.deviceId)).body.data.devices[0].scenes[0].stats;
    expect(shown).toEqual({ ...stats, ...unknown, staff });
    expect((await owner.get(`/analysis/tasks/${analysisId}`)).body.data.stats).toEqual(shown);
  });
});

test('every route refuses a key without the scope, and a request without a key', async () => {
  const reader = await api.user(['TASK_READ']);
  for (const action of ['start', 'stop']) {
    const path = `/devices/${ABSENT}/analysis/${action}`;
    expect(codeOf(await reader.post(path, {}))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(codeOf(await api.nobody.post(path, {}))).toEqual([401, 'UNAUTHORIZED']);
  }
  expect(codeOf(await reader.get(`/devices/${ABSENT}/analysis/status`))).toEqual([404, 'NOT_FOUND']);
});
