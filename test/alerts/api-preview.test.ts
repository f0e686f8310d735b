import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../support/api.ts';
import { insertRows } from '../support/rows/insert-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const START = Date.UTC(2026, 0, 1);
const HOUR_SECONDS = 3600;
let api: TestApi;
let owner: ApiUser;
let sceneId: string;

const at = (second: number) => new Date(START + second * 1000).toISOString();
const current = (inQueue: number, avgWaitSeconds: number | null) => ({
  inQueue,
  inService: 0,
  totalPresent: inQueue,
  avgWaitSeconds,
  maxWaitSeconds: null,
  avgServiceSeconds: null,
  maxServiceSeconds: null,
  estimatedWaitSeconds: null,
  estimatedWaitLowSeconds: null,
  estimatedWaitHighSeconds: null,
  estimatedWaitReason: null,
  ...{ openTills: null, servingTills: null, freeTills: null },
});

/** An hour: 7 in the queue during the second and the fifth ten minutes, else 2; no frames in minutes 55 to 57. */
beforeAll(async () => {
  api = await testApi();
  owner = await api.user();
  const shop = await shopOf(owner);
  sceneId = shop.sceneId;
  const isLong = (second: number) => [1, 4].includes(Math.floor((second - 1) / 600));
  const ends = Array.from({ length: 360 }, (_, n) => (n + 1) * 10).filter((s) => s <= 3300 || s > 3420);
  await insertRows(
    api.context.db,
    'MetricSnapshot',
    ends.map((second) => ({
      ...shop,
      windowStart: new Date(START + (second - 10) * 1000),
      windowEnd: new Date(START + second * 1000),
      durationSeconds: 10,
      currentMetrics: current(isLong(second) ? 7 : 2, isLong(second) ? 90 : null),
    })),
  );
  await api.context.db.rollingRecord.createMany({
    data: Array.from({ length: 30 }, (_, n) => ({
      ...shop,
      windowType: '5min',
      windowStart: new Date(START + ((n + 1) * 60 - 300) * 1000),
      windowEnd: new Date(START + (n + 1) * 60_000),
      metrics: { arrivals: n },
    })),
  });
});
afterAll(() => api.drop());

const preview = (changes: object = {}, user = owner) =>
  user.post('/alerts/rules/preview', {
    sceneId,
    conditions: [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5 }],
    startDate: at(0),
    endDate: at(HOUR_SECONDS + 1),
    ...changes,
  });
const firedAt = async (changes: object) =>
  (await preview(changes)).body.data.firings.map(
    ({ triggeredAt }: { triggeredAt: string }) => (Date.parse(triggeredAt) - START) / 1000,
  );

