import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { charge, rollBack } from '../../src/billing/charge.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, TestClock, testApi } from '../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
clock.time = new Date('2025-11-12T12:00:00.000Z');
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let tillId: string;
let doorId: string;

async function use(
  feature: Feature,
  quantity: number,
  at: { on: string; deviceId?: string; sourceId?: string },
) {
  await api.context.db.$transaction((tx) =>
    charge(tx, {
      ...{ userId: owner.userId, deviceId: at.deviceId ?? null, feature, quantity },
      ...{
        sourceId: at.sourceId ?? `${feature} ${at.on} ${at.deviceId}`,
        occurredAt: new Date(`${at.on}:00Z`),
      },
    }),
  );
}

beforeAll(async () => {
  api = await testApi({}, clock);
  [owner, other] = [await api.user(), await api.user()];
  const addDevice = async (name: string) => (await owner.post('/devices', { ...SHOP, name })).body.data.id;
  [tillId, doorId] = [await addDevice('Till'), await addDevice('Door')];
  await use('analysis', 100, { on: '2025-10-31T23:59', deviceId: tillId });
  await use('vlm', 40, { on: '2025-10-05T08:00' });
  await use('analysis', 60, { on: '2025-11-01T00:00', deviceId: tillId, sourceId: 'slice' });
  await use('analysis', 90, { on: '2025-11-03T09:00', deviceId: tillId });
  await use('analysis', 50, { on: '2025-11-03T10:00', deviceId: doorId });
  await use('alert', 2, { on: '2025-11-03T11:00', deviceId: doorId });
  await use('vlm', 10, { on: '2025-11-03T12:00' });
  await api.context.db.$transaction((tx) =>
    rollBack(tx, { feature: 'analysis', sourceId: 'slice', quantity: 20 }),
  );
});
afterAll(() => api.drop());

const dataOf = async (path: string, user = owner) => {
  const answer = await user.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body.data;
};
const NOTHING = { analysisSeconds: 0, alertCount: 0, attributeCount: 0, vlmTokens: 0 };
const DEFAULTS = { analysis: 2_678_400, alert: 10_000, attribute: 100_000, vlm: 1_000_000 };

const PERIODIC = [
  ...['monthly-quota', 'quota', 'summary', 'summary/by-device', 'usage', 'transactions'],
  ...['dashboard/comparison', 'dashboard/forecast'],
].map((name) => `/billing/${name}?billingPeriod=`);

describe('every billing endpoint', () => {
  test.each([...PERIODIC, '/usage/user/summary?period=', `/usage/devices/TILL?period=`])(
    '%s requires a valid month',
    async (path) => {
      const ask = (period: string) => owner.get(`${path.replace('TILL', tillId)}${period}`);
      for (const period of ['2025-13', '2025-1', '25-01', '2025-11-01', 'now', '', '1999-12', '３025-01']) {
        expect([period, ...codeOf(await ask(encodeURIComponent(period)))]).toEqual([
          period,
          400,
          'INVALID_BILLING_PERIOD',
        ]);
      }
      for (const period of ['2000-01', '2025-10', '2999-12']) expect((await ask(period)).status).toBe(200);
      expect(codeOf(await ask('2025-11&period=2025-11&billingPeriod=2025-11'))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    },
  );

  test.each([
    ...[...PERIODIC, '/usage/user/summary?'].map((path) => path.split('?')[0]!),
    '/billing/dashboard/trend',
    '/usage/devices/TILL',
  ])('%s requires a key with the scope', async (path) => {
    const at = path.replace('TILL', tillId);
    expect(codeOf(await api.nobody.get(at))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await (await api.user(['scene:read'])).get(at))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await owner.get(at)).status).toBe(200);
  });
});

