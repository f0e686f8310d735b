import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../support/api.ts';
import { type AddedAlert, addAlert, addRule } from '../support/rows/alert-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let first: { deviceId: string; sceneId: string };
let second: { deviceId: string; sceneId: string };
let alerts: Record<'pending' | 'failed' | 'queue' | 'cafe' | 'fight', AddedAlert>;

const day = (d: number) => new Date(Date.UTC(2026, 0, d));
const at = (d: number) => ({ event: { triggeredAt: day(d) } });

beforeAll(async () => {
  api = await testApi();
  const { db } = api.context;
  [owner, other] = [await api.user(), await api.user()];
  [first, second] = [await shopOf(owner), await shopOf(owner)];
  const rule = await addRule(db, { userId: owner.userId, ...first });
  const grave = await addRule(db, { userId: owner.userId, ...second }, { severity: 'critical' });
  const genderDistribution = { female: 1, male: 2 };
  const attributesSummary = { totalPersons: 3, genderDistribution, known: genderDistribution };
  alerts = {
    pending: await addAlert(db, rule, { ...at(1), images: ['clean', 'annotated', 'thumbnail'] }),
    failed: await addAlert(db, rule, { ...at(2), insight: { vlmStatus: 'failed', vlmError: 'VLM_TIMEOUT' } }),
    queue: await addAlert(db, rule, {
      ...at(3),
      summary: 'A long queue of seven people; two look at the clock.',
      activities: ['waiting', 'arguing'],
      environment: 'supermarket',
      insight: { hasAttributes: true, attributesSummary },
    }),
    cafe: await addAlert(db, rule, { ...at(4), summary: 'The CAFÉ is empty, nobody at the till.' }),
    fight: await addAlert(db, grave, {
      ...at(5),
      summary: 'Two men argue, others stand in a queue.',
      insight: { attributesSummary: { ...attributesSummary, known: { female: 1, male: 3 } } },
    }),
  };
  const foreign = await addRule(db, { userId: other.userId, ...(await shopOf(other)) });
  await addAlert(db, foreign, { ...at(3), summary: 'A long queue of strangers' });
});
afterAll(() => api.drop());

type Name = keyof typeof alerts;
const idOf = (name: Name) => alerts[name].insight.id;
const namesOf = (data: { id?: string; insightId?: string }[]) =>
  data.map(({ id, insightId }) =>
    (Object.keys(alerts) as Name[]).find((name) => idOf(name) === (id ?? insightId)),
  );
const list = async (query = '', path = '') =>
  namesOf((await owner.get(`/analysis/insights${path}?${query}`)).body.data);