describe('POST /alerts/rules/preview', () => {
  test('a preview tells when a rule would have fired, and why', async () => {
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      sceneId,
      startDate: at(0),
      endDate: at(HOUR_SECONDS + 1),
      snapshotCount: 348,
      firingCount: 4,
      unmeasuredPaths: [],
    });
    expect(body.data.firings[0]).toEqual({
      sceneId,
      triggeredAt: at(610),
      metricPath: 'current.inQueue',
      operator: 'GT',
      threshold: 5,
      actualValue: 7,
      message: 'Shop – Till: people waiting 7, limit 5',
    });
    expect(await firedAt({})).toEqual([610, 910, 2410, 2710]);
  });

  test('a preview uses every field of a rule', async () => {
    expect(await firedAt({ cooldownMinutes: 60 })).toEqual([610]);
    expect(await firedAt({ durationSeconds: 120, cooldownMinutes: 60 })).toEqual([730]);
    expect(await firedAt({ durationSeconds: 600 })).toEqual([]);
    const window = { days: [4], start: '00:30', end: '00:45' };
    expect(await firedAt({ schedule: { timezone: 'UTC', windows: [window] } })).toEqual([2410]);
    const both = [
      { metricPath: 'current.inQueue', operator: 'GT', threshold: 5 },
      { metricPath: 'current.avgWaitSeconds', operator: 'LT', threshold: 60 },
    ];
    expect(await firedAt({ conditions: both, logicOperator: 'AND' })).toEqual([]);
  });

  test('adjacent snapshots have no gap between them; minutes without frames are a gap', async () => {
    const few = [{ metricPath: 'current.inQueue', operator: 'LT', threshold: 5 }];
    const late = { conditions: few, startDate: at(3000), cooldownMinutes: 1440 };
    expect(await firedAt({ ...late, durationSeconds: 290 })).toEqual([3300]);
    expect(await firedAt({ ...late, durationSeconds: 310 })).toEqual([]);
    expect(await firedAt({ ...late, startDate: at(3200), durationSeconds: 110 })).toEqual([3540]);
  });

  test('a preview reads rolling metrics from their records while they are valid', async () => {
    const arrivals = { metricPath: 'rolling5Min.arrivals', operator: 'GTE', threshold: 20 };
    // The record of 21:00 is the first with 20; the last one ends at 30:00 and is valid for 70 s.
    expect(await firedAt({ conditions: [arrivals] })).toEqual([1260, 1560, 1860]);
    const never = { metricPath: 'rolling60Min.arrivals', operator: 'GTE', threshold: 0 };
    const { data } = (await preview({ conditions: [arrivals, never] })).body;
    expect(data.unmeasuredPaths).toEqual(['rolling60Min.arrivals']);
  });

  test('a preview gives the values that it replayed as a curve of so many points', async () => {
    const arrivals = { metricPath: 'rolling5Min.arrivals', operator: 'GTE', threshold: 20 };
    const queue = { metricPath: 'current.inQueue', operator: 'GT', threshold: 5 };
    const { data } = (await preview({ conditions: [queue, arrivals], endDate: at(3600), curvePoints: 6 }))
      .body;
    const t = [0, 600, 1200, 1800, 2400, 3000].map(at);
    // The snapshot of 10:00 belongs to the first ten minutes and lies in the second point.
    expect(data.curves).toEqual([
      { metricPath: 'current.inQueue', t, min: [2, 2, 2, 2, 2, 2], max: [2, 7, 7, 2, 7, 7] },
      {
        ...{ metricPath: 'rolling5Min.arrivals', t },
        ...{ min: [0, 9, 19, 29, null, null], max: [8, 18, 28, 29, null, null] },
      },
    ]);
    expect((await preview()).body.data).not.toHaveProperty('curves');
  });

  test('a preview accepts the body of a new rule, with its name', async () => {
    expect((await preview({ name: 'x', severity: 'critical', description: null })).status).toBe(200);
  });

  test('a preview of a period without snapshots has no firings', async () => {
    const { data } = (await preview({ startDate: '2020-01-01', endDate: '2020-01-02' })).body;
    expect(data).toMatchObject({
      snapshotCount: 0,
      firingCount: 0,
      firings: [],
      unmeasuredPaths: ['current.inQueue'],
    });
  });

  test.each([
    [{ startDate: undefined }, 'VALIDATION_ERROR'],
    [{ conditions: [] }, 'VALIDATION_ERROR'],
    [{ sceneId: 'x' }, 'VALIDATION_ERROR'],
    [{ conditions: [{ metricPath: 'x', operator: 'GT', threshold: 1 }] }, 'INVALID_METRIC_PATH'],
    [{ startDate: at(10), endDate: at(0) }, 'INVALID_DATE_RANGE'],
    [{ endDate: at(7 * 86_400 + 1) }, 'INVALID_DATE_RANGE'],
    [{ curvePoints: 1 }, 'VALIDATION_ERROR'],
    [{ curvePoints: 1_001 }, 'VALIDATION_ERROR'],
    [{ curvePoints: 2.5 }, 'VALIDATION_ERROR'],
  ])('a preview refuses %j', async (changes, code) => {
    expect(codeOf(await preview(changes))).toEqual([400, code]);
  });

  test('a preview of a site replays each of its scenes, for as many days as there is time for', async () => {
    const { deviceId } = (await owner.get(`/scenes/${sceneId}`)).body.data;
    const more = await shopOf(owner);
    const deviceIds = [deviceId, more.deviceId];
    const site = { name: 'Market Street', timezone: 'UTC', deviceIds };
    const siteId = (await owner.post('/sites', site)).body.data.id;
    const [one, all] = [await preview(), await preview({ sceneId: undefined, siteId })];
    expect(all.body.data).toEqual({ ...one.body.data, sceneId: null, siteId });
    expect(all.body.data.firings[0].sceneId).toBe(sceneId);
    for (let scene = 0; scene < 9; scene += 1) {
      const data = { userId: owner.userId, deviceId, name: `${scene}`, config: {} };
      await api.context.db.scene.create({ data: { ...data, analysisType: 'queue_analysis' } });
    }
    const week = { sceneId: undefined, siteId, startDate: at(0), endDate: at(7 * 86_400) };
    expect(codeOf(await preview(week))).toEqual([400, 'INVALID_DATE_RANGE']);
    expect(codeOf(await preview({ sceneId: undefined, siteId: ABSENT }))).toEqual([404, 'NOT_FOUND']);
  });

  test('a preview of another user’s scene is 404', async () => {
    expect(codeOf(await preview({}, await api.user()))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await preview({ sceneId: ABSENT }))).toEqual([404, 'NOT_FOUND']);
  });
});