describe('quota', () => {
  test('the monthly quota has limit, used and balance of each feature', async () => {
    const of = (feature: keyof typeof DEFAULTS, used: number) => {
      const limit = DEFAULTS[feature];
      return { limit, used, balance: limit - used };
    };
    expect(await dataOf('/billing/monthly-quota')).toEqual({
      userId: owner.userId,
      period: '2025-11',
      analysisSeconds: of('analysis', 180),
      alertCount: of('alert', 2),
      attributeCount: of('attribute', 0),
      vlmTokens: of('vlm', 10),
      resetAt: '2025-12-01T00:00:00.000Z',
    });
    const october = await dataOf('/billing/monthly-quota?billingPeriod=2025-10');
    expect([october.analysisSeconds.used, october.vlmTokens.used]).toEqual([100, 40]);
  });

  test('the legacy quota has the same numbers, flat', async () => {
    expect(await dataOf('/billing/quota')).toMatchObject({
      ...{ quotaSeconds: 2_678_400, usedSeconds: 180, remainingSeconds: 2_678_220 },
      ...{ alertQuota: 10_000, alertUsed: 2, alertRemaining: 9998, vlmUsed: 10, attributeUsed: 0 },
    });
  });

  test('other users do not see a quota, and reading opens no month', async () => {
    expect((await dataOf('/billing/monthly-quota', other)).analysisSeconds.used).toBe(0);
    expect(await api.context.db.quota.count({ where: { userId: other.userId } })).toBe(0);
  });
});

describe('summary', () => {
  test('the summary has four features with units and the analysis types; a search has no type', async () => {
    const summary = await dataOf('/billing/summary');
    expect(summary).toMatchObject({
      billingPeriod: '2025-11',
      periodStart: '2025-11-01T00:00:00.000Z',
      periodEnd: '2025-12-01T00:00:00.000Z',
    });
    expect(summary.features.alert).toEqual({
      ...{ unit: 'count', used: 2, limit: 10_000, balance: 9998, isExceeded: false, usagePercentage: 0.02 },
    });
    expect(summary.features.vlm).toMatchObject({ unit: 'tokens', used: 10 });
    const inAnalysis = { ...NOTHING, analysisSeconds: 180, alertCount: 2 };
    expect(summary.usageByType).toEqual([{ type: 'queue_analysis', ...inAnalysis, percentage: 100 }]);
    expect((await dataOf('/billing/summary', other)).usageByType).toEqual([]);
  });

  test('usage by device lists the largest first, and also deleted devices, so that the sum is right', async () => {
    const { data, meta } = (await owner.get('/billing/summary/by-device?limit=1')).body;
    const till = {
      deviceId: tillId,
      deviceName: 'Till',
      ...NOTHING,
      analysisSeconds: 130,
      percentage: 72.22,
      deviceType: 'camera',
    };
    expect(data).toEqual([till]);
    expect(meta.pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2 });
    const device = await owner.post('/devices', SHOP);
    const goneId = device.body.data.id;
    await use('attribute', 3, { on: '2025-09-03T11:00', deviceId: goneId });
    await owner.delete(`/devices/${goneId}`);
    const september = await dataOf('/billing/summary/by-device?billingPeriod=2025-09');
    expect(september).toMatchObject([{ deviceId: goneId, attributeCount: 3, percentage: null }]);
    expect(await dataOf('/billing/summary/by-device', other)).toEqual([]);
  });

  test('the summary of a user has the fields of version 0.6.0', async () => {
    const usage = await dataOf('/usage/user/summary?period=2025-11');
    expect(usage).toMatchObject({ userId: owner.userId, period: '2025-11' });
    expect(usage.analysis).toEqual({ used: 180, limit: 2_678_400, balance: 2_678_220, isExceeded: false });
  });
});

