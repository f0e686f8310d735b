import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../scripts/webhook-receiver/certificate.ts';
import type { BridgeOptions } from '../../src/mqtt/mqtt-bridge.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { insertRows } from '../support/rows/insert-rows.ts';
import { type TestBroker, type TestBrokerOptions, testBroker } from '../support/servers/mqtt-broker.ts';
import { bridgeOf, fire, measuredScene, type ToldBridge } from './world.ts';

const STATUS = 'video-analytics-service/status';
let database: TestDatabase;
const brokers: TestBroker[] = [];
const bridges: ToldBridge[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  for (const made of bridges.splice(0)) await made.bridge.stop();
  for (const made of brokers.splice(0)) await made.stop();
  await database.db.user.deleteMany();
  await database.db.setting.deleteMany({ where: { key: 'mqttBridge' } });
});

async function broker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const made = await testBroker(options);
  brokers.push(made);
  return made;
}

/** A bridge with a clock that the test moves. */
function bridge(port: number, options: BridgeOptions & { url?: string; ca?: string } = {}) {
  const clock = { ms: 1_000_000 };
  const { url = `mqtt://127.0.0.1:${port}`, ca, ...others } = options;
  const environment = { MQTT_URL: url, ...(ca && { MQTT_CA_FILE: ca }) };
  const made = bridgeOf(database.db, environment, { nowMs: () => clock.ms, ...others });
  bridges.push(made);
  const pass = (seconds: number) => {
    clock.ms += seconds * 1000;
  };
  return { ...made, pass };
}

/** Ends the lease, as the time does when its holder has died. */
const endLease = () => database.db.$executeRaw`
  UPDATE "Setting" SET value = value || '{"until": 1}' WHERE key = 'mqttBridge'`;

describe('a broker that is away', () => {
  test('is asked again after growing pauses, and logged once', async () => {
    const gone = await broker();
    await brokers.pop()!.stop();
    const { turn, pass, lines, bridge: one } = bridge(gone.port);
    for (let at = 0; at < 20; at += 1) {
      await turn();
      pass(1);
    }
    expect(lines).toEqual([
      `The MQTT broker 127.0.0.1:${gone.port} does not listen there: check host and port of MQTT_URL. Nothing is published by MQTT until it is back; the bridge tries again.`,
    ]);
    expect(one.isConnected).toBe(false);
  });

  test('gets the newest numbers when it is back, and every alert event of the meantime', async () => {
    const first = await broker();
    const { turn, pass } = bridge(first.port);
    const scene = await measuredScene(database.db);
    await turn();
    brokers.splice(0);
    await first.stop();
    for (const inQueue of [7, 8, 9]) {
      await database.db.scene.update({
        where: { id: scene.id },
        data: { latestMetrics: { current: { inQueue } } },
      });
      await turn();
    }
    const missed = [await fire(database.db, scene), await fire(database.db, scene)];
    await turn();
    const second = await broker({ port: first.port });
    await eventually('the bridge publishes again', async () => {
      pass(5);
      await turn();
      return second.of('/alert').length > 0;
    });
    expect(second.of('/state')).toMatchObject([{ current: { inQueue: 9 } }]);
    expect(second.of('/alert').map(({ eventId }) => eventId)).toEqual(missed);
    expect(second.retained()[STATUS]).toBe('online');
  });

  test('that answers nothing is given up, and the alert events come again', async () => {
    const frozen = await broker();
    const { turn, pass, bridge: one } = bridge(frozen.port, { confirmMs: 300 });
    const scene = await measuredScene(database.db);
    await turn();
    const eventId = await fire(database.db, scene);
    frozen.freeze();
    await turn();
    expect(one.isConnected).toBe(false);
    brokers.splice(0);
    await frozen.stop();
    const next = await broker({ port: frozen.port });
    await eventually('the alert event is published', async () => {
      pass(5);
      await turn();
      return next.of('/alert').some((alert) => alert.eventId === eventId);
    });
  });

  test('is left to another process after half a minute', async () => {
    const good = await broker();
    const away = await broker();
    await brokers.pop()!.stop();
    const far = bridge(away.port);
    const near = bridge(good.port);
    await measuredScene(database.db);
    await far.turn();
    await near.turn();
    expect(good.of('/state')).toEqual([]);
    for (let at = 0; at < 12; at += 1) {
      far.pass(5);
      await far.turn();
    }
    await near.turn();
    expect(good.of('/state')).toHaveLength(1);
  });
});

