import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requestStop } from '../../src/runs/store/stop-runs.store.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { type TestBroker, testBroker } from '../support/servers/mqtt-broker.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';
import { type Running, runBridge } from './world.ts';

let broker: TestBroker;
let api: TestApi;
let worker: TestWorker;
let bridge: Running;

beforeAll(async () => {
  broker = await testBroker();
  api = await testApi({ MQTT_URL: `mqtt://127.0.0.1:${broker.port}`, MQTT_INTERVAL_SECONDS: '1' });
  const { context, imagesDir } = api;
  worker = await startTestWorker({
    db: context.db,
    url: context.config.databaseUrl!,
    imagesDir,
    drop: async () => undefined,
  });
  bridge = runBridge(context);
});
afterAll(async () => {
  await bridge.stop();
  await worker.stop();
  await api.drop();
  await broker.stop();
});

test('what a camera measures and a rule notices reaches the broker; a deleted scene leaves it', async () => {
  const { db } = api.context;
  const { scene, task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=1&start=120'));
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  const conditions = [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 1 }];
  await addRule(db, place, { name: 'Somebody', severity: 'critical', conditions });
  const topic = `video-analytics-service/${scene.userId}/${scene.id}`;
  const [alert] = await eventually('an alert event', () => {
    const alerts = broker.of('/alert');
    return alerts.length > 0 && alerts;
  });
  const event = await db.alertEvent.findFirstOrThrow({ where: { sceneId: scene.id } });
  expect(alert).toMatchObject({
    ...{ event_type: 'critical', rule: 'Somebody', alertEventId: event.id, message: event.message },
  });
  const state = await eventually('numbers with somebody', () => {
    const seen = broker.retained()[`${topic}/state`] as { current: { totalPresent: number } } | undefined;
    return (seen?.current.totalPresent ?? 0) > 0 && seen;
  });
  expect(state).toMatchObject({ measured: true, camera: 'online', analysis: 'running', fault: null });
  expect(bridge.metrics().mqtt_connected).toEqual([{ labels: {}, value: 1 }]);
  expect(bridge.metrics().mqtt_published_total).toContainEqual({ labels: { kind: 'alert' }, value: 1 });

  const stop = { reason: 'user_request', drain: false, deadlineSeconds: 60 } as const;
  await requestStop(db, { ids: [task.id], deviceId: scene.deviceId }, stop);
  await db.scene.update({ where: { id: scene.id }, data: { deletedAt: new Date() } });
  await eventually('nothing of the scene is left', () =>
    Object.keys(broker.retained()).every((left) => !left.includes(scene.id)),
  );
});