describe('usage of a device', () => {
  test('a device is unlimited until the operator sets a limit', async () => {
    expect(await dataOf(`/usage/devices/${doorId}`)).toEqual({
      ...{ deviceId: doorId, deviceName: 'Door', period: '2025-11', isDisabled: false, isUnlimited: true },
      ...{ quotaSeconds: null, usedSeconds: 50, remainingSeconds: null, usagePercentage: null },
      ...{ alertQuota: null, alertUsed: 2, alertRemaining: null },
      ...{ attributeQuota: null, attributeUsed: 0, attributeRemaining: null },
      ...{ vlmQuota: null, vlmUsed: 0, vlmRemaining: null },
      deviceType: 'camera',
    });
  });

  test('the usage of an absent, deleted or foreign device is 404, a malformed id 400', async () => {
    const goneId = (await owner.post('/devices', SHOP)).body.data.id;
    await owner.delete(`/devices/${goneId}`);
    for (const id of [ABSENT, goneId]) {
      expect(codeOf(await owner.get(`/usage/devices/${id}`))).toEqual([404, 'NOT_FOUND']);
    }
    expect(codeOf(await other.get(`/usage/devices/${tillId}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.get('/usage/devices/x'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('usage events', () => {
  test('usage events come newest first, returns with negative quantities', async () => {
    const { data, meta } = (await owner.get('/billing/usage?billingPeriod=2025-11')).body;
    expect(meta.pagination.total).toBe(6);
    expect(data[0]).toEqual({
      ...{
        id: expect.any(String),
        deviceId: null,
        sceneId: null,
        featureType: 'vlm',
        quantity: 10,
        unit: 'tokens',
      },
      ...{
        sourceId: expect.any(String),
        occurredAt: '2025-11-03T12:00:00.000Z',
        createdAt: expect.any(String),
      },
    });
    expect(data.map(({ quantity }: { quantity: number }) => quantity).sort()).toEqual([
      -20, 10, 2, 50, 60, 90,
    ]);
  });

  test.each([
    ['featureType=alert', 1],
    ['deviceId=TILL', 4],
    [`deviceId=${ABSENT}`, 0],
    [`sceneId=${ABSENT}`, 0],
    ['startDate=2025-11-03T10:00:00Z&endDate=2025-11-03T12:00:00Z', 2],
    ['billingPeriod=2025-10&featureType=analysis', 1],
    ['page=9', 0],
  ])('the filter %s finds %i usage events', async (query, count) => {
    expect(await dataOf(`/billing/usage?${query.replace('TILL', tillId)}`)).toHaveLength(count);
  });

  test('a user sees only their own usage events, and a foreign device finds none', async () => {
    expect(await dataOf('/billing/usage', other)).toEqual([]);
    expect(await dataOf(`/billing/usage?deviceId=${tillId}`, other)).toEqual([]);
  });

  test.each([
    ['featureType=seconds', 'VALIDATION_ERROR'],
    ['deviceId=x', 'VALIDATION_ERROR'],
    ['limit=101', 'VALIDATION_ERROR'],
    ['startDate=yesterday', 'VALIDATION_ERROR'],
    ['startDate=2025-11-02&endDate=2025-11-01', 'INVALID_DATE_RANGE'],
  ])('the filter %s is refused', async (query, code) => {
    expect(codeOf(await owner.get(`/billing/usage?${query}`))).toEqual([400, code]);
    if (query.startsWith('limit') || query.startsWith('start')) {
      expect(codeOf(await owner.get(`/billing/transactions?${query}`))).toEqual([400, code]);
    }
  });
});

describe('the ledger', () => {
  test('the ledger of a user has every row with its balances', async () => {
    const rows = await dataOf('/billing/transactions?featureType=alert&billingPeriod=2025-11');
    const about = {
      id: expect.any(String),
      featureType: 'alert',
      createdAt: expect.any(String),
      reason: null,
    };
    expect(rows).toEqual([
      {
        ...{ ...about, type: 'debit', source: 'consumption', amount: 2, deviceId: doorId },
        ...{ balanceBefore: 10_000, balanceAfter: 9998, referenceId: expect.any(String) },
      },
      {
        ...{ ...about, type: 'credit', source: 'system_initial', amount: 10_000, deviceId: null },
        ...{ balanceBefore: 0, balanceAfter: 10_000, referenceId: null },
      },
    ]);
  });

  test.each([
    ['source=consumption&billingPeriod=2025-11', 5],
    ['source=usage_rollback', 1],
    ['type=credit&billingPeriod=2025-11', 4],
    ['source=payment', 0],
    ['endDate=2020-01-01', 0],
    // A device without a limit opens without a ledger row: there are rows only of usage and returns.
    ['deviceId=TILL&billingPeriod=2025-11', 3],
    [`deviceId=${ABSENT}`, 0],
  ])('the filter %s finds %i ledger rows', async (query, count) => {
    expect(await dataOf(`/billing/transactions?${query.replace('TILL', tillId)}`)).toHaveLength(count);
  });

  test('a user sees only their own ledger', async () => {
    expect(await dataOf('/billing/transactions', other)).toEqual([]);
    expect(await dataOf(`/billing/transactions?deviceId=${tillId}`, other)).toEqual([]);
  });

  test.each(['type=refund', 'source=gift', 'deviceId=1'])(
    'the ledger filter %s is refused',
    async (query) => {
      expect(codeOf(await owner.get(`/billing/transactions?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
