import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cameraStats } from '../../../scripts/support/silent-lanes.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { TestNode } from '../../support/test-node.ts';

// During an outage every route shows the fault, its start, and 0 frames a second.

let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.drop());
beforeEach(async () => {
  await api.context.db.computeNode.deleteMany();
});

/** A scene that is analysed at five frames a second. */
async function running() {
  const shop = await shopOf(user);
  const { deviceId } = shop;
  const node = await TestNode.join(api.context.db, 'node', { leaseSeconds: 600 });
  await user.post(`/devices/${deviceId}/analysis/start`, { sceneId: shop.sceneId });
  await node.supervisor.renew();
  await node.supervisor.claim();
  const { id } = await api.context.db.analysisTask.findFirstOrThrow({ where: shop });
  return {
    node,
    taskId: id,
    deviceId,
    async frames() {
      // Later than the previous fault, which has the time of now.
      node.forwardTo(new Date(Date.now() + 1_000).toISOString());
      node.events.onStats(cameraStats(deviceId));
      node.frame(deviceId);
      await node.supervisor.record();
    },
    async stops(faultReason: 'wrong_credentials' | 'connection_refused', message: string) {
      node.events.onStream({
        type: 'stream',
        deviceId,
        event: 'failed',
        message,
        faultReason,
        isUndecodable: false,
        restartsInARow: 1,
        restartsWithoutFrame: 1,
        info: null,
      });
      await node.supervisor.record();
    },
    /** What all routes show; the routes must agree. */
    async said() {
      const [status, task, [listed], device, [inList]] = await Promise.all(
        [
          `/devices/${deviceId}/analysis/status`,
          `/analysis/tasks/${id}`,
          `/analysis/tasks?deviceId=${deviceId}`,
          `/devices/${deviceId}`,
          '/devices?limit=1',
        ].map(async (path) => (await user.get(path)).body.data),
      );
      const [onDevice] = status.devices;
      const [scene] = onDevice.scenes;
      const { fault, warnings } = device;
      for (const other of [onDevice, scene, task, listed, inList])
        expect([other.fault, other.warnings]).toEqual([fault, warnings]);
      expect(task.stats.fps).toBe(scene.stats.fps);
      return { status: scene.status, fps: scene.stats.fps, fault };
    },
  };
}

const CLOCK_ERROR_MS = 5_000;

test('a camera that refuses shows the fault, its start and 0 frames a second until the next frame', async () => {
  const { frames, stops, said } = await running();
  await frames();
  expect(await said()).toEqual({ status: 'running', fps: 5, fault: null });
  const beforeMs = Date.now();
  const message = 'rtsp://***:***@192.0.2.1/live asks for other credentials (401)';
  await stops('wrong_credentials', message);
  const first = await said();
  expect(first).toEqual({
    status: 'running',
    fps: 0,
    fault: { reason: 'wrong_credentials', message, since: expect.any(String) },
  });
  // The node takes the time from the database, and knows it to half of the time that the answer took.
  expect(Date.parse(first.fault.since)).toBeGreaterThanOrEqual(beforeMs - CLOCK_ERROR_MS);
  expect(Date.parse(first.fault.since)).toBeLessThanOrEqual(Date.now() + CLOCK_ERROR_MS);
  await stops('connection_refused', 'It refuses connections.');
  expect((await said()).fault).toEqual({
    reason: 'connection_refused',
    message: 'It refuses connections.',
    since: first.fault.since,
  });
  await frames();
  expect(await said()).toEqual({ status: 'running', fps: 5, fault: null });
});

test('a frame from before the fault that is analysed after it does not end the fault', async () => {
  const { node, frames, stops, said, deviceId } = await running();
  await frames();
  await stops('connection_refused', 'It refuses connections.');
  // By the time of the fault: the steps since then may have taken long.
  const since = Date.parse((await said()).fault.since);
  node.forwardTo(new Date(since - 1_000).toISOString());
  node.frame(deviceId);
  await node.supervisor.record();
  expect((await said()).fault).toMatchObject({ reason: 'connection_refused' });
});

test('a camera without frames shows a fault after five seconds, before its connection is closed', async () => {
  const { node, frames, said } = await running();
  await frames();
  node.seconds = 4.9;
  await node.supervisor.record();
  expect(await said()).toMatchObject({ fps: 5, fault: null });
  node.seconds = 5;
  await node.supervisor.record();
  expect(await said()).toMatchObject({ status: 'running', fps: 0, fault: { reason: 'no_frames' } });
  await frames();
  expect(await said()).toMatchObject({ fps: 5, fault: null });
});

test('a camera that starts shows no fault for thirty seconds without a frame', async () => {
  const { node, said, frames } = await running();
  node.seconds = 29;
  await node.supervisor.record();
  const { deviceId } = await api.context.db.analysisTask.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
  const fault = async () => (await user.get(`/devices/${deviceId}`)).body.data.fault;
  expect(await fault()).toBeNull();
  node.seconds = 30;
  await node.supervisor.record();
  expect(await fault()).toMatchObject({ reason: 'no_frames' });
  await frames();
  expect(await said()).toMatchObject({ status: 'running', fault: null });
});

test('the API shows a fault by the time of the last frame when the node reports nothing', async () => {
  const { frames, said, taskId } = await running();
  await frames();
  const lastFrameAt = new Date(Date.now() - 9_000);
  await api.context.db.analysisTask.update({ where: { id: taskId }, data: { lastFrameAt } });
  expect(await said()).toMatchObject({
    status: 'running',
    fps: 0,
    fault: { reason: 'node_silent', since: lastFrameAt.toISOString() },
  });
  await frames();
  expect(await said()).toMatchObject({ fps: 5, fault: null });
});

test('an ended run shows no fault; its camera keeps the fault with which its stream stopped', async () => {
  const { node, frames, stops, deviceId, taskId } = await running();
  await frames();
  await stops('connection_refused', 'It refuses connections.');
  const { runId } = node.run(deviceId);
  await api.context.db.analysisTask.update({ where: { id: taskId }, data: { stopRequestedAt: new Date() } });
  await node.supervisor.renew();
  node.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
  await node.supervisor.record();
  await node.supervisor.record();
  const task = (await user.get(`/analysis/tasks/${taskId}`)).body.data;
  expect(task).toMatchObject({ status: 'completed', fault: null, stats: { fps: 0 } });
  expect((await user.get(`/devices/${deviceId}`)).body.data.fault).toMatchObject({
    reason: 'connection_refused',
  });
});
