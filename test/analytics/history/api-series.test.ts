import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { readCsv } from '../../http/answer/read-csv.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 20, 10);
const at = (minutes: number) => START + minutes * MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const NOW = at(150);

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
const clock = new TestClock();

const series = (query: string, id = sceneId) => owner.get(`/analytics/scenes/${id}/series?${query}`);
const read = async (query: string, id = sceneId) => {
  const answer = await series(query, id);
  expect(answer.body.message ?? '').toBe('');
  return answer.body.data;
};

beforeAll(async () => {
  clock.time = new Date(NOW);
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Till', analysisType: 'queue_analysis' };
  const scene = await owner.post('/scenes', { ...body, config: { zones: SHOP_ZONES } });
  sceneId = scene.body.data.id;
  const { db } = api.context;
  await addMinutes(db, sceneId, [
    { atMs: at(0), inQueue: 2, inService: 1, maxInQueue: 4 },
    { atMs: at(1), inQueue: 4, inService: 0, maxInQueue: 5, maxInService: 2, coveredMs: 30_000 },
    { atMs: at(59), inQueue: 1, maxInQueue: 9 },
    { atMs: at(60), inQueue: 3 },
    { atMs: at(149), inQueue: 1, coveredMs: 30_000 },
  ]);
  await addVisits(db, sceneId, [
    {
      outcome: 'completed',
      arrivedAtMs: at(-1),
      decidedAtMs: at(0),
      waitMs: 10_000,
      serviceMs: 30_000,
      targetMs: 15_000,
    },
    {
      outcome: 'completed',
      arrivedAtMs: at(1),
      decidedAtMs: at(5),
      waitMs: 20_000,
      serviceMs: 50_000,
      targetMs: 15_000,
    },
    { outcome: 'completed', arrivedAtMs: at(2), decidedAtMs: at(59), waitMs: null, serviceMs: 5_000 },
    { outcome: 'abandoned', arrivedAtMs: at(3), decidedAtMs: at(6), waitMs: 40_000, targetMs: 15_000 },
    { outcome: 'lost', arrivedAtMs: at(4), decidedAtMs: at(59.9), waitMs: 99_000, serviceMs: 1_000 },
    { outcome: 'discarded', arrivedAtMs: at(4), decidedAtMs: at(8), waitMs: 99_000 },
    { outcome: null, arrivedAtMs: at(6) },
    { outcome: 'completed', arrivedAtMs: at(7), decidedAtMs: at(60), waitMs: 1_000, serviceMs: 1_000 },
  ]);
});
afterAll(() => api?.drop());

