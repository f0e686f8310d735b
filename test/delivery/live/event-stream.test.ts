import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../src/access/create-key.ts';
import { createApp } from '../../../src/app.ts';
import { writeDeviceConditions } from '../../../src/cameras/devices/condition.store.ts';
import { EVENTS, type EventType } from '../../../src/delivery/events/catalogue.ts';
import { emit } from '../../../src/delivery/events/emit.ts';
import { announceInsight } from '../../../src/delivery/live/announce-insight.ts';
import type { Scope } from '../../../src/http/permission.ts';
import { EVERY_SCOPE } from '../../../src/http/roles.ts';
import { createDb } from '../../../src/platform/database/db.ts';
import { CHANNELS, notify } from '../../../src/platform/database/notify.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { type EventStream, type StreamServer, serveStreams } from '../../support/streams/event-stream.ts';

let api: TestApi;
let replicas: StreamServer[];
let user: ApiUser;
const opened: EventStream[] = [];

beforeAll(async () => {
  api = await testApi({ MAX_EVENT_STREAMS_PER_USER: '52' });
  const { config } = api.context;
  // A second process: nothing of the first's is shared but the database.
  const other = createApp(
    { ...api.context, config: { ...config }, db: createDb(config.databaseUrl!) },
    { checkResponses: true },
  );
  replicas = await Promise.all([api.app, other].map(serveStreams));
});
afterAll(async () => {
  await Promise.all(replicas.map((server) => server.close()));
  await api.drop();
});
beforeEach(async () => {
  user = await api.user();
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

async function open(
  path = '/stream',
  { who = user, replica = 0, lastEventId }: { who?: ApiUser; replica?: number; lastEventId?: string } = {},
): Promise<EventStream> {
  const stream = await replicas[replica]!.open(path, {
    authorization: `Bearer ${who.key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  });
  opened.push(stream);
  return stream;
}

let keys = 0;
function tell(who: ApiUser, type: 'device_offline' | 'analysis_started' | 'system_announcement', name = 'x') {
  const id = '11111111-1111-1111-1111-111111111111';
  const data = {
    device_offline: { deviceId: id, deviceName: name, lastFrameAt: null },
    analysis_started: {
      analysisId: id,
      sceneId: id,
      sceneName: name,
      deviceId: id,
      computeNodeId: null,
      status: 'running' as const,
    },
    system_announcement: { title: name, message: '' },
  }[type];
  keys += 1;
  const event = { userId: who.userId, type, data, occurredAt: new Date(), dedupeKey: `stream:${keys}` };
  return api.context.db.$transaction((tx) => emit(tx, event as Parameters<typeof emit>[1]));
}
const namesOf = (stream: EventStream) =>
  stream.events.map(({ data }) => {
    const { deviceName, sceneName } = (data as { data: Record<string, unknown> }).data;
    return deviceName ?? sceneName;
  });

describe('GET /stream', () => {
  test('a key may have fifty streams open; closing one allows another', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => open('/stream?types=device')));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await open();
    expect([refused.status, JSON.parse(refused.text).message]).toEqual([
      ...[429, 'This API key or session has 50 streams open: close one first'],
    ]);
    expect((await open('/stream', { who: await api.user() })).status).toBe(200);
    streams[0]!.close();
    const again = await eventually('there is room', async () => {
      const next = await open();
      return next.status === 200 && next;
    });
    expect(again.status).toBe(200);
  });

  test('a user may have MAX_EVENT_STREAMS_PER_USER open, whatever number of keys and sessions opens them', async () => {
    const { key } = await createKey(api.context.db, {
      userId: user.userId,
      name: 'other',
      scopes: EVERY_SCOPE,
    });
    const second = { ...user, key };
    const streams = await Promise.all(
      Array.from({ length: 52 }, (_, at) => open('/stream?types=device', { who: at < 50 ? user : second })),
    );
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await open('/stream', { who: second });
    expect([refused.status, JSON.parse(refused.text).message]).toEqual([
      ...[429, 'You have 52 event streams open (MAX_EVENT_STREAMS_PER_USER): close one first'],
    ]);
    expect((await open('/stream', { who: await api.user() })).status).toBe(200);
    streams[0]!.close();
    await eventually('there is room', async () => (await open('/stream', { who: second })).status === 200);
  });

  test('sends stored events with the body of a webhook, on every API process', async () => {
    const streams = [await open(), await open('/stream', { replica: 1 })];
    const id = await tell(user, 'device_offline', 'Till');
    for (const stream of streams) {
      const [event] = await stream.of('device');
      expect(event).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        data: { id, type: 'device_offline', data: { deviceName: 'Till' } },
      });
    }
  });

  test('starts with new events; with Last-Event-ID it continues after that event, in order and without repetition', async () => {
    for (const name of ['1', '2', '3']) await tell(user, 'device_offline', name);
    const first = await open();
    await tell(user, 'device_offline', '4');
    const [four] = await first.of('device');
    expect(namesOf(first)).toEqual(['4']);
    first.close();
    for (let n = 5; n < 110; n++) await tell(user, 'device_offline', String(n));
    const again = await open('/stream', { lastEventId: four!.id!, replica: 1 });
    await again.of('device', 105);
    expect(namesOf(again)).toEqual(Array.from({ length: 105 }, (_, at) => String(at + 5)));
    const all = await open('/stream', { lastEventId: '0' });
    await all.of('device', 109);
    expect(namesOf(all).slice(0, 4)).toEqual(['1', '2', '3', '4']);
  });

  test('sends no events of other users', async () => {
    const [mine, theirs] = [await open(), await open('/stream', { who: await api.user() })];
    await tell(user, 'device_offline', 'mine');
    await mine.of('device');
    expect(theirs.events).toEqual([]);
    const late = await open('/stream', { who: await api.user(), lastEventId: '0' });
    await tell(user, 'device_offline', 'mine too');
    await mine.of('device', 2);
    expect(late.events).toEqual([]);
  });

  test('sends the requested topics that the scopes of the key allow', async () => {
    const wanted = await open('/stream?types=analysis');
    const guard = await api.user(['device:read']);
    const allowed = await open('/stream?types=device,analysis,metrics', { who: guard });
    for (const who of [user, guard]) {
      await tell(who, 'system_announcement');
      await tell(who, 'analysis_started', 'a');
      await tell(who, 'device_offline', 'd');
    }
    await allowed.of('device');
    await wanted.of('analysis');
    expect(namesOf(wanted)).toEqual(['a']);
    expect(namesOf(allowed)).toEqual(['d']);
  });

  test.each<[Scope, EventType[]]>([
    ['TASK_READ', ['node_error', 'system_announcement']],
    ['billing:read', ['quota_warning', 'system_announcement']],
  ])('topic system: %s gets exactly the types of its scope', async (scope, types) => {
    const who = await api.user([scope]);
    const stream = await open('/stream?types=system', { who });
    for (const type of ['node_error', 'quota_warning', 'system_announcement'] as const) {
      const event = { userId: who.userId, type, data: EVENTS[type].example, occurredAt: new Date() };
      await api.context.db.$transaction((tx) =>
        emit(tx, { ...event, dedupeKey: `${who.userId}:${type}` } as Parameters<typeof emit>[1]),
      );
    }
    // The announcement is the last: whatever was to come has come before it.
    await stream.of('system', types.length);
    expect(stream.events.map(({ data }) => (data as { type: string }).type)).toEqual(types);
  });

  test('sends the current metrics of active scenes at once and then each change', async () => {
    const { db } = api.context;
    const shop = await shopOf(user);
    const old = await shopOf(user);
    const write = (id: string, inQueue: number, at = new Date()) =>
      db.$transaction(async (tx) => {
        const latestMetrics = { current: { inQueue } };
        await tx.scene.update({ where: { id }, data: { latestMetrics, metricsUpdatedAt: at } });
        await notify(tx, CHANNELS.metrics, `11111111-1111-1111-1111-111111111111,${user.userId}`);
      });
    await write(old.sceneId, 9, new Date(Date.now() - 3_600_000));
    await write(shop.sceneId, 1);
    const stream = await open('/stream?types=metrics');
    const [first] = await stream.of('metrics');
    expect(first).toEqual({
      id: undefined,
      type: 'metrics',
      data: {
        ...shop,
        metrics: { current: { inQueue: 1 }, tills: [] },
        updatedAt: expect.any(String),
        fault: null,
      },
    });
    await write(shop.sceneId, 2);
    await write(shop.sceneId, 3);
    await eventually('the newest has come', () =>
      stream.events.some(({ data }) => JSON.stringify(data).includes('"inQueue":3')),
    );
    expect(stream.events.length).toBeLessThanOrEqual(3);
    expect(stream.events.every(({ data }) => data.sceneId === shop.sceneId)).toBe(true);
  });

  test('sends the begin and the end of a device fault although no metrics arrive', async () => {
    const { db } = api.context;
    const shop = await shopOf(user);
    const metricsUpdatedAt = new Date(Date.now() - 3_600_000);
    const data = { latestMetrics: {}, metricsUpdatedAt, analysisStatus: 'running' as const };
    await db.scene.update({ where: { id: shop.sceneId }, data });
    const stream = await open('/stream?types=metrics');
    const fault = { reason: 'no_frames' as const, message: 'No frame comes.', sinceMs: Date.now() };
    const write = (now: typeof fault | null) =>
      writeDeviceConditions(db, shop.sceneId, new Map([[shop.deviceId, { fault: now, warnings: [] }]]));
    await write(fault);
    const { sinceMs, ...told } = fault;
    const [event] = await stream.of('metrics', 1);
    expect(event!.data).toMatchObject({
      sceneId: shop.sceneId,
      updatedAt: metricsUpdatedAt.toISOString(),
      fault: { ...told, since: new Date(sinceMs).toISOString() },
    });
    await write(null);
    await db.scene.update({ where: { id: shop.sceneId }, data: { metricsUpdatedAt: new Date() } });
    await notify(db, CHANNELS.metrics, user.userId);
    expect((await stream.of('metrics', 2))[1]!.data.fault).toBeNull();
  });

  test('sends new and changed insights', async () => {
    const { db } = api.context;
    const { userId } = user;
    const owned = { userId, ...(await shopOf(user)), severity: 'warning' as const, triggeredAt: new Date() };
    const { triggeredAt: _, ...ruleColumns } = owned;
    const rule = await db.alertRule.create({ data: { ...ruleColumns, name: 'Rule', conditions: [] } });
    const stream = await open('/stream?types=insights');
    const fired = { metricPath: 'current.inQueue', operator: 'GT' as const, threshold: 1, actualValue: 2 };
    const alert = await db.alertEvent.create({
      data: { ...owned, ...fired, ruleId: rule.id, message: 'Long' },
    });
    const insight = await db.insight.create({
      data: { ...owned, alertEventId: alert.id, vlmDeadlineAt: new Date() },
    });
    await db.$transaction((tx) => announceInsight(tx, insight));
    const [pending] = await stream.of('insights');
    expect(pending!.data).toMatchObject({ insightId: insight.id, vlmStatus: 'pending', vlmSummary: null });
    const done = { vlmStatus: 'completed', vlmSummary: 'Seven people wait.', riskLevel: 'critical' } as const;
    await db.$transaction(async (tx) => {
      await tx.insight.update({ where: { id: insight.id }, data: done });
      await announceInsight(tx, insight);
    });
    const [, completed] = await stream.of('insights', 2);
    expect(completed!.data).toMatchObject(done);
  });

  test('sends events of the time without a database connection afterwards', async () => {
    const { db } = api.context;
    const stream = await open();
    await tell(user, 'device_offline', 'before');
    await stream.of('device');
    const listening = () => db.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN insights%'`;
    const [session] = await listening();
    await db.$executeRaw`SELECT pg_terminate_backend(${session!.pid}::int)`;
    await tell(user, 'device_offline', 'meanwhile');
    await stream.of('device', 2);
    expect(namesOf(stream)).toEqual(['before', 'meanwhile']);
    stream.close();
    await eventually('nobody listens when nobody follows', async () => (await listening()).length === 0);
  });

  test.each([
    ['?types=', undefined, 400, 'VALIDATION_ERROR'],
    ['?types=everything', undefined, 400, 'VALIDATION_ERROR'],
    ['?types=metrics,metricsss', undefined, 400, 'VALIDATION_ERROR'],
    ['?types=metrics&types=alerts', undefined, 400, 'VALIDATION_ERROR'],
    ['', 'abc', 400, 'VALIDATION_ERROR'],
    ['', '-1', 400, 'VALIDATION_ERROR'],
    ['', '9'.repeat(40), 400, 'VALIDATION_ERROR'],
  ])('%s with Last-Event-ID %s is %s', async (query, lastEventId, status, code) => {
    const stream = await open(`/stream${query}`, lastEventId === undefined ? {} : { lastEventId });
    expect(stream.status).toBe(status);
    expect(JSON.parse(stream.text)).toMatchObject({ success: false, error: { code } });
  });

  test('answers 401 without a key and 403 to a key without any of its scopes', async () => {
    const nobody = await replicas[0]!.open('/stream', {});
    expect(nobody.status).toBe(401);
    for (const [scopes, path] of [
      [['scene:read'], '/stream'],
      [['device:read'], '/stream?types=metrics'],
    ] as const) {
      const stream = await open(path, { who: await api.user(scopes) });
      expect(stream.status).toBe(403);
      expect(JSON.parse(stream.text).error.code).toBe('INSUFFICIENT_SCOPE');
    }
  });
});
