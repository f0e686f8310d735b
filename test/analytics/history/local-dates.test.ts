import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findZoneOf } from '../../../src/cameras/sites/zone-of.store.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type ApiUser, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addMinutes } from './history-rows.ts';

let api: TestApi;
let owner: ApiUser;
let deviceId: string;
let sceneId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date('2026-01-20T12:00:00Z');
  api = await testApi({}, clock);
  owner = await api.user();
  deviceId = (await owner.post('/devices', { ...SHOP, timezone: 'Asia/Kolkata' })).body.data.id;
  const body = { deviceId, name: 'Till', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
  sceneId = (await owner.post('/scenes', body)).body.data.id;
  // In New York the first is still the 9th, and the second the 10th.
  const minutes = ['2026-01-10T04:59:00Z', '2026-01-10T05:00:00Z'];
  await addMinutes(
    api.context.db,
    sceneId,
    minutes.map((at) => ({ atMs: Date.parse(at), inQueue: 1 })),
  );
});
afterAll(() => api?.drop());

const seriesOf = async (query: string) => {
  const { body } = await owner.get(`/analytics/scenes/${sceneId}/series?bucket=1d&${query}`);
  return body.data ?? body;
};

describe('a date without a time is midnight', () => {
  test('in the zone that the call names: one day is one day', async () => {
    const { t, coveragePercent } = await seriesOf('timezone=America/New_York&from=2026-01-10&to=2026-01-11');
    expect(t).toEqual(['2026-01-10T05:00:00.000Z']);
    expect(coveragePercent).toEqual([0.069]);
  });

  test('else in the zone of the camera', async () => {
    const { t } = await seriesOf('from=2026-01-10&to=2026-01-12');
    expect(t).toEqual(['2026-01-09T18:30:00.000Z', '2026-01-10T18:30:00.000Z']);
  });

  test('also beside a time, and where the clock skips midnight', async () => {
    const mixed = await seriesOf('timezone=America/New_York&from=2026-01-10&to=2026-01-10T06:00:00Z');
    expect(mixed.t).toEqual(['2026-01-10T05:00:00.000Z']);
    const reversed = await seriesOf('timezone=America/New_York&from=2026-01-10&to=2026-01-10T04:00:00Z');
    expect(reversed.error.code).toBe('INVALID_DATE_RANGE');
    const skipped = await seriesOf('timezone=Africa/Cairo&from=2025-04-25&to=2025-04-26');
    expect(skipped.from).toBe('2025-04-24T22:00:00.000Z');
  });

  test('in a body, by the scene that it names', async () => {
    const rule = { conditions: [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5 }] };
    const range = { startDate: '2026-01-10', endDate: '2026-01-11' };
    const body = { sceneId, ...rule, ...range };
    const preview = await owner.post('/alerts/rules/preview', body);
    expect(preview.body.data).toMatchObject({
      startDate: '2026-01-09T18:30:00.000Z',
      endDate: '2026-01-10T18:30:00.000Z',
    });
  });

  test('else in the zone of the user, and in UTC for what is billed by months of UTC', async () => {
    const other = await api.user();
    const zoneOf = (ids: string[]) => findZoneOf(api.context.db, other.userId, ids);
    expect(await zoneOf([])).toBe('UTC');
    await other.patch('/users/me', { timezone: 'America/New_York' });
    expect(await zoneOf([])).toBe('America/New_York');
    // The device of somebody else tells nothing.
    expect(await zoneOf([deviceId, sceneId])).toBe('America/New_York');
    const { body } = await other.get('/billing/dashboard/trend?startDate=2026-01-10&endDate=2026-01-11');
    expect(body.data.startDate).toBe('2026-01-10T00:00:00.000Z');
  });

  test('a date that does not exist is refused as before', async () => {
    const answer = await owner.get(`/analytics/scenes/${sceneId}/series?from=2026-02-30&to=2026-03-01`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