describe('GET /analysis/insights', () => {
  test('the attributes summary tells for how many people the gender was known', async () => {
    const { data } = (await owner.get(`/analysis/insights/${alerts.fight.insight.id}`)).body;
    expect(data.attributesSummary).toMatchObject({ totalPersons: 3, known: { female: 1, male: 3 } });
  });

  test('insights are listed newest first in pages of shape A', async () => {
    const { data, meta } = (await owner.get('/analysis/insights?limit=2&page=2')).body;
    expect(meta.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    expect(namesOf(data)).toEqual(['queue', 'failed']);
    expect(data[0]).toEqual({
      id: idOf('queue'),
      alertId: alerts.queue.event.id,
      deviceId: first.deviceId,
      deviceName: 'Shop',
      sceneId: first.sceneId,
      sceneName: 'Till',
      severity: 'warning',
      triggeredAt: day(3).toISOString(),
      message: 'In queue 7 > 5 at "Till"',
      ...{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5, actualValue: 7 },
      vlmStatus: 'completed',
      vlmSummary: 'A long queue of seven people; two look at the clock.',
      vlmStructuredResult: {
        summary: 'A long queue of seven people; two look at the clock.',
        personCount: 3,
        riskLevel: 'medium',
        activities: ['waiting', 'arguing'],
        suggestions: [],
        environment: 'supermarket',
      },
      thumbnailUrl: null,
      snapshotCount: 0,
      attributesSummary: {
        totalPersons: 3,
        genderDistribution: { female: 1, male: 2 },
        known: { female: 1, male: 2 },
      },
      hasAttributes: true,
      hasVlmSummary: true,
      createdAt: expect.any(String),
    });
  });

  test.each<[string, Name[]]>([
    ['severity=critical', ['fight']],
    ['vlmStatus=pending', ['pending']],
    ['vlmStatus=failed', ['failed']],
    ['hasVlmSummary=true', ['fight', 'cafe', 'queue']],
    ['hasVlmSummary=false', ['fight', 'cafe', 'queue', 'failed', 'pending']],
    ['hasAttributes=true', ['queue']],
    ['startDate=2026-01-02&endDate=2026-01-04', ['queue', 'failed']],
    [`deviceId=${ABSENT}`, []],
    [`sceneId=${ABSENT}`, []],
    ['page=99', []],
  ])('the filter %s finds its insights', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  test('insights are filtered by device, scene and time', async () => {
    expect(await list(`deviceId=${second.deviceId}`)).toEqual(['fight']);
    expect(await list(`sceneId=${first.sceneId}&hasVlmSummary=true`)).toEqual(['cafe', 'queue']);
    expect((await other.get(`/analysis/insights?sceneId=${first.sceneId}`)).body.data).toEqual([]);
  });

  test.each<[string, Name[]]>([
    ['queue', ['fight', 'queue']],
    ['QUEUE', ['fight', 'queue']],
    ['long queue', ['queue']],
    ['"in a queue"', ['fight']],
    ['queue -men', ['queue']],
    ['cafe or clock', ['cafe', 'queue']],
    ['café', ['cafe']],
    ['cafe', ['cafe']],
    ['arguing', ['queue']],
    ['supermarket', ['queue']],
    ['strangers', []],
    ['queu', []],
    ['!!!', []],
    ['"', []],
    ["'; DROP TABLE x; --", []],
    ['& | ! <-> (', []],
  ])('the words q=%s find the insights that have them', async (q, expected) => {
    expect(await list(`q=${encodeURIComponent(q)}`)).toEqual(expected);
  });

  test.each([
    'q=',
    `q=${'x'.repeat(201)}`,
    'severity=x',
    'vlmStatus=x',
    'limit=101',
    'hasAttributes=maybe',
    'deviceId=1',
  ])('the query %s is refused', async (query) => {
    expect(codeOf(await owner.get(`/analysis/insights?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /analysis/insights/vlm-summaries', () => {
  test('only written summaries are listed, newest first', async () => {
    const { data, meta } = (await owner.get('/analysis/insights/vlm-summaries?limit=2')).body;
    expect(meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
    expect(data[0]).toEqual({
      insightId: idOf('fight'),
      triggeredAt: day(5).toISOString(),
      severity: 'critical',
      vlmSummary: 'Two men argue, others stand in a queue.',
      thumbnailUrl: null,
      ...second,
      deviceName: 'Shop',
      sceneName: 'Till',
    });
  });

  test('summaries can be filtered', async () => {
    expect(await list('q=queue', '/vlm-summaries')).toEqual(['fight', 'queue']);
    expect(await list(`sceneId=${first.sceneId}`, '/vlm-summaries')).toEqual(['cafe', 'queue']);
    expect(await list(`deviceId=${second.deviceId}`, '/vlm-summaries')).toEqual(['fight']);
    expect(await list('startDate=2026-01-04&endDate=2026-01-05', '/vlm-summaries')).toEqual(['cafe']);
  });
});

describe('GET /analysis/insights/{id}', () => {
  const read = async (name: Name) => (await owner.get(`/analysis/insights/${idOf(name)}`)).body.data;

  test('an insight has its alert and what the model used', async () => {
    expect(await read('queue')).toMatchObject({
      metricPath: 'current.inQueue',
      operator: 'GT',
      threshold: 5,
      actualValue: 7,
      computeNodeId: null,
      snapshotUrls: [],
      vlmProvider: 'rules',
      vlmTokensUsed: 0,
      vlmInputTokensUsed: 0,
      vlmOutputTokensUsed: 0,
    });
    expect(await read('queue')).not.toHaveProperty('vlmError');
  });

  test('a failed insight has its error, a pending insight has no text yet', async () => {
    expect(await read('failed')).toMatchObject({
      vlmStatus: 'failed',
      vlmError: 'VLM_TIMEOUT',
      vlmSummary: null,
    });
    const pending = await read('pending');
    expect(pending).toMatchObject({
      vlmStatus: 'pending',
      vlmSummary: null,
      vlmStructuredResult: null,
      hasVlmSummary: false,
      vlmTokensUsed: null,
      vlmCompletedAt: null,
      snapshotCount: 2,
    });
    expect(pending.snapshotUrls.map((url: string) => new URL(url).pathname.split('/').at(-1))).toEqual([
      '0-clean.jpg',
      '1-annotated.jpg',
    ]);
    expect(pending.thumbnailUrl).toContain('2-thumbnail.jpg?expires=');
  });

  test('the snapshots of an insight are listed', async () => {
    const { data } = (await owner.get(`/analysis/insights/${idOf('pending')}/snapshots`)).body;
    expect(data).toEqual([
      { index: 0, url: expect.stringContaining('0-clean.jpg') },
      { index: 1, url: expect.stringContaining('1-annotated.jpg') },
    ]);
    expect((await owner.get(`/analysis/insights/${idOf('queue')}/snapshots`)).body.data).toEqual([]);
  });
});

describe('access', () => {
  test.each(['/ID', '/ID/snapshots'])(
    '%s answers 404 for a foreign or absent insight, 400 for a malformed id',
    async (path) => {
      const of = (id: string) => `/analysis/insights${path.replace('ID', id)}`;
      expect(codeOf(await other.get(of(idOf('queue'))))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner.get(of(ABSENT)))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner.get(of('1')))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  test.each(['', `/${ABSENT}`, `/${ABSENT}/snapshots`, '/vlm-summaries'])(
    '%s requires a key with the scope',
    async (path) => {
      const stranger = await api.user(['alert:read']);
      expect(codeOf(await api.nobody.get(`/analysis/insights${path}`))).toEqual([401, 'UNAUTHORIZED']);
      expect(codeOf(await stranger.get(`/analysis/insights${path}`))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    },
  );

  test.each(['', '/vlm-summaries'])('%s refuses an end before the start', async (path) => {
    const answer = await owner.get(`/analysis/insights${path}?startDate=2026-01-02&endDate=2026-01-01`);
    expect(codeOf(answer)).toEqual([400, 'INVALID_DATE_RANGE']);
  });
});
