import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_NAMES } from '../../../src/analytics/history/group-metrics.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { readCsv } from '../../http/answer/read-csv.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 20, 10);
const at = (minutes: number) => START + minutes * MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const RANGE = `from=${iso(at(0))}&to=${iso(at(60))}`;

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
let deviceId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(at(90));
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', SHOP);
  deviceId = device.body.data.id;
  const body = { deviceId, name: '=Till', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
  sceneId = (await owner.post('/scenes', body)).body.data.id;
  const { db } = api.context;
  await addMinutes(db, sceneId, [
    { atMs: at(0), inQueue: 2, maxInQueue: 4 },
    { atMs: at(1), inQueue: 3, maxInQueue: 3, coveredMs: 30_000 },
    { atMs: at(2), inQueue: 0.5, maxInQueue: 1 },
    { atMs: at(3), coveredMs: 0, maxInQueue: 0 },
    { atMs: at(60), inQueue: 9 },
  ]);
  const served = (seconds: number, serviceSeconds: number, minute: number) => ({
    ...{ outcome: 'completed' as const, arrivedAtMs: at(minute) - 1, decidedAtMs: at(minute) },
    ...{ waitMs: seconds * SECOND_MS, serviceMs: serviceSeconds * SECOND_MS, targetMs: 60_000 },
  });
  await addVisits(db, sceneId, [
    served(0, 10, 0),
    served(29.999, 20, 1),
    served(60, 30, 2),
    served(60.001, 300, 3),
    served(99_999, 400, 59),
    served(500, 500, 60),
    { outcome: 'abandoned', arrivedAtMs: at(4), decidedAtMs: at(5), waitMs: 61_000, targetMs: 60_000 },
    { outcome: 'lost', arrivedAtMs: at(4), decidedAtMs: at(6), waitMs: 61_000, serviceMs: 1_000 },
    { outcome: 'discarded', arrivedAtMs: at(4), decidedAtMs: at(7), waitMs: 61_000 },
    { outcome: null, arrivedAtMs: at(8) },
  ]);
});
afterAll(() => api?.drop());

const NO_ERRORS = Object.fromEntries(ERROR_NAMES.map((name) => [name, null]));
const distribution = (query: string, id = sceneId) =>
  owner.get(`/analytics/scenes/${id}/distribution?${query}`);

