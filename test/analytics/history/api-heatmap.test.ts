import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Sunday, 25 October 2026: Berlin repeats the hour from 02:00 at 01:00 UTC. */
const NIGHT = Date.UTC(2026, 9, 25);

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
let deviceId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(NIGHT + 30 * HOUR_MS);
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', { ...SHOP, timezone: 'Europe/Berlin' });
  deviceId = device.body.data.id;
  const body = { deviceId, name: 'Till', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
  sceneId = (await owner.post('/scenes', body)).body.data.id;
  const { db } = api.context;
  // The first and the second 02:00-03:00 of the night, and 02:00 of the Sunday before.
  await addMinutes(db, sceneId, [
    { atMs: NIGHT, inQueue: 2 },
    { atMs: NIGHT + HOUR_MS, inQueue: 4, maxInQueue: 7 },
    { atMs: NIGHT - 168 * HOUR_MS, inQueue: 3 },
    { atMs: NIGHT + 10 * HOUR_MS, inQueue: 1, inService: 1 },
  ]);
  await addVisits(db, sceneId, [
    {
      outcome: 'completed',
      arrivedAtMs: NIGHT,
      decidedAtMs: NIGHT + 59 * MINUTE_MS,
      waitMs: 10_000,
      serviceMs: 1,
    },
    { outcome: 'completed', arrivedAtMs: NIGHT, decidedAtMs: NIGHT + HOUR_MS, waitMs: 30_000, serviceMs: 1 },
    { outcome: 'abandoned', arrivedAtMs: NIGHT, decidedAtMs: NIGHT + 2 * HOUR_MS, waitMs: 30_000 },
  ]);
});
afterAll(() => api?.drop());

describe('GET /analytics/scenes/{id}/heatmap', () => {
  test('cells follow the clock of the device, and a repeated hour counts twice', async () => {
    const range = `from=${new Date(NIGHT - 200 * HOUR_MS).toISOString()}`;
    const { data } = (await owner.get(`/analytics/scenes/${sceneId}/heatmap?${range}`)).body;
    expect([data.timezone, data.to]).toEqual(['Europe/Berlin', clock.now().toISOString()]);
    expect([data.avgInQueue.length, data.avgInQueue[6].length]).toEqual([7, 24]);
    const cell = (day: number, hour: number) => ({
      ...{
        hours: data.hours[day][hour],
        coverage: data.coveragePercent[day][hour],
        queue: data.avgInQueue[day][hour],
      },
      ...{
        most: data.maxInQueue[day][hour],
        completed: data.completed[day][hour],
        p50: data.p50WaitSeconds[day][hour],
      },
    });
    // Two hours of this Sunday, one of the Sunday before; three minutes have frames.
    expect(cell(6, 2)).toEqual({ hours: 3, coverage: 1.667, queue: 3, most: 7, completed: 2, p50: 20 });
    expect(cell(6, 11)).toEqual({ hours: 2, coverage: 0.833, queue: 1, most: 1, completed: 0, p50: null });
    expect(data.abandoned[6][3]).toBe(1);
    expect(cell(3, 12)).toEqual({
      hours: 1,
      coverage: 0,
      queue: null,
      most: null,
      completed: null,
      p50: null,
    });
    // The same in UTC.
    const utc = (await owner.get(`/analytics/scenes/${sceneId}/heatmap?${range}&timezone=UTC`)).body.data;
    expect([utc.hours[6][0], utc.maxInQueue[6][0], utc.maxInQueue[6][1]]).toEqual([2, 3, 7]);
  });

  test('by default it covers four weeks, and the current hour counts until now', async () => {
    clock.time = new Date(NIGHT + 30.5 * HOUR_MS);
    const { data } = (await owner.get(`/analytics/scenes/${sceneId}/heatmap`)).body;
    expect(data.from).toBe(new Date(NIGHT + 30 * HOUR_MS - 28 * 24 * HOUR_MS).toISOString());
    expect(data.hours.flat().reduce((sum: number, hours: number) => sum + hours, 0)).toBe(28 * 24 + 0.5);
    clock.time = new Date(NIGHT + 30 * HOUR_MS);
  });

  test.each([
    ['from=2024-01-01&to=2026-01-01', 'INVALID_DATE_RANGE', 'must lie at most 400 days before to'],
    ['from=2026-01-02&to=2026-01-01', 'INVALID_DATE_RANGE', 'must lie before to'],
    ['timezone=Mars/Base', 'VALIDATION_ERROR', 'must be an IANA time zone'],
    ['bucket=1h', 'VALIDATION_ERROR', 'bucket: is not a query parameter here'],
  ])('%s is refused', async (query, code, message) => {
    const answer = await owner.get(`/analytics/scenes/${sceneId}/heatmap?${query}`);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.message).toContain(message);
  });
});

