import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectAsync } from 'mqtt';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { insertRows } from '../support/rows/insert-rows.ts';
import { type TestBroker, testBroker } from '../support/servers/mqtt-broker.ts';
import { bridgeOf, fire, measuredScene, type ToldBridge } from './world.ts';

let database: TestDatabase;
let broker: TestBroker;
let told: ToldBridge;
const bridges: ToldBridge[] = [];

function bridge(environment: Record<string, string> = {}): ToldBridge {
  const made = bridgeOf(
    database.db,
    { MQTT_URL: `mqtt://127.0.0.1:${broker.port}`, ...environment },
    // Its lease never ends.
    { nowMs: () => 0 },
  );
  bridges.push(made);
  return made;
}

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  broker = await testBroker();
  told = bridge();
});
afterEach(async () => {
  for (const made of bridges.splice(0)) await made.bridge.stop();
  await broker.stop();
  await database.db.user.deleteMany();
});

const stateOf = ({ userId, id }: { userId: string; id: string }) =>
  `video-analytics-service/${userId}/${id}/state`;

describe('a scene', () => {
  test('is published with its numbers; a client that comes later gets them', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
    const seen: Record<string, Record<string, unknown>> = {};
    client.on('message', (topic, payload) => {
      const text = payload.toString();
      seen[topic] = text.startsWith('{') ? JSON.parse(text) : { text };
    });
    await client.subscribeAsync('video-analytics-service/#');
    await eventually('both retained messages', () => Object.keys(seen).length === 2);
    await client.endAsync();
    expect(seen['video-analytics-service/status']).toEqual({ text: 'online' });
    expect(seen[stateOf(scene)]).toEqual({
      ...{ sceneId: scene.id, scene: 'Queue', deviceId: scene.deviceId, device: 'Camera' },
      ...{ camera: 'online', fault: null, analysis: 'running', alert: 'none', measured: true },
      measuredAt: scene.metricsUpdatedAt!.toISOString(),
      current: {
        ...{ inQueue: 4, inService: 1, totalPresent: 5, avgWaitSeconds: 61.235, maxWaitSeconds: 95 },
        ...{ estimatedWaitLowSeconds: null, estimatedWaitHighSeconds: null },
        ...{ estimatedWaitSeconds: null, avgServiceSeconds: null, maxServiceSeconds: null },
        ...{ openTills: null, servingTills: null, freeTills: null },
      },
      rolling15Min: {
        ...{ arrivals: null, abandonmentRate: 0.1, throughputPerHour: 36, coveragePercent: null },
        completed: { count: 9, avgWaitSeconds: 80.5, p90WaitSeconds: 120, avgServiceSeconds: null },
        abandoned: { count: 1 },
        ...{ avgOpenTills: null, tillUtilization: null, waitedWithFreeTillSeconds: null, serviceLevel: null },
      },
      total: { completed: { count: 300 }, abandoned: { count: 12 }, arrivals: 320 },
      bridgeId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('is published again only when something has changed', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    await told.turn();
    expect(broker.of('/state')).toHaveLength(1);
    expect(broker.of('/config')).not.toHaveLength(0);
    const configs = broker.of('/config').length;
    await database.db.scene.update({
      where: { id: scene.id },
      data: { latestMetrics: { current: { inQueue: 9 } } },
    });
    await told.turn();
    expect(broker.of('/state').map(({ current }) => (current as { inQueue: number }).inQueue)).toEqual([
      4, 9,
    ]);
    expect(broker.of('/config')).toHaveLength(configs);
  });

  test('whose numbers are old, or whose camera has a fault, is not measured', async () => {
    const old = await measuredScene(database.db, { metricsUpdatedAt: new Date(Date.now() - 90_000) });
    const broken = await measuredScene(database.db);
    await database.db.device.update({
      where: { id: broken.deviceId },
      data: { onlineStatus: 'offline', fault: { reason: 'no_frames', message: 'x', since: '2026-01-01' } },
    });
    await told.turn();
    const retained = broker.retained();
    expect(retained[stateOf(old)]).toMatchObject({ measured: false, camera: 'online', fault: null });
    expect(retained[stateOf(broken)]).toMatchObject({
      measured: false,
      camera: 'offline',
      fault: 'no_frames',
    });
  });

  test('whose run has ended is not measured, however new its numbers are', async () => {
    const failed = await measuredScene(database.db, { analysisStatus: 'error' });
    const stopped = await measuredScene(database.db, { analysisStatus: 'stopped' });
    await told.turn();
    const retained = broker.retained();
    expect(retained[stateOf(failed)]).toMatchObject({ measured: false, current: { inQueue: 4 } });
    expect(retained[stateOf(stopped)]).toMatchObject({ measured: false, current: { inQueue: 4 } });
  });

  test('tells the worst severity of its rules that fire', async () => {
    const scene = await measuredScene(database.db);
    await fire(database.db, scene);
    await database.db.alertRule.updateMany({ where: { sceneId: scene.id }, data: { isFiring: true } });
    await told.turn();
    expect(broker.retained()[stateOf(scene)]).toMatchObject({ alert: 'warning' });
    await database.db.alertRule.updateMany({ where: { sceneId: scene.id }, data: { severity: 'critical' } });
    await told.turn();
    expect(broker.retained()[stateOf(scene)]).toMatchObject({ alert: 'critical' });
  });

  test('of which there are more than a page has are all published', async () => {
    const first = await measuredScene(database.db);
    const { userId, deviceId, config } = first;
    const rest = { userId, deviceId, config, updatedAt: new Date() };
    const rows = Array.from({ length: 450 }, (_, at) => ({ name: `Scene ${at}`, ...rest }));
    await insertRows(database.db, 'Scene', rows);
    await told.turn();
    expect(broker.of('/state')).toHaveLength(451);
    expect(told.bridge.counts).toMatchObject({ state: 451, discovery: 451, removal: 0 });
  });
});

describe('what is gone', () => {
  test('is removed from the broker: a deleted scene with its discovery', async () => {
    const [kept, deleted] = [await measuredScene(database.db), await measuredScene(database.db)];
    await told.turn();
    const before = Object.keys(broker.retained()).filter((topic) => topic.includes(deleted.id));
    expect(before.length).toBeGreaterThan(10);
    await database.db.scene.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } });
    await told.turn();
    const topics = Object.keys(broker.retained());
    expect(topics.filter((topic) => topic.includes(deleted.id))).toEqual([]);
    expect(topics).toContain(stateOf(kept));
  });

  test('is removed also when it was deleted while nobody published', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    await told.bridge.stop();
    await database.db.user.delete({ where: { id: scene.userId } });
    // Of another installation on the same broker.
    const foreign = stateOf({ userId: scene.userId, id: scene.deviceId });
    await broker.say(foreign, JSON.stringify({ bridgeId: '0123456789abcdef' }), true);
    const next = bridge();
    await eventually('the older state is removed', async () => {
      await next.turn();
      return !(stateOf(scene) in broker.retained());
    });
    expect(Object.keys(broker.retained()).filter((topic) => topic.includes(scene.id))).toEqual([]);
    expect(broker.retained()).toHaveProperty([foreign]);
  });

  test('scenes of recordings and of users that are not named are never published', async () => {
    const [named, other, recorded] = await Promise.all([1, 2, 3].map(() => measuredScene(database.db)));
    await database.db.device.update({ where: { id: recorded!.deviceId }, data: { kind: 'recording' } });
    const one = bridge({ MQTT_USER_IDS: `${named!.userId}, ${recorded!.userId}` });
    await fire(database.db, other!);
    await one.turn();
    const topics = Object.keys(broker.retained());
    expect(topics.filter((topic) => topic.endsWith('/state'))).toEqual([stateOf(named!)]);
    expect(broker.of('/alert')).toEqual([]);
  });

  test('a renamed scene gets new names in its discovery', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    await database.db.scene.update({ where: { id: scene.id }, data: { name: 'Till 3' } });
    await told.turn();
    expect(broker.retained()[stateOf(scene)]).toMatchObject({ scene: 'Till 3' });
    const [, config] = Object.entries(broker.retained()).find(([topic]) =>
      topic.endsWith('in_queue/config'),
    )!;
    expect(config).toMatchObject({ device: { name: 'Till 3' } });
  });
});

