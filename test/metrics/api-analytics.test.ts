import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const START = Date.UTC(2026, 0, 1);
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let sceneId: string;
let deviceId: string;

const current = (inQueue: number) => ({
  inQueue,
  inService: 1,
  totalPresent: inQueue + 1,
  avgWaitSeconds: 12.5,
  maxWaitSeconds: 20,
  avgServiceSeconds: null,
  maxServiceSeconds: null,
  estimatedWaitSeconds: null,
  estimatedWaitLowSeconds: null,
  estimatedWaitHighSeconds: null,
  estimatedWaitReason: null,
  ...{ openTills: null, servingTills: null, freeTills: null },
});
const ended = {
  completed: {
    count: 2,
    waitCount: 2,
    avgWaitSeconds: 10,
    maxWaitSeconds: 15,
    p50WaitSeconds: 9,
    p90WaitSeconds: 15,
    serviceCount: 1,
    avgServiceSeconds: 30,
    maxServiceSeconds: 40,
    p90ServiceSeconds: 40,
  },
  abandoned: { count: 0, waitCount: 0, avgWaitSeconds: null, maxWaitSeconds: null },
  arrivals: 3,
  abandonmentRate: 0,
  lostCount: 1,
};
const occupancy = {
  throughputPerHour: 24,
  avgInQueue: 1.5,
  maxInQueue: 4,
  avgInService: 0.8,
  serverUtilization: 0.8,
  coveragePercent: 100,
};

beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  ({ sceneId, deviceId } = await shopOf(owner));
  const window = (seconds: number, length: number) => ({
    windowStart: new Date(START + (seconds - length) * 1000),
    windowEnd: new Date(START + seconds * 1000),
  });
  await api.context.db.metricSnapshot.createMany({
    data: Array.from({ length: 25 }, (_, n) => ({
      sceneId,
      deviceId,
      ...window((n + 1) * 10, 10),
      durationSeconds: 10,
      currentMetrics: current(n),
    })),
  });
  for (const windowType of ['5min', '15min', 'total']) {
    await api.context.db.rollingRecord.createMany({
      data: [60, 120].map((seconds) => ({
        sceneId,
        deviceId,
        windowType,
        ...window(seconds, 300),
        metrics: windowType === 'total' ? ended : { ...ended, ...occupancy },
      })),
    });
  }
  await api.context.db.scene.update({ where: { id: sceneId }, data: { metricsUpdatedAt: new Date(START) } });
});
afterAll(() => api.drop());

/** A snapshot and a rolling record of a new scene. */
async function addNumbers({ currentMetrics, metrics }: { currentMetrics: object; metrics: object }) {
  const shop = await shopOf(owner);
  const window = { windowStart: new Date(START), windowEnd: new Date(START + 10_000) };
  const { db } = api.context;
  await db.metricSnapshot.create({ data: { ...shop, ...window, durationSeconds: 10, currentMetrics } });
  await db.rollingRecord.create({ data: { ...shop, ...window, windowType: '5min', metrics } });
  return shop;
}

const at = (seconds: number) => encodeURIComponent(new Date(START + seconds * 1000).toISOString());
const get = (path: string, user = owner) => user.get(`/analytics${path}`);

describe('snapshots', () => {
  test('snapshots are listed newest first in pages of shape A', async () => {
    const { body } = await get(`/snapshots?sceneId=${sceneId}&page=2`);
    expect(body.meta.pagination).toEqual({ page: 2, limit: 20, total: 25, totalPages: 2 });
    expect(body.data).toHaveLength(5);
    expect(body.data[4]).toEqual({
      id: expect.any(String),
      sceneId,
      deviceId,
      sceneType: 'queue_analysis',
      windowStart: new Date(START).toISOString(),
      windowEnd: new Date(START + 10_000).toISOString(),
      durationSeconds: 10,
      currentMetrics: current(0),
      computeNodeId: null,
      createdAt: expect.any(String),
    });
  });

  test('a range includes its start and not its end', async () => {
    const { body } = await get(`/snapshots?sceneId=${sceneId}&startDate=${at(10)}&endDate=${at(30)}`);
    expect(
      body.data.map((row: { currentMetrics: { inQueue: number } }) => row.currentMetrics.inQueue),
    ).toEqual([1, 0]);
  });

  test('the latest snapshots are the newest N, by default 10', async () => {
    expect((await get(`/snapshots/latest?sceneId=${sceneId}`)).body.data).toHaveLength(10);
    const { body } = await get(`/snapshots/latest?sceneId=${sceneId}&limit=1`);
    expect(body.data[0].currentMetrics.inQueue).toBe(24);
    expect(body.meta.pagination).toBeUndefined();
  });
});