describe('sites', () => {
  test('people are summed, waits are merged, the least coverage counts, and devices that left are gone', async () => {
    const { sceneId: second, deviceId: secondDevice } = await shopOf(owner);
    const at = NIGHT + 10 * HOUR_MS;
    await addMinutes(api.context.db, second, [
      { atMs: at, inQueue: 5, coveredMs: 30_000, maxInQueue: 6 },
      { atMs: at + MINUTE_MS, inQueue: 1 },
    ]);
    await addVisits(api.context.db, second, [
      { outcome: 'completed', arrivedAtMs: at, decidedAtMs: at + MINUTE_MS, waitMs: 50_000 },
    ]);
    await addVisits(api.context.db, sceneId, [
      {
        outcome: 'completed',
        arrivedAtMs: at,
        decidedAtMs: at + MINUTE_MS,
        waitMs: 10_000,
        serviceMs: 5_000,
      },
    ]);
    const created = await owner.post('/sites', {
      ...{ name: 'Shop', timezone: 'Australia/Lord_Howe', deviceIds: [deviceId, secondDevice] },
    });
    const siteId = created.body.data.id;
    const range = `from=${new Date(at).toISOString()}&to=${new Date(at + HOUR_MS).toISOString()}`;
    const { data } = (await owner.get(`/analytics/sites/${siteId}/series?${range}&bucket=1h&timezone=UTC`))
      .body;
    expect(data).toMatchObject({
      // 1 + (5 × 30 + 1 × 60) ÷ 90
      ...{ avgInQueue: [3.333], maxInQueue: [7], coveragePercent: [1.667], arrivals: [2], completed: [2] },
      ...{ avgWaitSeconds: [30], p50WaitSeconds: [30], p90WaitSeconds: [46], serverUtilization: [0.4] },
    });
    const heat = (await owner.get(`/analytics/sites/${siteId}/heatmap?${range}`)).body.data;
    expect(heat.timezone).toBe('Australia/Lord_Howe');
    expect(heat.completed.flat().filter((value: number | null) => value !== null)).toEqual([2]);
    const shares = (await owner.get(`/analytics/sites/${siteId}/distribution?${range}&minQueueLength=6,7,8`))
      .body.data;
    expect(shares.queue).toEqual({
      minutesMeasured: 2,
      levels: [
        { minQueueLength: 6, minutesByAverage: 1, minutesByMaximum: 1 },
        { minQueueLength: 7, minutesByAverage: 0, minutesByMaximum: 1 },
        { minQueueLength: 8, minutesByAverage: 0, minutesByMaximum: 0 },
      ],
    });
    expect(shares.waits.count).toBe(2);
    const visits = await owner.get(`/visits?siteId=${siteId}&${range}`);
    expect(visits.body.meta.pagination.total).toBe(2);

    await owner.delete(`/devices/${secondDevice}`);
    const left = (await owner.get(`/analytics/sites/${siteId}/series?${range}&bucket=1h`)).body.data;
    expect([left.completed, left.avgInQueue]).toEqual([[1], [1]]);
    await owner.patch(`/sites/${siteId}`, { deviceIds: [] });
    const empty = await owner.get(`/analytics/sites/${siteId}/series?${range}&bucket=1h`);
    expect([empty.body.data.completed, empty.body.data.coveragePercent]).toEqual([[null], [0]]);
    const withoutScenes = await owner.get(`/analytics/sites/${siteId}/distribution?${range}`);
    expect(withoutScenes.body.data).toMatchObject({ coveragePercent: 0, waits: null, queue: null });
    expect(
      (await owner.get(`/analytics/sites/${siteId}/heatmap?${range}`)).body.data.hours.flat(),
    ).toHaveLength(168);
  });

  test('a site of another user is not found', async () => {
    const other = await api.user();
    const foreign = (await other.post('/sites', { name: 'Theirs', timezone: 'UTC', deviceIds: [] })).body.data
      .id;
    for (const kind of ['series', 'heatmap', 'distribution']) {
      expect(codeOf(await owner.get(`/analytics/sites/${foreign}/${kind}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect((await owner.get(`/visits?siteId=${foreign}`)).body.data).toEqual([]);
  });
});
