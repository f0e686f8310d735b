import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { interpretQuery } from '../../../src/insights/search/interpret-query.ts';
import { codeOf, shopOf, testApi } from '../../support/api.ts';
import { FOUND, NOW } from './questions.ts';
import { namedShop, searchedShop } from './searched-shop.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let shop: Awaited<ReturnType<typeof searchedShop>>;

beforeAll(async () => {
  shop = await searchedShop('rules');
});
afterAll(() => shop.end());

describe('POST /analysis/insights/search', () => {
  test('a search finds what the query means and tells how it was understood', async () => {
    const query = 'critical alerts at the main entrance yesterday evening with more than five people arguing';
    const { status, body } = await shop.search(query);
    expect([status, shop.namesOf(body.data)]).toEqual([200, ['crowd']]);
    expect(body.data).toMatchObject({
      total: 1,
      interpretation: {
        ...{ interpretedBy: 'rules', riskLevel: [], severity: 'critical', minPersons: 6 },
        ...{ activityKeywords: ['arguing'], keywordMatch: 'all', deviceName: 'Main Entrance' },
        ...{ startDate: '2026-11-17T18:00:00.000Z', endDate: '2026-11-18T00:00:00.000Z' },
      },
      tokensUsed: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    });
    expect(body.data.data[0]).toMatchObject({
      ...{ id: shop.alerts.crowd!.insight.id, severity: 'critical' },
      vlmSummary: 'A dense crowd pushes through the door; some are arguing loudly.',
    });
  });

  test.each(FOUND)('the query %s finds its insights', async (query, expected) => {
    expect(await shop.found(query)).toEqual(expected);
  });

  test('a search tells the words of each filter, corrections and unused words', async () => {
    const interpretation = await shop.interpreted(
      'no critical alerts at the main entrence in the morning, how many?',
    );
    expect(interpretation).toMatchObject({
      ...{ deviceName: 'Main Entrance', activityKeywords: [] },
      excluded: [{ severity: 'critical', riskLevel: [], activityKeywords: [] }],
      understood: [
        { text: 'no critical', filter: 'not (severity critical)' },
        { text: 'main entrance', filter: 'device Main Entrance' },
      ],
      corrected: [{ text: 'entrence', to: 'entrance' }],
      unusedWords: ['morning', 'how', 'many'],
    });
    expect(interpretation).not.toHaveProperty('severity');
  });

  test.each<[string, object]>([
    // Where no insight has all the words, insights with at least one are found.
    ['pushing zebras', { keywordMatch: 'any', activityKeywords: ['pushing', 'zebras'] }],
    ['critcal alerts yesterday', { severity: 'critical', activityKeywords: [] }],
    ['kritsche Meldungen von gestern', { severity: 'critical', activityKeywords: [] }],
    ['mehr als 12 Kundn in der Warteschlange', { queueLength: { moreThan: 12 }, activityKeywords: [] }],
    // Words of other users’ insights correct nothing.
    ['strangres', { activityKeywords: ['strangres'], corrected: [] }],
  ])('%s is understood as it is meant', async (query, expected) => {
    expect(await shop.interpreted(query)).toMatchObject(expected);
  });

  test('words of the own insights correct, and those of others are not found', async () => {
    const { data } = (await shop.search('strangres', {}, shop.other)).body;
    expect(data).toMatchObject({
      total: 1,
      interpretation: { corrected: [{ text: 'strangres', to: 'strangers' }] },
    });
    expect((await shop.search('arguing', {}, shop.other)).body.data.total).toBe(1);
    expect(await shop.interpreted('at the main entrance', {}, shop.other)).not.toHaveProperty('deviceName');
    const device = { deviceId: shop.entrance.deviceId };
    expect((await shop.search('people', device, shop.other)).body.data.data).toEqual([]);
  });

  test('filters beside the query apply too', async () => {
    const { found, entrance, till } = shop;
    expect(await found('arguing', { limit: 1 })).toEqual(['crowd']);
    expect((await shop.search('arguing', { limit: 1 })).body.data.total).toBe(2);
    expect(await found('long line', { endDate: '2026-06-01' })).toEqual(['old']);
    expect(await found('long line', { startDate: '2026-06-01' })).toEqual(['line']);
    expect(await found('yesterday', { startDate: '2026-11-17T12:00:00Z' })).toEqual(['crowd']);
    expect(await found('people', { severity: 'critical' })).toEqual(['crowd', 'quiet']);
    expect(await found('critical', { severity: 'warning' })).toEqual([]);
    expect(await found('people', { deviceId: entrance.deviceId })).toEqual(['crowd', 'quiet']);
    expect(await found('people', { sceneId: till.sceneId })).toEqual(['pending', 'line', 'old']);
    expect(await found('people', { sceneId: ABSENT })).toEqual([]);
    expect(await found('yesterday morning', { timezone: 'America/Sao_Paulo' })).toEqual(['quiet']);
    expect(await found('yesterday morning', { timezone: 'Asia/Tokyo' })).toEqual([]);
  });

  test.each([
    ...[
      '\'; DROP TABLE "Insight"; --',
      '& | ! <->',
      ':*',
      "a'b\\c",
      '<script>alert(1)</script>',
      '%_%',
      '🙂',
      '\u202e',
    ],
    // Very large numbers.
    ...['more than 99999999999999 people', 'waits over 9e999 minutes', 'fewer than 0 people'],
  ])('%s is accepted', async (query) => {
    expect((await shop.search(query)).status).toBe(200);
  });

  test.each([
    ...[
      { query: '' },
      { query: 'x'.repeat(501) },
      {},
      { query: 5 },
      { query: 'a\u0000b' },
      { query: 'x', page: 2 },
    ],
    ...[{ limit: 0 }, { limit: 51 }, { severity: 'high' }, { deviceId: '1' }, { timezone: 'Nowhere' }].map(
      (more) => ({ ...{ query: 'x', ...more } }),
    ),
  ])('the search %j is refused', async (body) => {
    expect(codeOf(await shop.post(body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a range whose end is before its start, no key and a key without the scope are refused', async () => {
    const range = { startDate: '2026-01-02', endDate: '2026-01-01' };
    expect(codeOf(await shop.search('x', range))).toEqual([400, 'INVALID_DATE_RANGE']);
    const nobody = await shop.api.nobody.post('/analysis/insights/search', { query: 'x' });
    expect(codeOf(nobody)).toEqual([401, 'UNAUTHORIZED']);
    const reader = await shop.api.user(['scene:read']);
    expect(codeOf(await shop.search('x', {}, reader))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});

describe('a user’s customs', () => {
  const YESTERDAY = {
    utc: '2026-11-17T00:00:00.000Z',
    tokyo: '2026-11-16T15:00:00.000Z',
    berlin: '2026-11-16T23:00:00.000Z',
    newYork: '2026-11-17T05:00:00.000Z',
  };

  test('yesterday is in the zone that was sent, else of the device, else of the place that is named, else of the user', async () => {
    const user = await shop.api.user();
    const ginza = await namedShop(user, 'Ginza', 'Counter');
    await namedShop(user, 'Till 3', 'Door');
    await user.patch(`/devices/${ginza.deviceId}`, { timezone: 'Asia/Tokyo' });
    await user.patch('/users/me', { timezone: 'Europe/Berlin' });
    const startOf = async (query: string, more: object = {}) =>
      (await shop.interpreted(query, more, user)).startDate;
    const device = { deviceId: ginza.deviceId };
    expect(await startOf('yesterday')).toBe(YESTERDAY.berlin);
    expect(await startOf('yesterday', device)).toBe(YESTERDAY.tokyo);
    expect(await startOf('yesterday', { sceneId: ginza.sceneId })).toBe(YESTERDAY.tokyo);
    expect(await startOf('yesterday at Ginza')).toBe(YESTERDAY.tokyo);
    expect(await startOf('yesterday at till 3')).toBe(YESTERDAY.berlin);
    expect(await startOf('yesterday at Ginza', { timezone: 'America/New_York' })).toBe(YESTERDAY.newYork);
    expect(await startOf('yesterday', { ...device, timezone: 'UTC' })).toBe(YESTERDAY.utc);
  });

  test('yesterday is in the zone of the site, and in the only zone of all places', async () => {
    const user = await shop.api.user();
    const { deviceId } = await shopOf(user);
    const startOf = async (more: object = {}) => (await shop.interpreted('yesterday', more, user)).startDate;
    expect(await startOf()).toBe(YESTERDAY.utc);
    await user.post('/sites', { name: 'Shop', timezone: 'America/New_York', deviceIds: [deviceId] });
    expect(await startOf()).toBe(YESTERDAY.newYork);
    expect(await startOf({ deviceId })).toBe(YESTERDAY.newYork);
  });

  test.each([
    ['en-US', 'on 10/11/2026', '2026-10-11'],
    ['en-GB', 'on 10/11/2026', '2026-11-10'],
    ['de-DE', 'on 10/11/2026', '2026-11-10'],
    [null, 'on 10/11/2026', '2026-10-11'],
    [null, 'Warnungen am 10/11/2026', '2026-11-10'],
    ['en-US', 'on 13/11/2026', '2026-11-13'],
  ])('a date with slashes is read as the user writes dates: for %s, %s is %s', async (locale, query, day) => {
    await shop.owner.patch('/users/me', { locale });
    expect((await shop.interpreted(query, { timezone: 'UTC' })).startDate?.slice(0, 10)).toBe(day);
    await shop.owner.patch('/users/me', { locale: null });
  });
});

test('with understood filters and no insight with the words, the words are left out, and the answer says so', async () => {
  const resultOf = async (query: string) => (await shop.search(query, { timezone: 'UTC' })).body.data;
  expect(await resultOf('flamingos yesterday at the main entrance')).toMatchObject({
    total: 2,
    interpretation: { keywordMatch: 'none', activityKeywords: ['flamingos'], deviceName: 'Main Entrance' },
  });
  expect(await resultOf('flamingos')).toMatchObject({ total: 0, interpretation: { keywordMatch: 'all' } });
  expect(await resultOf('flamingos today at the main entrance')).toMatchObject({ total: 0 });
  expect(await resultOf('people arguing yesterday')).toMatchObject({
    total: 2,
    interpretation: { keywordMatch: 'all' },
  });
});

describe('the language of a query', () => {
  test.each(['alertas críticas de ayer', 'alertes critiques d’hier soir', 'критические тревоги'])(
    '%s goes to the model',
    async (query) => {
      shop.server.scripts.push({
        fault: 'says',
        text: JSON.stringify({ severity: 'critical', activityKeywords: [] }),
      });
      const { interpretation, tokensUsed } = (await shop.search(query)).body.data;
      expect(interpretation).toMatchObject({ interpretedBy: 'openai', severity: 'critical' });
      expect(tokensUsed.totalTokens).toBeGreaterThan(0);
    },
  );

  test.each(['critical alerts', 'kritische Alarme', 'missing file', 'tennis court', 'code red', 'Till 3'])(
    '%s is read by rules, and costs nothing',
    async (query) => {
      shop.server.requests.length = 0;
      const { interpretation, tokensUsed } = (await shop.search(query)).body.data;
      expect([interpretation.interpretedBy, tokensUsed.totalTokens]).toEqual(['rules', 0]);
      expect(shop.server.requests).toEqual([]);
      expect(interpretation).not.toHaveProperty('limitedBy');
    },
  );

  test('where the model fails, names and dates in digits are read, and no word is taken for an English one', async () => {
    shop.server.scripts.push(...Array(3).fill({ fault: 'status', status: 503 }));
    const interpretation = await shop.interpreted('gente no atendida en Till 3 desde 2026-11-10', {
      timezone: 'UTC',
    });
    expect(interpretation).toMatchObject({
      ...{ interpretedBy: 'rules', limitedBy: 'model_failed', deviceName: 'Till 3', excluded: [] },
      startDate: '2026-11-10T00:00:00.000Z',
    });
    expect(interpretation.activityKeywords).toContain('atendida');
  });

  test('where there is no model, the answer says so', async () => {
    const { userId } = shop.owner;
    const searched = { userId, query: 'alertas críticas de ayer', signal: new AbortController().signal };
    const meant = { now: NOW, timezone: 'UTC', places: [] };
    const { by, limitedBy, parsed } = await interpretQuery(
      { ...shop.api.context, chat: null },
      searched,
      meant,
    );
    expect([by, limitedBy, parsed.excluded]).toEqual(['rules', 'no_model', []]);
    const words = parsed.keywords.map(({ word }) => word);
    expect(words).toEqual(expect.arrayContaining(['alertas', 'ayer']));
  });
});

test('a key may search ten times a minute', async () => {
  const limited = await testApi({ SEARCH_RATE_LIMIT_PER_MINUTE: '10' });
  try {
    const user = await limited.user();
    for (let n = 0; n < 10; n += 1) expect((await shop.search('x', {}, user)).status).toBe(200);
    const refused = await shop.search('x', {}, user);
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await user.get('/analysis/insights')).status).toBe(200);
    expect((await shop.search('x', {}, await limited.user())).status).toBe(200);
  } finally {
    await limited.drop();
  }
});
