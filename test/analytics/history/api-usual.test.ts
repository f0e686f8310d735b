import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GroupValues } from '../../../src/analytics/history/group-metrics.ts';
import { USUAL_NAMES, usualBands } from '../../../src/analytics/history/usual/usual-bands.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 10:00 in Berlin, four weeks after its clocks went back. */
const START = Date.parse('2026-11-22T09:00:00Z');
const NOW = START + 2 * HOUR_MS;

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
let deviceId: string;
const clock = new TestClock();

/** The same hour on the wall some weeks before. */
const weeksBefore = (weeks: number): number => START - weeks * 7 * DAY_MS - (weeks >= 5 ? HOUR_MS : 0);
const iso = (ms: number) => new Date(ms).toISOString();

beforeAll(async () => {
  clock.time = new Date(NOW);
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', { ...SHOP, timezone: 'Europe/Berlin' });
  deviceId = device.body.data.id;
  const body = { deviceId, name: 'Till', analysisType: 'queue_analysis' };
  const scene = await owner.post('/scenes', { ...body, config: { zones: SHOP_ZONES } });
  sceneId = scene.body.data.id;
  const { db } = api.context;
  for (const [at, weeks] of [1, 2, 3, 4, 5].entries()) {
    const from = weeksBefore(weeks);
    const minutes = Array.from({ length: 60 }, (_, minute) => ({
      atMs: from + minute * MINUTE_MS,
      inQueue: 2 + (at % 2),
    }));
    await addMinutes(db, sceneId, minutes);
    const visits = Array.from({ length: 20 + at }, (_, visit) => ({
      outcome: 'completed' as const,
      arrivedAtMs: from + visit * MINUTE_MS,
      decidedAtMs: from + visit * MINUTE_MS + 50_000,
      waitMs: 10_000 + 500 * at,
      serviceMs: 30_000,
    }));
    await addVisits(db, sceneId, visits);
  }
});
afterAll(() => api?.drop());

const usual = async (query: string) => {
  const answer = await owner.get(`/analytics/scenes/${sceneId}/series?usual=true&${query}`);
  expect(answer.body.message ?? '').toBe('');
  return answer.body.data.usual;
};

test('is the band of the same hour on the wall in the weeks before, and nothing beside them', async () => {
  const range = `from=${iso(START - HOUR_MS)}&to=${iso(START + 2 * HOUR_MS)}&bucket=1h`;
  const bands = await usual(range);
  expect(bands.reason).toBeNull();
  expect(Object.keys(bands).sort()).toEqual(['reason', ...USUAL_NAMES].sort());
  const { arrivals, p50WaitSeconds, avgInQueue, avgOpenTills } = bands;
  for (const { low, high } of [arrivals, p50WaitSeconds, avgInQueue])
    expect([low[0], high[0], low[2], high[2]]).toEqual([null, null, null, null]);
  expect(arrivals.low[1]).toBeGreaterThanOrEqual(17);
  expect(arrivals.low[1]).toBeLessThanOrEqual(20);
  expect(arrivals.high[1]).toBeGreaterThanOrEqual(24);
  expect(arrivals.high[1]).toBeLessThanOrEqual(27);
  expect(p50WaitSeconds.low[1]).toBeCloseTo(9.8, 0);
  expect(p50WaitSeconds.high[1]).toBeCloseTo(12.2, 0);
  expect(avgOpenTills.low).toEqual([null, null, null]);
  const asked = await owner.get(`/analytics/scenes/${sceneId}/series?${range}`);
  expect(asked.body.data.usual).toBeUndefined();
});

test('says why there is none: too few weeks, or buckets of weeks', async () => {
  const early = `from=${iso(weeksBefore(3))}&to=${iso(weeksBefore(3) + HOUR_MS)}&bucket=1h`;
  expect((await usual(early)).reason).toBe('learning');
  const long = await usual(`from=${iso(START - 60 * DAY_MS)}&bucket=1w`);
  expect(long.reason).toBe('longBucket');
  expect(long.arrivals.low.every((edge: unknown) => edge === null)).toBe(true);
  const bad = await owner.get(`/analytics/scenes/${sceneId}/series?usual=perhaps`);
  expect(codeOf(bad)).toEqual([400, 'VALIDATION_ERROR']);
});

test('leaves out closed hours, of today and of the weeks before', async () => {
  const hour = `from=${iso(START)}&to=${iso(START + HOUR_MS)}&bucket=1h`;
  const windows = (days: number[]) => ({ windows: [{ days, start: '10:15', end: '20:00' }], exceptions: [] });
  const body = { name: 'Shop', timezone: 'Europe/Berlin', deviceIds: [deviceId] };
  const site = await owner.post('/sites', { ...body, openingHours: windows([7]) });
  const path = `/sites/${site.body.data.id}`;
  // Fifteen of the people of each week come in the closed minutes.
  const open = (await usual(hour)).arrivals;
  expect(open.high[0]).toBeLessThan(17);
  await owner.patch(path, { openingHours: windows([1]) });
  expect((await usual(hour)).arrivals).toEqual({ low: [null], high: [null] });
  await owner.delete(path);
});

test('eight of ten ordinary values lie in the band, over-dispersed counts too', () => {
  const random = createRandom(41);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const BUCKETS = 40;
  let inside = 0;
  let all = 0;
  for (let trial = 0; trial < 60; trial++) {
    const mean = (at: number) => 30 + 25 * Math.sin((at / BUCKETS) * Math.PI);
    // Twice as dispersed as when people come one by one.
    const value = (at: number) => Math.max(0, Math.round(mean(at) + Math.sqrt(2 * mean(at)) * normal()));
    const week = () =>
      Array.from({ length: BUCKETS }, (_, at) => ({ arrivals: value(at) }) as unknown as GroupValues);
    const past = Array.from({ length: 6 }, week);
    const now = week();
    const { arrivals } = usualBands(
      now.map((_, at) =>
        past.map((values) => ({
          own: values[at]!,
          beside: [values[at - 1], values[at + 1]].filter((one) => one !== undefined),
        })),
      ),
    );
    now.forEach(({ arrivals: came }, at) => {
      all += 1;
      if (came! >= arrivals.low[at]! && came! <= arrivals.high[at]!) inside += 1;
    });
  }
  expect(inside / all).toBeGreaterThan(0.77);
  expect(inside / all).toBeLessThan(0.87);
});
