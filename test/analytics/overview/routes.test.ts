import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { type ApiUser, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { queueScene } from '../../support/rows/runs.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const BUCKET_MS = 300_000;
let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());

const overviewOf = async (user: ApiUser, query = '') => (await user.get(`/overview${query}`)).body;
const sceneOf = async (user: ApiUser) => (await overviewOf(user)).data[0].scenes[0];

test('a scene that was never analysed has no numbers, no run, no alert and an empty curve', async () => {
  const user = await api.user();
  const { deviceId, sceneId } = await shopOf(user);
  const { data, meta } = await overviewOf(user);
  expect(meta.pagination).toEqual({ page: 1, limit: 100, total: 1, totalPages: 1 });
  expect(data).toEqual([
    {
      id: deviceId,
      name: SHOP.name,
      timezone: null,
      onlineStatus: 'online',
      onlineChangedAt: expect.any(String),
      lastFrameAt: null,
      lastError: null,
      isDisabled: false,
      fault: null,
      warnings: [],
      siteIds: [],
      scenes: [
        {
          id: sceneId,
          name: 'Till',
          sceneType: 'queue_analysis',
          status: 'active',
          analysisStatus: 'idle',
          run: null,
          effectiveTarget: null,
          advice: null,
          unusual: null,
          serviceLevel: null,
          tills: [],
          current: null,
          metricsUpdatedAt: null,
          metricsAgeMs: null,
          isFiring: false,
          firingSeverity: null,
          lastAlert: null,
          spark: { start: expect.any(String), bucketSeconds: 300, avgInQueue: Array(12).fill(null) },
        },
      ],
    },
  ]);
});

test('numbers come with their age by the clock of the database, also when that is behind', async () => {
  const user = await api.user();
  const { sceneId } = await shopOf(user);
  const { current, ...others } = sampleMetrics(createRandom(1));
  const { db } = api.context;
  const write = (seconds: number) => db.$executeRaw`
    UPDATE "Scene" SET "latestMetrics" = ${JSON.stringify({ current, ...others })}::jsonb,
      "metricsUpdatedAt" = clock_timestamp() - make_interval(secs => ${seconds}) WHERE id = ${sceneId}::uuid`;
  await write(90);
  const scene = await sceneOf(user);
  expect(scene.current).toEqual({ ...current, estimatedWaitReason: null });
  expect(scene.serviceLevel).toBe(others.rolling60Min.serviceLevel);
  expect(scene.metricsUpdatedAt).toMatch(/Z$/);
  expect(scene.metricsAgeMs).toBeGreaterThanOrEqual(90_000);
  await write(-3600);
  expect((await sceneOf(user)).metricsAgeMs).toBe(0);
});

test('the newest run is shown, and what it waits for', async () => {
  const user = await api.user();
  const { id } = (await user.post('/devices', SHOP)).body.data;
  const { task, scene } = await queueScene(api.context.db, { id, userId: user.userId });
  expect((await sceneOf(user)).run).toEqual({
    analysisId: task.id,
    status: 'initializing',
    startedAt: null,
    errorMessage: null,
    waitingFor: 'node',
  });
  const failed = await api.context.db.analysisTask.create({
    data: {
      ...{ userId: user.userId, deviceId: id, sceneId: scene.id },
      ...{ status: 'FAILED', runStatus: 'error', errorMessage: 'The camera is gone.' },
    },
  });
  expect((await sceneOf(user)).run).toEqual({
    analysisId: failed.id,
    status: 'error',
    startedAt: null,
    errorMessage: 'The camera is gone.',
  });
});

test('fault and warnings of the device are shown', async () => {
  const user = await api.user();
  const { deviceId } = await shopOf(user);
  const condition = { message: 'Turn it back.', since: '2026-11-01T12:00:00.000Z' };
  const fault = { reason: 'no_frames', ...condition };
  const warnings = [{ reason: 'view_changed', ...condition }];
  await api.context.db.device.update({ where: { id: deviceId }, data: { fault, warnings } });
  expect((await overviewOf(user)).data[0]).toMatchObject({ fault, warnings });
});

describe('alerts', () => {
  test.each([
    ['nothing', [], null],
    ['a rule that does not fire', [{}], null],
    ['a warning', [{ isFiring: true }], 'warning'],
    [
      'a warning and a critical one',
      [{ isFiring: true }, { isFiring: true, severity: 'critical' }],
      'critical',
    ],
    ['a disabled rule', [{ isFiring: true, status: 'disabled' }], null],
    ['a deleted rule', [{ isFiring: true, deletedAt: new Date(0) }], null],
  ] as const)('%s makes the scene fire with the worst severity', async (_name, rules, severity) => {
    const user = await api.user();
    const place = { ...(await shopOf(user)), userId: user.userId };
    for (const columns of rules) await addRule(api.context.db, place, columns);
    const scene = await sceneOf(user);
    expect([scene.isFiring, scene.firingSeverity]).toEqual([severity !== null, severity]);
  });

  test('the last alert event is the newest that is not deleted', async () => {
    const user = await api.user();
    const { db } = api.context;
    const rule = await addRule(db, { ...(await shopOf(user)), userId: user.userId });
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour, 0, 0, 7));
    const { event } = await addAlert(db, rule, { event: { triggeredAt: at(9), severity: 'critical' } });
    await addAlert(db, rule, { event: { triggeredAt: at(8) } });
    await addAlert(db, rule, { event: { triggeredAt: at(10), deletedAt: at(11) } });
    expect((await sceneOf(user)).lastAlert).toEqual({
      id: event.id,
      ruleId: rule.id,
      severity: 'critical',
      triggeredAt: '2026-11-01T09:00:00.007Z',
      message: event.message,
      ...{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5, actualValue: 7 },
    });
  });
});