describe('a broker that refuses', () => {
  test('a wrong password is named in the log, and the password never', async () => {
    const closed = await broker({ login: { user: 'shop', password: 'right' } });
    const { turn, lines, pass } = bridge(0, { url: `mqtt://shop:sesame@127.0.0.1:${closed.port}` });
    await turn();
    pass(10);
    await turn();
    expect(closed.logins).toEqual(['shop:sesame', 'shop:sesame']);
    expect(lines).toEqual([expect.stringContaining('refuses the user or the password of MQTT_URL')]);
    expect(lines.join()).not.toContain('sesame');
  });

  test('user and password are sent; a topic that may not be read is named and stops nothing', async () => {
    const strict = await broker({
      login: { user: 'shop', password: 'p@ss' },
      unreadable: /\+|^homeassistant/,
    });
    const { turn, lines } = bridge(0, { url: `mqtt://shop:p%40ss@127.0.0.1:${strict.port}` });
    await measuredScene(database.db);
    await turn();
    expect(strict.of('/state')).toHaveLength(1);
    expect(lines).toEqual([
      expect.stringContaining('does not let the bridge read video-analytics-service/+/+/state'),
      'The MQTT bridge publishes',
    ]);
  });

  test('TLS: a certificate that is not trusted is named; MQTT_CA_FILE makes it trusted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mqtt-test-'));
    const { key, certificate } = await makeCertificate();
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, certificate);
    const secure = await broker({ tls: { key, cert: certificate } });
    const url = `mqtts://localhost:${secure.port}`;
    await measuredScene(database.db);
    const distrustful = bridge(0, { url });
    await distrustful.turn();
    expect(distrustful.lines).toEqual([expect.stringContaining('give its authority in MQTT_CA_FILE')]);
    await distrustful.bridge.stop();
    const trusting = bridge(0, { url, ca });
    await trusting.turn();
    expect(secure.of('/state')).toHaveLength(1);
    const none = join(folder, 'none.pem');
    expect(() => bridge(0, { url, ca: none })).toThrow(`MQTT_CA_FILE: ${none} cannot be read`);
    await rm(folder, { recursive: true });
  });
});

describe('two processes', () => {
  test('one of them publishes; the other takes over and neither loses nor repeats alert events', async () => {
    const one = await broker();
    const [first, second] = [bridge(one.port), bridge(one.port)];
    const scene = await measuredScene(database.db);
    await first.turn();
    await second.turn();
    const eventIds = [await fire(database.db, scene)];
    await first.turn();
    await second.turn();
    expect([first.bridge.isConnected, second.bridge.isConnected]).toEqual([true, false]);
    expect(one.of('/state')).toHaveLength(1);
    // The first one hangs: its lease ends, and it does not know.
    eventIds.push(await fire(database.db, scene));
    await endLease();
    await second.turn();
    expect(second.bridge.isConnected).toBe(true);
    await eventually('the broker ends the older connection', () => !first.bridge.isConnected);
    first.pass(20);
    await first.turn();
    eventIds.push(await fire(database.db, scene));
    await second.turn();
    await first.turn();
    expect(one.of('/alert').map(({ eventId }) => eventId)).toEqual(eventIds);
    expect(one.clientIds).toHaveLength(1);
    await eventually('the status says online', () => one.retained()[STATUS] === 'online');
  });

  test('a process that stops leaves at once, and says offline until another one publishes', async () => {
    const one = await broker();
    const [first, second] = [bridge(one.port), bridge(one.port)];
    await first.turn();
    await first.bridge.stop();
    expect(one.retained()[STATUS]).toBe('offline');
    await second.turn();
    expect(one.retained()[STATUS]).toBe('online');
  });

  test('a process that cannot renew its lease publishes nothing when it is over', async () => {
    const one = await broker();
    const { turn, bridge: only, pass } = bridge(one.port);
    const scene = await measuredScene(database.db);
    await turn();
    await fire(database.db, scene);
    pass(16);
    await only.turn();
    expect(one.of('/alert')).toEqual([]);
    expect(one.retained()[STATUS]).toBe('offline');
  });

  test('a process whose lease ends in the middle of a turn publishes the rest with its next lease', async () => {
    const one = await broker();
    const scene = await measuredScene(database.db);
    const { userId, deviceId, config } = scene;
    const rest = { userId, deviceId, config, updatedAt: new Date() };
    const rows = Array.from({ length: 300 }, (_, at) => ({ name: `Scene ${at}`, ...rest }));
    await insertRows(database.db, 'Scene', rows);
    // The clock jumps as soon as the first state has come.
    let nowMs = 0;
    const made = bridge(one.port, { nowMs: () => (one.of('/state').length > 0 ? 20_000 : nowMs) });
    await made.turn();
    const published = one.of('/state').length;
    expect(published).toBeGreaterThan(0);
    expect(published).toBeLessThan(301);
    expect(made.bridge.isConnected).toBe(false);
    nowMs = 20_000;
    await made.turn();
    expect(Object.keys(one.retained()).filter((topic) => topic.endsWith('/state'))).toHaveLength(301);
  });

  test('a process that dies is noticed: the broker says offline', async () => {
    const one = await broker();
    const { turn } = bridge(one.port);
    await turn();
    expect(one.retained()[STATUS]).toBe('online');
    one.cut();
    await eventually('the last will', () => one.retained()[STATUS] === 'offline');
  });
});

test('Home Assistant that has started gets every discovery again', async () => {
  const one = await broker();
  let wishes = 0;
  const { turn } = bridge(one.port, { onWish: () => (wishes += 1) });
  await measuredScene(database.db);
  await turn();
  const configs = one.of('/config').length;
  const before = wishes;
  await one.say('homeassistant/status', 'online');
  await eventually('the bridge has heard it', () => wishes > before);
  await turn();
  expect(one.of('/config')).toHaveLength(2 * configs);
  expect(one.of('/state')).toHaveLength(1);
});

test('MQTT_DISCOVERY_PREFIX=none publishes no discovery', async () => {
  const one = await broker();
  const made = bridgeOf(database.db, {
    MQTT_URL: `mqtt://127.0.0.1:${one.port}`,
    MQTT_DISCOVERY_PREFIX: 'none',
  });
  bridges.push(made);
  await measuredScene(database.db);
  await made.turn();
  expect(one.of('/state')).toHaveLength(1);
  expect(one.of('/config')).toEqual([]);
});