test('the latest numbers are found where they are older than the newest metrics, or younger', async () => {
  const shop = await addNumbers({ currentMetrics: current(7), metrics: { ...ended, ...occupancy } });
  for (const days of [-2, 0, 2]) {
    const metricsUpdatedAt = new Date(START + days * 86_400_000);
    await api.context.db.scene.update({ where: { id: shop.sceneId }, data: { metricsUpdatedAt } });
    const { body } = await get(`/scenes/${shop.sceneId}/latest?includeSnapshots=true&includeRolling=true`);
    expect(body.data.snapshots).toHaveLength(1);
    expect(body.data.rolling['5min']).not.toBeNull();
    expect(body.data.rolling['15min']).toBeNull();
  }
});

describe('rolling', () => {
  test('rolling records of a window are listed', async () => {
    const { body } = await get(`/rolling?sceneId=${sceneId}&windowType=5min`);
    expect(body.meta.pagination.total).toBe(2);
    expect(body.data[0]).toMatchObject({ windowType: '5min', ...ended, ...occupancy });
    expect((await get(`/rolling?sceneId=${sceneId}`)).body.meta.pagination.total).toBe(6);
    const ranged = await get(`/rolling?sceneId=${sceneId}&endDate=${at(120)}`);
    expect(ranged.body.meta.pagination.total).toBe(3);
  });

  test('the latest rolling records are by window; a window without a record is null; total has no occupancy', async () => {
    const { data } = (await get(`/rolling/latest?sceneId=${sceneId}`)).body;
    expect(Object.keys(data)).toEqual(['5min', '15min', '30min', '60min', 'total']);
    expect(data['15min'].windowEnd).toBe(new Date(START + 120_000).toISOString());
    expect(data['30min']).toBeNull();
    expect(data.total).toMatchObject(ended);
    expect(data.total).not.toHaveProperty('coveragePercent');
  });
});

describe('a scene with only a checkout zone', () => {
  const unmeasured = {
    inQueue: null,
    avgWaitSeconds: null,
    maxWaitSeconds: null,
    estimatedWaitSeconds: null,
  };
  const gaveUp = { count: null, waitCount: null, avgWaitSeconds: null, maxWaitSeconds: null };

  test('a scene with only a checkout zone has null, not 0, for the queue in snapshots and rolling records', async () => {
    const { sceneId: id } = await addNumbers({
      currentMetrics: { ...current(0), ...unmeasured, totalPresent: 1 },
      metrics: { ...ended, ...occupancy, abandoned: gaveUp, abandonmentRate: null, avgInQueue: null },
    });
    const snapshot = (await get(`/snapshots?sceneId=${id}`)).body.data[0];
    expect(snapshot.currentMetrics).toMatchObject({ ...unmeasured, inService: 1, totalPresent: 1 });
    const { data } = (await get(`/rolling?sceneId=${id}`)).body;
    expect(data[0]).toMatchObject({ abandoned: gaveUp, abandonmentRate: null, avgInQueue: null });
  });
});

describe('scene latest', () => {
  test('the latest metrics of a scene have all parts, or those that are asked for', async () => {
    const { data } = (await get(`/scenes/${sceneId}/latest`)).body;
    expect(data.snapshots).toHaveLength(10);
    expect(Object.keys(data.snapshots[0])).toEqual(['id', 'currentMetrics', 'createdAt']);
    expect(data.rolling['5min'].arrivals).toBe(3);
    expect(data.lastUpdatedAt).toBe(new Date(START).toISOString());
    const query = 'includeSnapshots=false&includeRolling=false';
    expect((await get(`/scenes/${sceneId}/latest?${query}`)).body.data).toEqual({
      sceneId,
      lastUpdatedAt: data.lastUpdatedAt,
    });
    expect((await get(`/scenes/${sceneId}/latest?snapshotLimit=2`)).body.data.snapshots).toHaveLength(2);
  });

  test('an invalid number is refused', async () => {
    expect(codeOf(await get(`/scenes/${sceneId}/latest?includeRolling=maybe`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(codeOf(await get(`/scenes/${sceneId}/latest?snapshotLimit=101`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('access', () => {
  const PATHS = ['/snapshots?sceneId=ID', '/snapshots/latest?sceneId=ID', '/rolling?sceneId=ID'];
  test.each([...PATHS, '/rolling/latest?sceneId=ID', '/scenes/ID/latest'])(
    '%s answers 404 for a foreign or absent scene, 400 for a malformed id, 401 and 403 without key or scope',
    async (path) => {
      const of = (id: string) => path.replace('ID', id);
      expect(codeOf(await get(of(sceneId), other))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await get(of(ABSENT)))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await get(of('x')))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await api.nobody.get(`/analytics${of(sceneId)}`))).toEqual([401, 'UNAUTHORIZED']);
      const wrong = await api.user(['scene:read']);
      expect(codeOf(await get(of(sceneId), wrong))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    },
  );

  test('the scene is required, and a range must end after its start', async () => {
    expect(codeOf(await get('/snapshots'))).toEqual([400, 'VALIDATION_ERROR']);
    const backwards = `/rolling?sceneId=${sceneId}&startDate=${at(2)}&endDate=${at(1)}`;
    expect(codeOf(await get(backwards))).toEqual([400, 'INVALID_DATE_RANGE']);
    expect(codeOf(await get(`/rolling?sceneId=${sceneId}&windowType=1min`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
