import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { type AddedAlert, addAlert, addRule } from '../../support/rows/alert-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let entrance: { deviceId: string; sceneId: string };
let till: { deviceId: string; sceneId: string };
let alerts: Record<string, AddedAlert>;

/** A user whose devices and scenes have names. */
async function namedShop(user: ApiUser, device: string, scene: string) {
  const shop = await shopOf(user);
  await user.patch(`/devices/${shop.deviceId}`, { name: device });
  await user.patch(`/scenes/${shop.sceneId}`, { name: scene });
  return shop;
}

beforeAll(async () => {
  clock.time = new Date('2026-11-18T14:30:00Z');
  api = await testApi({ SEARCH_RATE_LIMIT_PER_MINUTE: '1000000' }, clock);
  const { db } = api.context;
  [owner, other] = [await api.user(), await api.user()];
  entrance = await namedShop(owner, 'Main Entrance', 'Door');
  till = await namedShop(owner, 'Till 3', 'Checkout area');
  const door = await addRule(db, { userId: owner.userId, ...entrance }, { severity: 'critical' });
  const queue = await addRule(db, { userId: owner.userId, ...till });
  const at = (time: string) => ({ event: { triggeredAt: new Date(time) } });
  alerts = {
    crowd: await addAlert(db, door, {
      ...at('2026-11-17T19:00:00Z'),
      summary: 'A dense crowd pushes through the door; some are arguing loudly.',
      activities: ['pushing', 'arguing'],
      riskLevel: 'high',
      personCount: 8,
    }),
    quiet: await addAlert(db, door, {
      ...at('2026-11-17T10:00:00Z'),
      summary: 'Three people at the door, one of them arguing.',
      riskLevel: 'low',
      personCount: 3,
    }),
    line: await addAlert(db, queue, {
      event: {
        triggeredAt: new Date('2026-11-12T12:00:00Z'),
        metricPath: 'current.maxWaitSeconds',
        actualValue: 300,
        facts: { metrics: { current: { inQueue: 4, maxServiceSeconds: 90 } } },
      },
      summary: 'A long line waits; nobody fights.',
      activities: ['waiting'],
      environment: 'supermarket',
      riskLevel: 'medium',
      personCount: 6,
    }),
    old: await addAlert(db, queue, {
      event: {
        triggeredAt: new Date('2026-03-04T12:00:00Z'),
        metricPath: 'current.inQueue',
        actualValue: 9,
        facts: { metrics: { current: { maxWaitSeconds: 720.5 } } },
      },
      summary: 'A long, long, long line of customers. The line is long.',
      riskLevel: 'critical',
      personCount: 12,
    }),
    pending: await addAlert(db, queue, at('2026-11-18T14:00:00Z')),
  };
  const foreign = await addRule(db, {
    userId: other.userId,
    ...(await namedShop(other, 'Secret vault', 'Vault')),
  });
  await addAlert(db, foreign, { summary: 'A long line of strangers arguing' });
});
afterAll(() => api.drop());

const search = (query: string, more: object = {}, user = owner) =>
  user.post('/analysis/insights/search', { query, ...more });
const namesOf = (data: { id: string }[]) =>
  data.map(({ id }) => Object.keys(alerts).find((name) => alerts[name]!.insight.id === id));
const found = async (query: string, more: object = {}) => namesOf((await search(query, more)).body.data.data);