describe('GET /analytics/scenes/{id}/series', () => {
  test('without a queue zone everybody who enters the checkout arrives', async () => {
    const { db } = api.context;
    const { config } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
    const { checkoutZone } = SHOP_ZONES;
    await db.scene.update({
      where: { id: sceneId },
      data: { config: { zones: { checkoutZone } } as object },
    });
    const data = await read(`from=${iso(at(0))}&to=${iso(at(60))}&bucket=1h`);
    expect(data.arrivals).toEqual([6]);
    await db.scene.update({ where: { id: sceneId }, data: { config: config as object } });
  });

  test('counts and averages stand in columns, with null where nothing was measured', async () => {
    const data = await read(`from=${iso(at(0))}&to=${iso(at(240))}&bucket=1h`);
    const NOTHING = [null, null, null, null];
    expect(data).toEqual({
      from: iso(at(0)),
      to: iso(at(240)),
      bucket: '1h',
      timezone: 'UTC',
      unfinishedIndex: 2,
      t: [iso(at(0)), iso(at(60)), iso(at(120)), iso(at(180))],
      // 150 of 3,600 s; 60 of 3,600 s; 30 of the 1,800 s until now; the future.
      coveragePercent: [4.167, 1.667, 1.667, 0],
      // Of the visits of the first hour one came straight to the checkout: it did not join the queue.
      arrivals: [5, 0, 0, null],
      completed: [3, 1, 0, null],
      abandoned: [1, 0, 0, null],
      lost: [1, 0, 0, null],
      abandonmentRate: [0.25, 0, null, null],
      throughputPerHour: [72, null, null, null],
      // (2 × 60 + 4 × 30 + 1 × 60) ÷ 150
      avgInQueue: [2, 3, 1, null],
      maxInQueue: [9, 3, 1, null],
      avgInService: [0.4, 0, 0, null],
      maxInService: [2, 0, 0, null],
      serverUtilization: [0.4, 0, 0, null],
      waitCount: [2, 1, 0, null],
      avgWaitSeconds: [15, 1, null, null],
      openPercent: null,
      p50WaitSeconds: [15, 1, null, null],
      p90WaitSeconds: [19, 1, null, null],
      maxWaitSeconds: [20, 1, null, null],
      serviceCount: [3, 1, 0, null],
      avgServiceSeconds: [28.333, 1, null, null],
      p90ServiceSeconds: [46, 1, null, null],
      maxServiceSeconds: [50, 1, null, null],
      abandonedWaitCount: [1, 0, 0, null],
      avgAbandonedWaitSeconds: [40, null, null, null],
      maxAbandonedWaitSeconds: [40, null, null, null],
      abandonedEarly: [0, 0, 0, null],
      serviceLevel: [0.333, null, null, null],
      serviceLevelCount: [3, 0, 0, null],
      ...{ avgOpenTills: NOTHING, tillUtilization: NOTHING, waitedWithFreeTillSeconds: NOTHING },
      ...{
        expectedErrorPercent: NOTHING,
        expectedErrorLowPercent: NOTHING,
        expectedErrorHighPercent: NOTHING,
      },
      ...{
        expectedWaitErrorPercent: NOTHING,
        expectedWaitErrorLowPercent: NOTHING,
        expectedWaitErrorHighPercent: NOTHING,
      },
      expectedErrorReason: ['notRecorded', 'notRecorded', 'notRecorded', 'noFrames'],
    });
  });

  test('without a range it gives the last 24 hours, in buckets that fit', async () => {
    const data = await read('');
    expect([data.from, data.to, data.bucket, data.t.length]).toEqual([
      ...[iso(NOW - 1440 * MINUTE_MS), iso(NOW), '5m', 288],
    ]);
    expect(data.unfinishedIndex).toBeNull();
    expect((await read(`to=${iso(at(10))}`)).from).toBe(iso(at(10) - 1440 * MINUTE_MS));
  });

  test('a range before the first start, and one in the future, has coverage 0 and nulls', async () => {
    for (const [from, to] of [
      ['2000-01-01', '2000-01-02'],
      ['2030-01-01', '2030-01-02'],
    ]) {
      const data = await read(`from=${from}&to=${to}&bucket=6h`);
      expect(data.coveragePercent).toEqual([0, 0, 0, 0]);
      expect([data.arrivals, data.completed, data.avgInQueue, data.avgWaitSeconds]).toEqual(
        Array(4).fill([null, null, null, null]),
      );
    }
  });

  test('days are cut in the time zone', async () => {
    const data = await read(
      'from=2026-11-19T11:00:00Z&to=2026-11-20T11:00:00Z&bucket=1d&timezone=Pacific/Auckland',
    );
    expect([data.timezone, data.t, data.completed]).toEqual([
      'Pacific/Auckland',
      ['2026-11-19T11:00:00.000Z'],
      [3],
    ]);
  });

  test('what the zones cannot measure is null', async () => {
    const { sceneId: queueOnly } = await shopOf(owner);
    await addMinutes(api.context.db, queueOnly, [{ atMs: at(0), inQueue: 1 }]);
    const data = await read(`from=${iso(at(0))}&to=${iso(at(60))}&bucket=1h`, queueOnly);
    const { avgInQueue, avgInService, serverUtilization, abandoned, completed, serviceCount } = data;
    expect({ avgInQueue, avgInService, serverUtilization, abandoned, completed, serviceCount }).toEqual({
      ...{ avgInQueue: [1], avgInService: [null], serverUtilization: [null], abandoned: [null] },
      ...{ completed: [0], serviceCount: [null] },
    });
  });

  test('the expected error grows where people are not seen, and is null where it was not measured', async () => {
    const { sceneId: lines } = await shopOf(owner);
    const well = { followed: 3, unseen: 0, sure: 3, steps: 0 };
    const badly = { followed: 1, unseen: 2, sure: 1, steps: 1 };
    const minutes = (signs: typeof well | undefined, hour: number, inQueue = 3) =>
      Array.from({ length: 5 }, (_, minute) => ({
        ...{ atMs: at(60 * hour + minute), inQueue },
        ...(signs && { signs }),
      }));
    await addMinutes(api.context.db, lines, [
      ...minutes(well, -4),
      ...minutes(badly, -3),
      ...minutes(undefined, -2),
      ...minutes({ ...well, followed: 0, sure: 0 }, -1, 0),
    ]);
    const data = await read(`from=${iso(at(-240))}&to=${iso(at(60))}&bucket=1h`, lines);
    const [first, second, ...others] = data.expectedErrorPercent;
    expect(first).toBeLessThan(20);
    expect(second).toBeGreaterThan(20);
    expect(others).toEqual([null, null, null]);
    expect(data.expectedErrorReason).toEqual([null, null, 'notRecorded', 'tooFewPeople', 'noFrames']);
    const [wait, worseWait] = data.expectedWaitErrorPercent;
    expect(worseWait).toBeGreaterThan(wait);
  });

  test('as CSV it has one row for each bucket', async () => {
    const answer = await series(`from=${iso(at(0))}&to=${iso(at(180))}&bucket=1h`).set('Accept', 'text/csv');
    expect(answer.status).toBe(200);
    const rows = readCsv(answer.text);
    expect(rows).toHaveLength(4);
    expect(rows[0]!.slice(0, 5)).toEqual(['t', 'coveragePercent', 'isUnfinished', 'arrivals', 'completed']);
    expect(rows.slice(1).map((row) => row.slice(0, 5).join(','))).toEqual([
      `${iso(at(0))},4.167,false,5,3`,
      `${iso(at(60))},1.667,false,0,1`,
      `${iso(at(120))},1.667,true,0,0`,
    ]);
  });
});