describe('the curve of the last hour', () => {
  async function withMinutes(config: object) {
    const user = await api.user();
    const { sceneId } = await shopOf(user);
    const { db } = api.context;
    if (Object.keys(config).length > 0) await db.scene.update({ where: { id: sceneId }, data: { config } });
    const first = Date.parse((await sceneOf(user)).spark.start);
    const minute = (minutes: number, people: number, coveredMs = 60_000) => ({
      sceneId,
      minute: new Date(first + minutes * 60_000),
      ...{ coveredMs, inQueueMs: BigInt(people * coveredMs) },
      ...{ inServiceMs: 0n, busyMs: 0, maxInQueue: people, maxInService: 0 },
    });
    await db.occupancyMinute.createMany({
      data: [
        // Before the hour.
        minute(-1, 50),
        ...[minute(0, 2), minute(4, 8, 30_000)],
        minute(7, 0),
        // Minutes without frames are no minutes without people.
        minute(12, 0, 0),
      ],
    });
    const { start, avgInQueue } = (await sceneOf(user)).spark;
    const moved = Math.round((Date.parse(start) - first) / BUCKET_MS);
    return { avgInQueue, moved };
  }

  test('has a mean of each five minutes, weighted by the time with frames, and null without frames', async () => {
    const { avgInQueue, moved } = await withMinutes({});
    const means = [4, 0, null, ...Array(9).fill(null)];
    // A test that runs over the end of five minutes sees the curve one value further.
    expect(avgInQueue).toEqual([...means, null].slice(moved, moved + 12));
  });

  test('is null for a scene without a queue zone', async () => {
    const { avgInQueue } = await withMinutes({ zones: { checkoutZone: {} }, parameters: {} });
    expect(avgInQueue).toEqual(Array(12).fill(null));
  });
});

describe('devices', () => {
  test('are paged, newest first, and can be those of a site', async () => {
    const user = await api.user();
    const ids: string[] = [];
    for (const _each of [1, 2, 3]) ids.unshift((await user.post('/devices', SHOP)).body.data.id);
    const site = (await user.post('/sites', { name: 'S', timezone: 'UTC', deviceIds: [ids[0], ids[2]] })).body
      .data;
    const idsOf = async (query: string) => {
      const { data, meta } = await overviewOf(user, query);
      return [data.map(({ id }: { id: string }) => id), meta.pagination.total];
    };
    expect(await idsOf('')).toEqual([ids, 3]);
    expect(await idsOf('?limit=2&page=2')).toEqual([[ids[2]], 3]);
    expect(await idsOf('?page=9')).toEqual([[], 3]);
    expect(await idsOf(`?siteId=${site.id}`)).toEqual([[ids[0], ids[2]], 2]);
    expect((await overviewOf(user)).data[0].siteIds).toEqual([site.id]);
    await user.delete(`/devices/${ids[0]}`);
    expect(await idsOf(`?siteId=${site.id}`)).toEqual([[ids[2]], 1]);
  });

  test('of another user and of a site that is not the user’s are not shown', async () => {
    const [user, other] = [await api.user(), await api.user()];
    await shopOf(user);
    const { deviceId } = await shopOf(other);
    const site = (await other.post('/sites', { name: 'S', timezone: 'UTC', deviceIds: [deviceId] })).body
      .data;
    expect((await overviewOf(user)).meta.pagination.total).toBe(1);
    for (const id of [site.id, ABSENT]) expect((await overviewOf(user, `?siteId=${id}`)).data).toEqual([]);
  });
});

test('the number of statements does not grow with devices, scenes and runs', async () => {
  const user = await api.user();
  const addShop = async () => {
    const { id } = (await user.post('/devices', SHOP)).body.data;
    await queueScene(api.context.db, { id, userId: user.userId });
    await queueScene(api.context.db, { id, userId: user.userId });
  };
  await addShop();
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  const countOf = async () => {
    spy.mockClear();
    expect((await user.get('/overview')).status).toBe(200);
    return spy.mock.calls.length;
  };
  // The first call also reads the API key, which is then cached.
  await countOf();
  const one = await countOf();
  for (let added = 0; added < 5; added++) await addShop();
  const six = await countOf();
  spy.mockRestore();
  expect(one).toBeGreaterThan(0);
  expect(six).toBe(one);
  expect(six).toBeLessThanOrEqual(8);
});
