import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiUser, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());

const NOTHING = {
  inQueue: null,
  inService: null,
  totalPresent: 0,
  avgWaitSeconds: null,
  maxWaitSeconds: null,
  avgServiceSeconds: null,
  maxServiceSeconds: null,
  estimatedWaitSeconds: null,
  estimatedWaitLowSeconds: null,
  estimatedWaitHighSeconds: null,
  ...{ openTills: null, servingTills: null, freeTills: null },
};

/** A scene on a device of its own with these current metrics, written so many seconds ago. */
async function measuredShop(
  user: ApiUser,
  current: object,
  { secondsAgo = 1, fault = null as object | null, status = 'running', rolling60Min = {} } = {},
) {
  const place = await shopOf(user);
  const { db } = api.context;
  const metrics = JSON.stringify({ current: { ...NOTHING, ...current }, rolling60Min });
  await db.$executeRaw`
    UPDATE "Scene" SET "latestMetrics" = ${metrics}::jsonb, "analysisStatus" = ${status}::"AnalysisStatus",
      "metricsUpdatedAt" = clock_timestamp() - make_interval(secs => ${secondsAgo}) WHERE id = ${place.sceneId}::uuid`;
  if (fault) await db.device.update({ where: { id: place.deviceId }, data: { fault } });
  return place;
}

async function siteOf(user: ApiUser, deviceIds: readonly string[]) {
  const { status } = await user.post('/sites', { name: 'Shop', timezone: 'Europe/Berlin', deviceIds });
  expect(status).toBe(201);
  return (await user.get('/overview/sites')).body.data[0];
}

test('people of a site are summed, averages are weighted by people, and the worst scene gives the longest wait', async () => {
  const user = await api.user();
  const shops = [
    await measuredShop(
      user,
      {
        ...{ inQueue: 3, inService: 1, totalPresent: 4 },
        ...{ avgWaitSeconds: 60, maxWaitSeconds: 100, avgServiceSeconds: 20, maxServiceSeconds: 20 },
        estimatedWaitSeconds: 90,
      },
      { rolling60Min: { serviceLevel: 0.9, serviceLevelCount: 30 } },
    ),
    await measuredShop(
      user,
      {
        ...{ inQueue: 1, inService: 3, totalPresent: 4 },
        ...{ avgWaitSeconds: 20, maxWaitSeconds: 20, avgServiceSeconds: 40, maxServiceSeconds: 70 },
      },
      { rolling60Min: { serviceLevel: 0.5, serviceLevelCount: 10 } },
    ),
    // Only a queue zone, and nobody in it: no average, and nothing that is null becomes 0.
    await measuredShop(user, { inQueue: 0 }),
  ];
  expect(
    await siteOf(
      user,
      shops.map(({ deviceId }) => deviceId),
    ),
  ).toMatchObject({
    name: 'Shop',
    timezone: 'Europe/Berlin',
    ...{ devices: 3, devicesOnline: 3, scenes: 3, scenesMeasured: 3 },
    current: {
      ...{ inQueue: 4, inService: 4, totalPresent: 8 },
      ...{ avgWaitSeconds: 50, maxWaitSeconds: 100, avgServiceSeconds: 35, maxServiceSeconds: 70 },
      estimatedWaitSeconds: 90,
      ...{ openTills: null, servingTills: null, freeTills: null },
    },
    serviceLevel: 0.8,
    isFiring: false,
    firingSeverity: null,
    lastAlert: null,
  });
});

test('scenes with old numbers and devices with a fault are not counted', async () => {
  const user = await api.user();
  const fault = { reason: 'no_frames', message: 'x', since: '2026-11-01T12:00:00.000Z' };
  const shops = [
    await measuredShop(user, { inQueue: 2, totalPresent: 2 }),
    await measuredShop(user, { inQueue: 50, totalPresent: 50 }, { secondsAgo: 120 }),
    await measuredShop(user, { inQueue: 70, totalPresent: 70 }, { fault }),
  ];
  const site = await siteOf(
    user,
    shops.map(({ deviceId }) => deviceId),
  );
  expect(site).toMatchObject({ devices: 3, scenes: 3, scenesMeasured: 1, serviceLevel: null });
  expect(site.current).toEqual({ ...NOTHING, inQueue: 2, totalPresent: 2 });
});

test('scenes whose run has ended are not counted, however new their numbers are', async () => {
  const user = await api.user();
  const shops = [];
  for (const status of ['stopped', 'error', 'starting', 'stopping'])
    shops.push(await measuredShop(user, { inQueue: 9, totalPresent: 9 }, { status }));
  const site = await siteOf(
    user,
    shops.map(({ deviceId }) => deviceId),
  );
  expect(site).toMatchObject({ scenes: 4, scenesMeasured: 1, current: { inQueue: 9 } });
});

test('a site without devices, and one whose scenes were never measured, have no numbers', async () => {
  const user = await api.user();
  const none = { devices: 0, devicesOnline: 0, scenes: 0, scenesMeasured: 0, current: null, lastAlert: null };
  expect(await siteOf(user, [])).toMatchObject(none);
  const { deviceId } = await shopOf(user);
  const bare = (await user.post('/devices', SHOP)).body.data.id;
  expect(await siteOf(user, [deviceId, bare])).toMatchObject({
    ...{ devices: 2, scenes: 1, scenesMeasured: 0, current: null },
  });
});

test('a site shows the worst severity of its firing rules and its newest alert event', async () => {
  const user = await api.user();
  const { db } = api.context;
  const places = [await shopOf(user), await shopOf(user), await shopOf(user)];
  const rules = [];
  for (const [at, place] of places.entries())
    rules.push(
      await addRule(
        db,
        { ...place, userId: user.userId },
        { isFiring: true, severity: at === 2 ? 'critical' : 'warning' },
      ),
    );
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));
  await addAlert(db, rules[0]!, { event: { triggeredAt: at(8) } });
  const { event } = await addAlert(db, rules[1]!, { event: { triggeredAt: at(9) } });
  // The third camera belongs to another site.
  await addAlert(db, rules[2]!, { event: { triggeredAt: at(10) } });
  const site = await siteOf(user, [places[0]!.deviceId, places[1]!.deviceId]);
  expect(site).toMatchObject({ isFiring: true, firingSeverity: 'warning', lastAlert: { id: event.id } });
  expect(
    await siteOf(
      user,
      places.map(({ deviceId }) => deviceId),
    ),
  ).toMatchObject({ firingSeverity: 'critical' });
});

test('sites are paged, newest first, and those of another user are not shown', async () => {
  const [user, other] = [await api.user(), await api.user()];
  for (const name of ['A', 'B', 'C']) await user.post('/sites', { name, timezone: 'UTC' });
  const { data, meta } = (await user.get('/overview/sites?limit=2')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['C', 'B']);
  expect(meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
  expect((await other.get('/overview/sites')).body.data).toEqual([]);
});