describe('GET /analytics/scenes/{id}/distribution', () => {
  test('counts bins, those who took longer, and minutes with a long queue', async () => {
    const query = `${RANGE}&edgeSeconds=60,30,0,30&longerThanSeconds=60,60.001&minQueueLength=4,1,3`;
    expect((await distribution(query)).body.data).toEqual({
      from: iso(at(0)),
      to: iso(at(60)),
      coveragePercent: 4.167,
      // The minutes are of a version that did not look at the line.
      ...NO_ERRORS,
      expectedErrorReason: 'notRecorded',
      waits: {
        ...{ count: 5, avgSeconds: 20_029.8, p50Seconds: 60, p90Seconds: 60_023.4, maxSeconds: 99_999 },
        bins: [
          { fromSeconds: 0, toSeconds: 30, count: 2 },
          { fromSeconds: 30, toSeconds: 60, count: 0 },
          { fromSeconds: 60, toSeconds: null, count: 3 },
        ],
        longerThan: [
          { seconds: 60, count: 2, share: 0.4 },
          { seconds: 60.001, count: 1, share: 0.2 },
        ],
      },
      services: {
        ...{ count: 5, avgSeconds: 152, p50Seconds: 30, p90Seconds: 360, maxSeconds: 400 },
        bins: [
          { fromSeconds: 0, toSeconds: 30, count: 2 },
          { fromSeconds: 30, toSeconds: 60, count: 1 },
          { fromSeconds: 60, toSeconds: null, count: 2 },
        ],
        longerThan: [
          { seconds: 60, count: 2, share: 0.4 },
          { seconds: 60.001, count: 2, share: 0.4 },
        ],
      },
      abandonedWaits: {
        ...{ count: 1, avgSeconds: 61, p50Seconds: 61, p90Seconds: 61, maxSeconds: 61 },
        bins: [
          { fromSeconds: 0, toSeconds: 30, count: 0 },
          { fromSeconds: 30, toSeconds: 60, count: 0 },
          { fromSeconds: 60, toSeconds: null, count: 1 },
        ],
        longerThan: [
          { seconds: 60, count: 1, share: 1 },
          { seconds: 60.001, count: 1, share: 1 },
        ],
      },
      serviceLevel: { inTime: 3, late: 2, gaveUpLate: 1, gaveUpEarly: 0, level: 0.5 },
      queue: {
        minutesMeasured: 3,
        levels: [
          { minQueueLength: 1, minutesByAverage: 2, minutesByMaximum: 3 },
          { minQueueLength: 3, minutesByAverage: 1, minutesByMaximum: 2 },
          { minQueueLength: 4, minutesByAverage: 0, minutesByMaximum: 1 },
        ],
      },
    });
  });

  test('bins of one width, and the usual bins, hold everybody', async () => {
    const stepped = (await distribution(`${RANGE}&stepSeconds=7.5`)).body.data.waits;
    expect(stepped.bins).toHaveLength(21);
    expect(stepped.bins[8]).toEqual({ fromSeconds: 60, toSeconds: 67.5, count: 2 });
    const usual = (await distribution(RANGE)).body.data;
    for (const { bins, count } of [usual.waits, usual.services, usual.abandonedWaits, stepped]) {
      expect(bins.reduce((sum: number, bin: { count: number }) => sum + bin.count, 0)).toBe(count);
    }
    expect(usual.waits.longerThan.map(({ seconds }: { seconds: number }) => seconds)).toEqual([
      60, 180, 300, 600,
    ]);
  });

  test('has the expected error of its range, as the series of one bucket has it', async () => {
    const { sceneId: looked } = await shopOf(owner);
    const signs = { followed: 2, unseen: 0.5, sure: 1.5, steps: 0.2 };
    const minutes = Array.from({ length: 60 }, (_, n) => ({ atMs: at(n), inQueue: 2 + (n % 3), signs }));
    await addMinutes(api.context.db, looked, minutes);
    const errorsIn = async (query: string) => {
      const { data } = (await distribution(query, looked)).body;
      return [...ERROR_NAMES, 'expectedErrorReason'].map((name) => data[name]);
    };
    const series = await owner.get(`/analytics/scenes/${looked}/series?${RANGE}&bucket=1h`);
    const { data } = series.body;
    const hour = [...ERROR_NAMES, 'expectedErrorReason'].map((name) => data[name][0]);
    expect(hour[0]).toBeGreaterThan(0);
    expect(await errorsIn(RANGE)).toEqual(hour);
    // Not whole quarters of an hour: other minutes, another error.
    const part = await errorsIn(`from=${iso(at(1))}&to=${iso(at(8))}`);
    expect(part[0]).not.toBe(hour[0]);
    expect(part.at(-1)).toBeNull();
    expect(await errorsIn('from=2026-01-01&to=2026-01-02')).toEqual([
      ...ERROR_NAMES.map(() => null),
      'noFrames',
    ]);
  });

  test('without rows counts are 0; what no zone measures is null', async () => {
    const empty = (await distribution('from=2026-01-01&to=2026-01-02')).body.data;
    expect(empty.waits).toMatchObject({ count: 0, avgSeconds: null, p90Seconds: null });
    expect(empty.waits.longerThan[0]).toEqual({ seconds: 60, count: 0, share: null });
    expect([empty.coveragePercent, empty.queue.minutesMeasured]).toEqual([0, 0]);
    const { sceneId: queueOnly } = await shopOf(owner);
    const { waits, services, abandonedWaits, queue } = (await distribution(RANGE, queueOnly)).body.data;
    expect([waits.count, services, abandonedWaits, queue.minutesMeasured]).toEqual([0, null, null, 0]);
  });

  test.each([
    ['edgeSeconds=a', 'edgeSeconds: must be numbers separated by commas, like 60,300'],
    ['edgeSeconds=', 'edgeSeconds: must be numbers separated by commas'],
    ['edgeSeconds=1,,2', 'edgeSeconds: must be numbers separated by commas'],
    ['edgeSeconds=1.2.3', 'edgeSeconds: must be'],
    ['edgeSeconds=86401', 'edgeSeconds: must be at most 86400'],
    [
      `edgeSeconds=${Array.from({ length: 101 }, (_, n) => n).join()}`,
      'edgeSeconds: must have at most 100 entries',
    ],
    ['edgeSeconds=1&stepSeconds=1', 'stepSeconds: must not be given together with edgeSeconds'],
    ['stepSeconds=0', 'stepSeconds: must be at least 1'],
    ['minQueueLength=2.5', 'minQueueLength: must be'],
    ['minQueueLength=0', 'minQueueLength: must be at least 1'],
    ['from=2020-01-01&to=2026-01-01', 'from: must lie at most 400 days before to. Use 2024-11-27'],
    ['from=2026-01-01&to=2025-01-01', 'from: must lie before to'],
  ])('%s is refused', async (query, message) => {
    const answer = await distribution(query);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('GET /visits', () => {
  test('lists decided visits, newest first', async () => {
    const answer = await owner.get(`/visits?sceneId=${sceneId}&limit=2&${RANGE}`);
    expect(answer.body.meta.pagination).toEqual({ page: 1, limit: 2, total: 7, totalPages: 4 });
    expect(answer.body.data).toMatchObject([
      {
        ...{ sceneId, deviceId, sceneName: '=Till', outcome: 'completed', decidedAt: iso(at(59)) },
        ...{ waitSeconds: 99_999, serviceSeconds: 400, arrivedAt: iso(at(59) - 1) },
        ...{ queueEnteredAt: iso(at(59) - 1), serviceStartedAt: iso(at(59) - 1 + 99_999_000) },
      },
      // Lost in service: the wait was measured, the service was not.
      { outcome: 'lost', decidedAt: iso(at(6)), waitSeconds: 61, serviceSeconds: null },
    ]);
    const last = await owner.get(`/visits?sceneId=${sceneId}&limit=2&page=4&${RANGE}`);
    expect(last.body.data.map(({ decidedAt }: { decidedAt: string }) => decidedAt)).toEqual([iso(at(0))]);
  });

  test('filters by outcome, scene, device and time; several scenes are merged in the order of time', async () => {
    const outcomes = async (query: string) =>
      (await owner.get(`/visits?${query}`)).body.data.map(({ outcome }: { outcome: string }) => outcome);
    expect(await outcomes('outcome=abandoned')).toEqual(['abandoned']);
    expect(await outcomes(`deviceId=${deviceId}&outcome=lost`)).toEqual(['lost']);
    const { sceneId: second } = await shopOf(owner);
    await addVisits(api.context.db, second, [
      { outcome: 'lost', arrivedAtMs: at(1), decidedAtMs: at(5.5) },
      { outcome: 'lost', arrivedAtMs: at(1), decidedAtMs: at(90) },
    ]);
    expect(await outcomes(`from=${iso(at(5))}&to=${iso(at(60))}`)).toEqual([
      'completed',
      'lost',
      'lost',
      'abandoned',
    ]);
    expect(await outcomes(`sceneId=${second}&deviceId=${deviceId}`)).toEqual([]);
    await owner.delete(`/scenes/${second}`);
    expect(await outcomes(`sceneId=${second}`)).toEqual([]);
  });

  test('somebody else sees none of them', async () => {
    const other = await api.user();
    for (const query of ['', `?sceneId=${sceneId}`, `?deviceId=${deviceId}`]) {
      expect((await other.get(`/visits${query}`)).body.data).toEqual([]);
    }
  });

  test('as CSV it has every visit once, in batches, with safe names', async () => {
    const { sceneId: many } = await shopOf(owner);
    // More than one batch, many of them decided in the same moment.
    await addVisits(
      api.context.db,
      many,
      Array.from({ length: 1_100 }, (_, n) => ({
        outcome: 'completed' as const,
        arrivedAtMs: at(n % 7),
        decidedAtMs: at(10 + (n % 3)),
        waitMs: n * SECOND_MS,
      })),
    );
    const answer = await owner.get(`/visits?sceneId=${many}&limit=5`).set('Accept', 'text/csv');
    const rows = readCsv(answer.text);
    expect(rows).toHaveLength(1_101);
    expect(new Set(rows.map((row) => row.join())).size).toBe(1_101);
    const times = rows.slice(1).map((row) => row[7]!);
    expect(times).toEqual([...times].sort().reverse());
    const named = await owner.get(`/visits?sceneId=${sceneId}`).set('Accept', 'text/csv');
    expect(named.text.split('\r\n')[1]).toContain(`,"'=Till",`);
  });

  test.each([
    [`from=${iso(at(1))}&to=${iso(at(1))}`, 'INVALID_DATE_RANGE', 'from: must lie before to'],
    ['outcome=served', 'VALIDATION_ERROR', 'outcome: must be one of completed, abandoned, lost'],
    ['sceneId=7', 'VALIDATION_ERROR', 'sceneId: must be a UUID'],
    ['limit=101', 'VALIDATION_ERROR', 'limit: must be at most 100'],
    ['startDate=2026-01-01', 'VALIDATION_ERROR', 'Did you mean from?'],
  ])('%s is refused', async (query, code, message) => {
    const answer = await owner.get(`/visits?${query}`);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.message).toContain(message);
  });
});