describe('POST /analysis/insights/search', () => {
  test('a search finds what the query means and tells how it was understood', async () => {
    const query = 'critical alerts at the main entrance yesterday evening with more than five people arguing';
    const { status, body } = await search(query);
    expect(status).toBe(200);
    expect(namesOf(body.data.data)).toEqual(['crowd']);
    expect(body.data).toMatchObject({
      total: 1,
      interpretation: {
        interpretedBy: 'rules',
        riskLevel: [],
        activityKeywords: ['arguing'],
        keywordMatch: 'all',
        severity: 'critical',
        startDate: '2026-11-17T18:00:00.000Z',
        endDate: '2026-11-18T00:00:00.000Z',
        deviceName: 'Main Entrance',
        minPersons: 6,
      },
      tokensUsed: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    });
    expect(body.data.data[0]).toMatchObject({
      id: alerts.crowd!.insight.id,
      severity: 'critical',
      vlmSummary: 'A dense crowd pushes through the door; some are arguing loudly.',
    });
  });

  test.each<[string, string[]]>([
    ['arguing', ['crowd', 'quiet']],
    ['argue', ['crowd', 'quiet']],
    ['long line', ['old', 'line']],
    ['lines', ['old', 'line']],
    ['supermarket', ['line']],
    ['waiting in the checkout area', ['line']],
    ['at till 3', ['pending', 'line', 'old']],
    ['at the door', ['crowd', 'quiet']],
    ['high risk', ['crowd']],
    ['medium risk or higher last week', ['line']],
    ['at least 6 people', ['crowd', 'line', 'old']],
    ['in March', ['old']],
    ['today', ['pending']],
    ['warnings', ['pending', 'line', 'old']],
    ['strangers', []],
    ['in the vault', []],
    ['no critical alerts', ['pending', 'line', 'old']],
    ['not at the main entrance', ['pending', 'line', 'old']],
    ['everything except Till 3', ['crowd', 'quiet']],
    ['everything except Till 3 and the main entrance', []],
    ['till 3 and main entrance', ['pending', 'crowd', 'quiet', 'line', 'old']],
    ['not dangerous', ['pending', 'quiet', 'line']],
    ['alerts without arguing', ['pending', 'line', 'old']],
    ['alles außer Kasse 3', ['crowd', 'quiet']],
    ['except yesterday', ['pending', 'line', 'old']],
    ['except critical alerts at the main entrance', ['pending', 'line', 'old']],
    ['waits longer than 5 minutes', ['old']],
    ['waits of at least 5 minutes', ['line', 'old']],
    ['waits of at most 5 minutes', ['line']],
    ['waits between 4 and 12 minutes', ['line']],
    ['no waits longer than 5 minutes', ['line']],
    ['queue longer than 7', ['old']],
    ['queue shorter than 7', ['line']],
    ['service longer than a minute', ['line']],
    ['fewer than 6 people', ['quiet']],
    ['lange Schlange', ['old', 'line']],
    ['Streit am Eingang', ['crowd', 'quiet']],
    ['arguign', ['crowd', 'quiet']],
    ['loudyl', ['crowd']],
    ['supermarkt', ['line']],
    ['at the main entrence', ['crowd', 'quiet']],
    ['yesteday', ['crowd', 'quiet']],
    ['pushing zebras', ['crowd']],
    ['zebras', []],
  ])('the query %s finds its insights', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('where no insight has all the words, insights with at least one are found', async () => {
    const { data } = (await search('pushing zebras')).body;
    expect(data.interpretation).toMatchObject({
      keywordMatch: 'any',
      activityKeywords: ['pushing', 'zebras'],
    });
  });

  test('a search tells the words of each filter, corrections and unused words', async () => {
    const query = 'no critical alerts at the main entrence in the morning, how many?';
    const { interpretation } = (await search(query)).body.data;
    expect(interpretation).toMatchObject({
      deviceName: 'Main Entrance',
      activityKeywords: [],
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
    ['critcal alerts yesterday', { severity: 'critical', activityKeywords: [] }],
    ['kritsche Meldungen von gestern', { severity: 'critical', activityKeywords: [] }],
    ['mehr als 12 Kundn in der Warteschlange', { queueLength: { moreThan: 12 }, activityKeywords: [] }],
  ])('%s is read as if it were spelt right', async (query, expected) => {
    expect((await search(query)).body.data.interpretation).toMatchObject(expected);
  });

  test('in another language, the answer says that there is no model to read it', async () => {
    const interpretationOf = async (query: string) => (await search(query)).body.data.interpretation;
    expect(await interpretationOf('alertas críticas de ayer')).toMatchObject({
      ...{ interpretedBy: 'rules', limitedBy: 'no_model', excluded: [] },
      activityKeywords: expect.arrayContaining(['alertas', 'ayer']),
    });
    expect(await interpretationOf('kritische Alarme')).not.toHaveProperty('limitedBy');
  });

  test('very large numbers are accepted', async () => {
    for (const query of [
      'more than 99999999999999 people',
      'waits over 9e999 minutes',
      'fewer than 0 people',
    ])
      expect((await search(query)).status).toBe(200);
  });

  test('words of other users’ insights correct nothing', async () => {
    const { interpretation } = (await search('strangres')).body.data;
    expect(interpretation).toMatchObject({ activityKeywords: ['strangres'], corrected: [] });
    expect((await search('strangres', {}, other)).body.data).toMatchObject({
      total: 1,
      interpretation: { corrected: [{ text: 'strangres', to: 'strangers' }] },
    });
  });

  test('filters beside the query apply too', async () => {
    expect(await found('arguing', { limit: 1 })).toEqual(['crowd']);
    expect((await search('arguing', { limit: 1 })).body.data.total).toBe(2);
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

  test('places and insights of other users are not found', async () => {
    expect((await search('arguing', {}, other)).body.data.total).toBe(1);
    expect((await search('at the main entrance', {}, other)).body.data.interpretation).not.toHaveProperty(
      'deviceName',
    );
    expect((await search('people', { deviceId: entrance.deviceId }, other)).body.data.data).toEqual([]);
  });

  test.each([
    '\'; DROP TABLE "Insight"; --',
    '& | ! <->',
    ':*',
    "a'b\\c",
    '<script>alert(1)</script>',
    '%_%',
    '🙂',
    '\u202e',
  ])('%s is searched as words', async (query) => {
    expect((await search(query)).status).toBe(200);
  });

  test.each([
    [{ query: '' }],
    [{ query: 'x'.repeat(501) }],
    [{}],
    [{ query: 5 }],
    [{ query: 'a\u0000b' }],
    [{ query: 'x', limit: 0 }],
    [{ query: 'x', limit: 51 }],
    [{ query: 'x', severity: 'high' }],
    [{ query: 'x', deviceId: '1' }],
    [{ query: 'x', timezone: 'Nowhere' }],
    [{ query: 'x', page: 2 }],
  ])('the search %j is refused', async (body) => {
    expect(codeOf(await owner.post('/analysis/insights/search', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a range whose end is before its start is refused', async () => {
    const range = { startDate: '2026-01-02', endDate: '2026-01-01' };
    expect(codeOf(await search('x', range))).toEqual([400, 'INVALID_DATE_RANGE']);
  });

  test('a search requires a key with the scope', async () => {
    expect(codeOf(await api.nobody.post('/analysis/insights/search', { query: 'x' }))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect(codeOf(await search('x', {}, await api.user(['scene:read'])))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });
});

test('a key may search ten times a minute', async () => {
  const limited = await testApi({ SEARCH_RATE_LIMIT_PER_MINUTE: '10' });
  try {
    const user = await limited.user();
    for (let n = 0; n < 10; n += 1) expect((await search('x', {}, user)).status).toBe(200);
    const refused = await search('x', {}, user);
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await user.get('/analysis/insights')).status).toBe(200);
    expect((await search('x', {}, await limited.user())).status).toBe(200);
  } finally {
    await limited.drop();
  }
});