describe('faults of a request', () => {
  test.each([
    ['from=2026-01-02&to=2026-01-01', 'INVALID_DATE_RANGE', 'from: must lie before to'],
    ['from=2026-01-01&to=2026-01-01', 'INVALID_DATE_RANGE', 'from: must lie before to'],
    ['from=2027-01-01', 'INVALID_DATE_RANGE', 'from: must lie before now'],
    ['from=1999-12-31&to=2026-01-01', 'INVALID_DATE_RANGE', 'must lie in the years 2000 to 2999'],
    ['from=2026-01-01&to=3000-01-01', 'INVALID_DATE_RANGE', 'must lie in the years 2000 to 2999'],
    [
      'from=2026-01-01&to=2026-01-31&bucket=1m',
      'INVALID_DATE_RANGE',
      'bucket: is too short for this range: an answer has at most 1,500 points. Use bucket=30m, or a range of at most 24 hours',
    ],
    ['from=2000-01-01&to=2900-01-01', 'INVALID_DATE_RANGE', 'Use a range of at most 41,944 days'],
    ['bucket=1hour', 'VALIDATION_ERROR', 'Did you mean "1h"?'],
    ['bucket=daily', 'VALIDATION_ERROR', 'Did you mean "1d"?'],
    ['bucket=', 'VALIDATION_ERROR', 'bucket: must be one of 1m, 5m'],
    ['timezone=Europe/Berln', 'VALIDATION_ERROR', 'must be an IANA time zone like Europe/Berlin'],
    ['startDate=2026-01-01', 'VALIDATION_ERROR', 'Did you mean from?'],
    ['interval=1h', 'VALIDATION_ERROR', 'Did you mean bucket?'],
  ])('%s', async (query, code, message) => {
    const answer = await series(query);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.message).toContain(message);
  });

  test('a scene of another user, and a deleted one, is not found', async () => {
    const other = await api.user();
    const { sceneId: foreign } = await shopOf(other);
    expect(codeOf(await series('', foreign))).toEqual([404, 'NOT_FOUND']);
    await other.delete(`/scenes/${foreign}`);
    expect(codeOf(await other.get(`/analytics/scenes/${foreign}/series`))).toEqual([404, 'NOT_FOUND']);
  });
});
