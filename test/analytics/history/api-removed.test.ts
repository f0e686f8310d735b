import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeOldHistory } from '../../../src/metrics/folded/history-retention.job.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The first day of which minutes are kept, and one long before it. */
const KEPT = Date.UTC(2026, 9, 1);
const OLD = KEPT - 10 * DAY_MS + 10 * 3_600_000;
const NOW = KEPT + 40 * DAY_MS + MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const range = (fromMs: number, toMs: number) => `from=${iso(fromMs)}&to=${iso(toMs)}`;

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
let siteId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(NOW);
  api = await testApi({ MINUTE_RETENTION_DAYS: '40', VISIT_RETENTION_DAYS: '45' }, clock);
  owner = await api.user();
  const { db } = api.context;
  const sceneIds: string[] = [];
  const deviceIds: string[] = [];
  for (const name of ['Till 1', 'Till 2']) {
    const device = await owner.post('/devices', { ...SHOP, name });
    const body = { deviceId: device.body.data.id, name, analysisType: 'queue_analysis' };
    const scene = await owner.post('/scenes', { ...body, config: { zones: SHOP_ZONES } });
    deviceIds.push(device.body.data.id);
    sceneIds.push(scene.body.data.id);
  }
  sceneId = sceneIds[0]!;
  const site = await owner.post('/sites', { name: 'Shop', timezone: 'UTC', deviceIds });
  siteId = site.body.data.id;
  for (const id of sceneIds) {
    await db.sceneTotals.create({ data: { sceneId: id, since: new Date(0) } });
    await addMinutes(db, id, [
      ...[{ atMs: OLD + 16 * MINUTE_MS, inQueue: 4 }, { atMs: KEPT - MINUTE_MS }, { atMs: KEPT }],
    ]);
    const visit = { outcome: 'completed', waitMs: 90_000, serviceMs: 1_000 } as const;
    const times = { arrivedAtMs: OLD + 14 * MINUTE_MS, decidedAtMs: OLD + 16 * MINUTE_MS };
    await addVisits(db, id, [{ ...visit, ...times }]);
  }
  await removeOldHistory(api.context);
  expect(await db.occupancyMinute.count()).toBe(2);
  expect(await db.visit.count()).toBe(0);
});
afterAll(() => api?.drop());

const get = (path: string, place = `scenes/${sceneId}`) => owner.get(`/analytics/${place}/${path}`);

test('buckets of 15 minutes answer with the sums', async () => {
  const { data } = (await get(`series?bucket=15m&${range(OLD, OLD + 45 * MINUTE_MS)}`)).body;
  expect(data).toMatchObject({
    ...{ arrivals: [1, 0, null], completed: [0, 1, null], avgWaitSeconds: [null, 90, null] },
    ...{ avgInQueue: [null, 4, null], coveragePercent: [0, 6.667, 0] },
  });
});

test('shorter buckets are refused, with the bucket and time that are not', async () => {
  for (const bucket of ['1m', '5m']) {
    const answer = await get(`series?bucket=${bucket}&${range(OLD, KEPT + DAY_MS)}`);
    expect(codeOf(answer)).toEqual([400, 'INVALID_DATE_RANGE']);
    expect(answer.body.message).toContain(
      `times before ${iso(KEPT)}: of them only sums of 15 minutes are kept. Use bucket=15m, or a range that begins then or later`,
    );
  }
  const { data } = (await get(`series?bucket=5m&${range(KEPT, KEPT + 10 * MINUTE_MS)}`)).body;
  expect(data.coveragePercent).toEqual([20, 0]);
});

test('without a bucket it is at least 15 minutes long', async () => {
  const bucketOf = async (fromMs: number) =>
    (await get(`series?${range(fromMs, fromMs + 30 * MINUTE_MS)}`)).body.data.bucket;
  expect([await bucketOf(OLD), await bucketOf(KEPT)]).toEqual(['15m', '1m']);
});

test('a distribution counts whole quarters of an hour, and says so', async () => {
  const query = range(OLD + 16 * MINUTE_MS, OLD + 17 * MINUTE_MS);
  const { data } = (await get(`distribution?${query}&longerThanSeconds=60`)).body;
  expect(data).toMatchObject({
    ...{ from: iso(OLD + 15 * MINUTE_MS), to: iso(OLD + 30 * MINUTE_MS), coveragePercent: 6.667 },
    waits: { count: 1, p50Seconds: 90, longerThan: [{ seconds: 60, count: 1, share: 1 }] },
    queue: { minutesMeasured: 1, levels: [{ minutesByAverage: 1 }, { minutesByAverage: 1 }, {}, {}] },
  });
  const kept = await get(`distribution?${range(KEPT + 1, KEPT + 17 * MINUTE_MS)}`);
  expect(kept.body.data).toMatchObject({ from: iso(KEPT + 1), to: iso(KEPT + 17 * MINUTE_MS) });
});

test('the minutes of a site with a long queue are null, not 0, once minutes are removed', async () => {
  const queueOf = async (fromMs: number) =>
    (await get(`distribution?${range(fromMs, KEPT + DAY_MS)}`, `sites/${siteId}`)).body.data.queue;
  expect(await queueOf(OLD)).toBeNull();
  expect(await queueOf(KEPT)).toMatchObject({ minutesMeasured: 1 });
});

test('the list of visits has those that are kept', async () => {
  const answer = await owner.get(`/visits?${range(OLD, NOW)}`);
  expect([answer.status, answer.body.data]).toEqual([200, []]);
});