describe('an alert event', () => {
  test('is published once, with the place of its page and without addresses of images', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    const eventId = await fire(database.db, scene);
    await told.bridge.publishAlerts();
    await told.turn();
    const [alert, ...others] = broker.messages.filter(({ topic }) => topic.endsWith('/alert'));
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      topic: `video-analytics-service/${scene.userId}/${scene.id}/alert`,
      isRetained: false,
      qos: 1,
    });
    const { id } = await database.db.alertEvent.findFirstOrThrow({ where: { sceneId: scene.id } });
    expect(JSON.parse(alert!.text)).toMatchObject({
      ...{ event_type: 'warning', severity: 'warning', eventId, alertEventId: id },
      ...{ rule: 'Long queue', message: 'Long queue: 7 > 5', actualValue: 7, threshold: 5 },
      url: `https://video.example.com/#/feed/${id}`,
    });
    expect(alert!.text).not.toContain('signature');
  });

  test('that is older than an hour, or of before the first start, is not published', async () => {
    const scene = await measuredScene(database.db);
    await database.db.setting.deleteMany({ where: { key: 'mqttBridge' } });
    await fire(database.db, scene, 'before');
    await told.turn();
    await told.bridge.stop();
    const old = await fire(database.db, scene, 'old');
    await database.db.event.update({
      where: { id: old },
      data: { createdAt: new Date(Date.now() - 3_700_000) },
    });
    await fire(database.db, scene, 'young');
    await bridge().turn();
    expect(broker.of('/alert').map(({ rule }) => rule)).toEqual(['young']);
  });

  test('a test of a webhook is not published', async () => {
    const scene = await measuredScene(database.db);
    await told.turn();
    const id = await fire(database.db, scene);
    await database.db.event.update({ where: { id }, data: { alertEventId: null } });
    await fire(database.db, scene, 'real');
    await told.turn();
    expect(broker.of('/alert').map(({ rule }) => rule)).toEqual(['real']);
  });
});
