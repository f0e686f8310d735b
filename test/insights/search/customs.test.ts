import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiUser, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { VlmServer } from '../../support/servers/vlm-server.ts';

const clock = new TestClock();
let server: VlmServer;
let api: TestApi;
let owner: ApiUser;
let tokyo: { deviceId: string; sceneId: string };
let plain: { deviceId: string; sceneId: string };

beforeAll(async () => {
  clock.time = new Date('2026-11-18T14:30:00Z');
  server = await VlmServer.start();
  const model = { VLM_URL: server.url, VLM_MODEL: 'test-llm', VLM_API_KEY: server.key };
  api = await testApi({ ...model, SEARCH_RATE_LIMIT_PER_MINUTE: '1000000' }, clock);
  owner = await api.user();
  [tokyo, plain] = [await shopOf(owner), await shopOf(owner)];
  await owner.patch(`/devices/${tokyo.deviceId}`, { name: 'Ginza', timezone: 'Asia/Tokyo' });
  await owner.patch(`/devices/${plain.deviceId}`, { name: 'Till 3' });
  const rule = await addRule(api.context.db, { userId: owner.userId, ...plain });
  await addAlert(api.context.db, rule, {
    event: { triggeredAt: new Date('2026-11-17T12:00:00Z') },
    summary: 'Two people wait.',
  });
});
afterAll(async () => {
  await api.drop();
  await server.stop();
});
beforeEach(() => {
  server.requests.length = 0;
  server.scripts.length = 0;
});

const search = async (query: string, more: object = {}, user = owner) =>
  (await user.post('/analysis/insights/search', { query, ...more })).body.data;
const startOf = async (query: string, more: object = {}, user = owner) =>
  (await search(query, more, user)).interpretation.startDate;

describe('yesterday is', () => {
  const [UTC, TOKYO, BERLIN, NEW_YORK] = [
    '2026-11-17T00:00:00.000Z',
    '2026-11-16T15:00:00.000Z',
    '2026-11-16T23:00:00.000Z',
    '2026-11-17T05:00:00.000Z',
  ];

  test('in the zone that was sent, else of the device, else of the place that is named, else of the user', async () => {
    await owner.patch('/users/me', { timezone: 'Europe/Berlin' });
    const ginza = { deviceId: tokyo.deviceId };
    expect(await startOf('yesterday')).toBe(BERLIN);
    expect(await startOf('yesterday', ginza)).toBe(TOKYO);
    expect(await startOf('yesterday', { sceneId: tokyo.sceneId })).toBe(TOKYO);
    expect(await startOf('yesterday at Ginza')).toBe(TOKYO);
    expect(await startOf('yesterday at till 3')).toBe(BERLIN);
    expect(await startOf('yesterday at Ginza', { timezone: 'America/New_York' })).toBe(NEW_YORK);
    expect(await startOf('yesterday', { ...ginza, timezone: 'UTC' })).toBe(UTC);
  });

  test('in the zone of the site, and in the only zone of all places', async () => {
    const other = await api.user();
    const shop = await shopOf(other);
    expect(await startOf('yesterday', {}, other)).toBe(UTC);
    await other.post('/sites', {
      name: 'Shop',
      timezone: 'America/New_York',
      deviceIds: [shop.deviceId],
    });
    expect(await startOf('yesterday', {}, other)).toBe(NEW_YORK);
    expect(await startOf('yesterday', { deviceId: shop.deviceId }, other)).toBe(NEW_YORK);
  });
});

test('a date with slashes is read as the user writes dates', async () => {
  const zone = { timezone: 'UTC' };
  const dayOf = async (locale: string | null, query = 'on 10/11/2026') => {
    await owner.patch('/users/me', { locale });
    return (await startOf(query, zone))?.slice(0, 10);
  };
  expect(await dayOf('en-US')).toBe('2026-10-11');
  expect(await dayOf('en-GB')).toBe('2026-11-10');
  expect(await dayOf('de-DE')).toBe('2026-11-10');
  expect(await dayOf(null)).toBe('2026-10-11');
  expect(await dayOf(null, 'Warnungen am 10/11/2026')).toBe('2026-11-10');
  expect(await dayOf('en-US', 'on 13/11/2026')).toBe('2026-11-13');
});

test('with understood filters and no insight with the words, the words are left out, and the answer says so', async () => {
  const dropped = await search('flamingos yesterday at till 3', { timezone: 'UTC' });
  expect(dropped).toMatchObject({
    total: 1,
    interpretation: { keywordMatch: 'none', activityKeywords: ['flamingos'], deviceName: 'Till 3' },
  });
  expect(await search('flamingos')).toMatchObject({ total: 0, interpretation: { keywordMatch: 'all' } });
  expect(await search('flamingos today at till 3', { timezone: 'UTC' })).toMatchObject({ total: 0 });
  expect(await search('people wait yesterday', { timezone: 'UTC' })).toMatchObject({
    total: 1,
    interpretation: { keywordMatch: 'all' },
  });
});

describe('a query that is neither English nor German', () => {
  const FILTERS = JSON.stringify({ severity: 'critical', activityKeywords: [] });

  test.each(['alertas críticas de ayer', 'alertes critiques d’hier soir', 'критические тревоги'])(
    '%s goes to the model',
    async (query) => {
      server.scripts.push({ fault: 'says', text: FILTERS });
      const { interpretation, tokensUsed } = await search(query);
      expect(interpretation).toMatchObject({ interpretedBy: 'openai', severity: 'critical' });
      expect(tokensUsed.totalTokens).toBeGreaterThan(0);
    },
  );

  test.each(['critical alerts', 'kritische Alarme', 'missing file', 'tennis court', 'code red', 'Till 3'])(
    '%s is read by rules, and costs nothing',
    async (query) => {
      const { interpretation, tokensUsed } = await search(query);
      expect([interpretation.interpretedBy, tokensUsed.totalTokens]).toEqual(['rules', 0]);
      expect(server.requests).toEqual([]);
    },
  );

  test('where the model fails, names and dates in digits are read, and no word is taken for an English one', async () => {
    server.scripts.push(...Array(3).fill({ fault: 'status', status: 503 }));
    const { interpretation } = await search('gente no atendida en Till 3 desde 2026-11-10', {
      timezone: 'UTC',
    });
    expect(interpretation).toMatchObject({
      interpretedBy: 'rules',
      limitedBy: 'model_failed',
      deviceName: 'Till 3',
      startDate: '2026-11-10T00:00:00.000Z',
      excluded: [],
    });
    expect(interpretation.activityKeywords).toContain('atendida');
  });
});
