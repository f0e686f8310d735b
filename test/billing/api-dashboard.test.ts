import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { charge } from '../../src/billing/charge.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, TestClock, testApi } from '../support/api.ts';

const clock = new TestClock();
clock.time = new Date('2025-11-12T12:00:00.000Z');
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let tillId: string;

async function use(feature: Feature, quantity: number, on: string, deviceId: string | null = tillId) {
  const about = { userId: owner.userId, deviceId, feature, quantity };
  const sourceId = `${feature} ${on} ${deviceId}`;
  await api.context.db.$transaction((tx) => charge(tx, { ...about, sourceId, occurredAt: new Date(on) }));
}

beforeAll(async () => {
  api = await testApi({}, clock);
  [owner, other] = [await api.user(), await api.user()];
  tillId = (await owner.post('/devices', SHOP)).body.data.id;
  await use('analysis', 100, '2025-10-31T23:59:59.999Z');
  await use('vlm', 40, '2025-10-05T08:00:00Z', null);
  for (let day = 1; day <= 11; day++) {
    await use('analysis', 3600, `2025-11-${String(day).padStart(2, '0')}T00:00:00.000Z`);
  }
  await use('alert', 2, '2025-11-03T11:00:00Z');
});
afterAll(() => api.drop());

const NOTHING = { analysisSeconds: 0, alertCount: 0, attributeCount: 0, vlmTokens: 0 };
const dataOf = async (path: string, user = owner) => (await user.get(`/billing/dashboard/${path}`)).body.data;

describe('trend', () => {
  test('the trend by day has whole days, 0 where nothing was used', async () => {
    const range = 'startDate=2025-10-30T07:00:00Z&endDate=2025-11-01T00:00:01Z';
    const day = (windowStart: string, windowEnd: string, seconds: number) => ({
      windowStart: `${windowStart}T00:00:00.000Z`,
      windowEnd: `${windowEnd}T00:00:00.000Z`,
      ...NOTHING,
      analysisSeconds: seconds,
    });
    expect(await dataOf(`trend?granularity=day&${range}`)).toEqual({
      granularity: 'day',
      startDate: '2025-10-30T00:00:00.000Z',
      endDate: '2025-11-02T00:00:00.000Z',
      deviceId: null,
      data: [
        day('2025-10-30', '2025-10-31', 0),
        day('2025-10-31', '2025-11-01', 100),
        day('2025-11-01', '2025-11-02', 3600),
      ],
    });
  });

  test('the trend by month exists for a user and for a device', async () => {
    const ofUser = await dataOf('trend?granularity=month&startDate=2025-09-01&endDate=2025-12-01');
    expect(ofUser.data).toEqual([
      { windowStart: '2025-09-01T00:00:00.000Z', windowEnd: '2025-10-01T00:00:00.000Z', ...NOTHING },
      {
        ...{ windowStart: '2025-10-01T00:00:00.000Z', windowEnd: '2025-11-01T00:00:00.000Z', ...NOTHING },
        ...{ analysisSeconds: 100, vlmTokens: 40 },
      },
      {
        ...{ windowStart: '2025-11-01T00:00:00.000Z', windowEnd: '2025-12-01T00:00:00.000Z', ...NOTHING },
        ...{ analysisSeconds: 39_600, alertCount: 2 },
      },
    ]);
    const ofDevice = await dataOf(
      `trend?granularity=month&startDate=2025-10-01&endDate=2025-11-01&deviceId=${tillId}`,
    );
    expect(ofDevice.data).toMatchObject([{ analysisSeconds: 100, vlmTokens: 0 }]);
  });

  test('the trend without dates covers the last 30 days, or the last 12 months', async () => {
    const days = await dataOf('trend');
    expect([days.data.length, days.startDate, days.endDate]).toEqual([
      ...[30, '2025-10-14T00:00:00.000Z', '2025-11-13T00:00:00.000Z'],
    ]);
    const months = await dataOf('trend?granularity=month');
    expect([months.data.length, months.startDate]).toEqual([12, '2024-12-01T00:00:00.000Z']);
  });

  test('the trend of an empty range is empty; a foreign device has no usage', async () => {
    expect((await dataOf('trend?startDate=2025-11-03&endDate=2025-11-03')).data).toEqual([]);
    const { data } = await dataOf(`trend?startDate=2025-11-03&endDate=2025-11-04&deviceId=${tillId}`, other);
    expect(data).toMatchObject([NOTHING]);
  });

  test.each([
    ['granularity=hour', 'VALIDATION_ERROR'],
    ['deviceId=x', 'VALIDATION_ERROR'],
    ['startDate=2025-11-04&endDate=2025-11-03', 'INVALID_DATE_RANGE'],
    ['startDate=2024-01-01&endDate=2025-11-03', 'INVALID_DATE_RANGE'],
    ['granularity=month&startDate=2000-01-01&endDate=2025-11-03', 'INVALID_DATE_RANGE'],
  ])('the trend %s is refused', async (query, code) => {
    expect(codeOf(await owner.get(`/billing/dashboard/trend?${query}`))).toEqual([400, code]);
  });

  test('dates at the edges of the allowed range are answered', async () => {
    for (const query of [
      'endDate=0001-01-01',
      'startDate=9999-12-31',
      'granularity=month&endDate=0001-01-02',
    ]) {
      expect((await owner.get(`/billing/dashboard/trend?${query}`)).status).toBeLessThan(500);
    }
  });
});

describe('comparison', () => {
  const window = (month: string, from: string, to: string) => ({
    ...{ period: month, windowStart: `${from}:00.000Z`, windowEnd: `${to}:00.000Z` },
  });
  /** Sets the API's clock to this time; the usage of the tests stays where it is. */
  async function at<Result>(time: string, work: () => Promise<Result>): Promise<Result> {
    const before = clock.time;
    clock.time = new Date(time);
    return work().finally(() => {
      clock.time = before;
    });
  }

  test('the current month is compared with the same part of the month before; a percentage of 0 is null', async () => {
    const { current, previous, change } = await dataOf('comparison');
    expect(current).toEqual({
      ...window('2025-11', '2025-11-01T00:00', '2025-11-12T12:00'),
      ...{ ...NOTHING, analysisSeconds: 39_600, alertCount: 2 },
    });
    expect(previous).toEqual({
      ...window('2025-10', '2025-10-01T00:00', '2025-10-12T12:00'),
      ...{ ...NOTHING, vlmTokens: 40 },
    });
    expect(change).toEqual({
      analysisSeconds: { absolute: 39_600, percent: null },
      alertCount: { absolute: 2, percent: null },
      attributeCount: { absolute: 0, percent: null },
      vlmTokens: { absolute: -40, percent: -100 },
    });
  });

  test('the month before is counted up to the same moment, to the millisecond', async () => {
    const user = await api.user();
    const used = { userId: user.userId, deviceId: null, feature: 'vlm' } as const;
    const times = {
      '2025-10-11T23:59:59.999Z': 1,
      '2025-10-12T11:59:59.999Z': 10,
      '2025-10-12T12:00:00Z': 100,
    };
    for (const [time, quantity] of Object.entries(times)) {
      const of = { ...used, quantity, sourceId: `to the moment ${time}`, occurredAt: new Date(time) };
      await api.context.db.$transaction((tx) => charge(tx, of));
    }
    expect((await dataOf('comparison', user)).previous.vlmTokens).toBe(11);
  });

  test('a past month is compared with the whole month before', async () => {
    const { current, previous } = await dataOf('comparison?billingPeriod=2025-10');
    expect(current).toEqual({
      ...window('2025-10', '2025-10-01T00:00', '2025-11-01T00:00'),
      ...{ ...NOTHING, analysisSeconds: 100, vlmTokens: 40 },
    });
    expect(previous).toEqual({ ...window('2025-09', '2025-09-01T00:00', '2025-10-01T00:00'), ...NOTHING });
  });

  test('a month that is longer than the month before is compared with all of that month', async () => {
    const asOf = (time: string) => at(time, () => dataOf('comparison'));
    expect((await asOf('2025-12-31T18:00:00.000Z')).previous).toEqual({
      ...window('2025-11', '2025-11-01T00:00', '2025-12-01T00:00'),
      ...{ ...NOTHING, analysisSeconds: 39_600, alertCount: 2 },
    });
    expect((await asOf('2025-12-02T00:00:00.000Z')).previous).toEqual({
      ...window('2025-11', '2025-11-01T00:00', '2025-11-02T00:00'),
      ...{ ...NOTHING, analysisSeconds: 3600 },
    });
    expect((await asOf('2025-12-01T00:00:00.000Z')).previous).toEqual({
      ...window('2025-11', '2025-11-01T00:00', '2025-11-01T00:00'),
      ...NOTHING,
    });
  });

  test('a future month is compared with nothing', async () => {
    const { current, previous } = await dataOf('comparison?billingPeriod=2026-01');
    expect(current).toEqual({ ...window('2026-01', '2026-01-01T00:00', '2026-01-01T00:00'), ...NOTHING });
    expect(previous).toEqual({ ...window('2025-12', '2025-12-01T00:00', '2025-12-01T00:00'), ...NOTHING });
  });
});

describe('forecast', () => {
  test('the forecast continues the last weeks', async () => {
    const forecast = await dataOf('forecast');
    expect(forecast).toMatchObject({
      period: '2025-11',
      asOf: clock.time.toISOString(),
      elapsedRatio: 0.3833,
    });
    const { usedToDate, projected, lowerBound, upperBound } = forecast.features.analysis;
    expect(usedToDate).toBe(39_600);
    // Half a day without usage so far makes the rate a little lower than an hour a day.
    expect(projected).toBeGreaterThan(39_600 + 18.5 * 2500);
    expect(projected).toBeLessThan(39_600 + 18.5 * 3600);
    expect(lowerBound <= projected && projected <= upperBound).toBe(true);
    expect(forecast.features.attribute).toMatchObject({
      usedToDate: 0,
      projected: 0,
      projectedExceedAt: null,
    });
  });

  test('the forecast tells when a limit will be reached', async () => {
    await api.context.db.quota.updateMany({
      where: { scopeId: owner.userId, period: '2025-11', feature: 'analysis' },
      data: { limit: 50_000 },
    });
    const { analysis } = (await dataOf('forecast')).features;
    expect(analysis.limit).toBe(50_000);
    expect(analysis.projectedPercentage).toBeGreaterThan(100);
    expect(analysis.projectedExceedAt).toMatch(/^2025-11-1[5-7]T/);
  });

  test('the forecast of a user without usage is 0', async () => {
    const { method, features } = await dataOf('forecast', other);
    expect(method).toBe('straight_line');
    expect(features.vlm).toMatchObject({
      usedToDate: 0,
      projected: 0,
      lowerBound: null,
      projectedPercentage: 0,
    });
  });

  test('the forecast of a past month is its usage', async () => {
    const { features, elapsedRatio } = await dataOf('forecast?billingPeriod=2025-10');
    expect(elapsedRatio).toBe(1);
    expect(features.analysis).toMatchObject({ projected: 100, lowerBound: 100, upperBound: 100 });
  });
});
