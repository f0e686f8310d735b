import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AlertRule } from '../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let first: { deviceId: string; sceneId: string };
let second: { deviceId: string; sceneId: string };
let queue: AlertRule;
let wait: AlertRule;

const hour = (h: number) => new Date(Date.UTC(2026, 0, 10, h));

/** Alerts at each hour of a day: every third one of the second scene's rule, the others of the first's. */
beforeAll(async () => {
  clock.time = hour(30);
  api = await testApi({}, clock);
  const { db } = api.context;
  [owner, other] = [await api.user(), await api.user()];
  [first, second] = [await shopOf(owner), await shopOf(owner)];
  queue = await addRule(db, { userId: owner.userId, ...first });
  wait = await addRule(db, { userId: owner.userId, ...second }, { name: 'Wait', severity: 'critical' });
  for (let h = 0; h < 24; h += 1) {
    const event = { triggeredAt: hour(h) };
    if (h % 3 === 0) await addAlert(db, wait, { event: { ...event, metricPath: 'current.maxWaitSeconds' } });
    else await addAlert(db, queue, { event });
  }
});
afterAll(() => api.drop());

const list = async (query = '', user = owner) => (await user.get(`/analysis/alerts?${query}`)).body;
const totalOf = async (query: string, user = owner) => (await list(query, user)).meta.pagination.totalRecords;

describe('GET /analysis/alerts', () => {
  test('alert events are listed newest first in pages of shape B', async () => {
    const { data, meta } = await list('page=2');
    expect(meta.pagination).toEqual({
      limit: 20,
      currentPage: 2,
      totalRecords: 24,
      totalPages: 2,
      nextPage: null,
      previousPage: 1,
    });
    expect(data.map(({ triggeredAt }: { triggeredAt: string }) => triggeredAt)).toEqual(
      [3, 2, 1, 0].map((h) => hour(h).toISOString()),
    );
    expect(data[1]).toEqual({
      id: expect.any(String),
      severity: 'warning',
      triggeredAt: hour(2).toISOString(),
      metricPath: 'current.inQueue',
      operator: 'GT',
      threshold: 5,
      actualValue: 7,
      message: 'In queue 7 > 5 at "Till"',
      snapshotUrls: [],
      ruleId: queue.id,
      ...first,
      userId: owner.userId,
      computeNodeId: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      createdAt: expect.any(String),
      rule: { id: queue.id, name: 'Long queue' },
      scene: { id: first.sceneId, name: 'Till' },
      device: { id: first.deviceId, name: 'Shop' },
    });
  });

  test('alert events can be filtered by every field', async () => {
    expect(await totalOf(`sceneId=${first.sceneId}`)).toBe(16);
    expect(await totalOf(`deviceId=${second.deviceId}`)).toBe(8);
    expect(await totalOf(`ruleId=${queue.id}`)).toBe(16);
    expect(await totalOf('severity=critical')).toBe(8);
    expect(await totalOf('metricPath=current.maxWaitSeconds')).toBe(8);
    expect(await totalOf('metricPath=nothing')).toBe(0);
    const [from, to] = [hour(3).toISOString(), hour(6).toISOString()];
    expect(await totalOf(`startDate=${from}&endDate=${to}`)).toBe(3);
    expect(await totalOf(`startDate=${from}&severity=critical&ruleId=${queue.id}`)).toBe(0);
  });

  test('filters with ids of another user find nothing', async () => {
    for (const query of [`sceneId=${first.sceneId}`, `deviceId=${first.deviceId}`, `ruleId=${queue.id}`])
      expect(await totalOf(query, other)).toBe(0);
    expect(await totalOf(`ruleId=${ABSENT}`)).toBe(0);
  });

  test.each(['severity=x', 'sceneId=1', 'limit=0', 'limit=101', 'page=0', 'startDate=yesterday'])(
    'refuses %s',
    async (query) => {
      expect(codeOf(await owner.get(`/analysis/alerts?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  test('a range whose end is before its start is refused', async () => {
    const query = `startDate=${hour(2).toISOString()}&endDate=${hour(1).toISOString()}`;
    for (const path of ['', '/stats'])
      expect(codeOf(await owner.get(`/analysis/alerts${path}?${query}`))).toEqual([
        400,
        'INVALID_DATE_RANGE',
      ]);
  });
});

describe('GET /analysis/alerts/stats', () => {
  const stats = async (query = '', user = owner) =>
    (await user.get(`/analysis/alerts/stats?${query}`)).body.data;

  test('statistics count the last 7 days by default', async () => {
    const data = await stats();
    expect(data).toMatchObject({
      total: 24,
      bySeverity: { warning: 16, critical: 8 },
      topScenes: [
        { sceneId: first.sceneId, sceneName: 'Till', count: 16 },
        { sceneId: second.sceneId, sceneName: 'Till', count: 8 },
      ],
      topRules: [
        { ruleId: queue.id, ruleName: 'Long queue', count: 16 },
        { ruleId: wait.id, ruleName: 'Wait', count: 8 },
      ],
    });
    expect(data.hourlyDistribution).toEqual(Array.from({ length: 24 }, (_, h) => ({ hour: h, count: 1 })));
  });

  test('statistics count a given range', async () => {
    const data = await stats(`startDate=${hour(3).toISOString()}&endDate=${hour(5).toISOString()}`);
    expect(data).toMatchObject({ total: 2, bySeverity: { warning: 1, critical: 1 } });
    expect(data.hourlyDistribution.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { hour: 3, count: 1 },
      { hour: 4, count: 1 },
    ]);
    expect((await stats(`endDate=${hour(2).toISOString()}`)).total).toBe(2);
    expect((await stats(`endDate=${hour(-200).toISOString()}`)).total).toBe(0);
  });

  test('statistics of a user without alerts are 0', async () => {
    expect(await stats('', other)).toMatchObject({
      total: 0,
      bySeverity: { warning: 0, critical: 0 },
      topScenes: [],
      topRules: [],
    });
  });

  test('statistics name at most ten scenes and rules', async () => {
    const user = await api.user();
    const shop = { userId: user.userId, ...(await shopOf(user)) };
    for (let n = 0; n < 12; n += 1) {
      const rule = await addRule(api.context.db, shop, { name: `Rule ${n}` });
      for (let time = 0; time <= (n === 5 ? 1 : 0); time += 1) {
        await addAlert(api.context.db, rule, { event: { triggeredAt: hour(time) } });
      }
    }
    const { topRules } = await stats('', user);
    expect(topRules).toHaveLength(10);
    expect(topRules[0]).toMatchObject({ ruleName: 'Rule 5', count: 2 });
  });
});

test('images have full addresses that work without a key', async () => {
  const user = await api.user();
  const rule = await addRule(api.context.db, { userId: user.userId, ...(await shopOf(user)) });
  const { event } = await addAlert(api.context.db, rule, { images: ['clean', 'annotated', 'thumbnail'] });
  const { data } = (await user.get(`/analysis/alerts/${event.id}`)).body;
  expect(data.snapshotUrls).toHaveLength(2);
  expect(data.snapshotUrls[0]).toMatch(
    new RegExp(`^http://.*/api/v1/images/alerts/${event.id}/0-clean\\.jpg\\?expires=\\d+&signature=.+`),
  );
});

describe('with the insight', () => {
  test('a list and a single event show thumbnail, summary and whether images may still come, only if asked', async () => {
    const user = await api.user();
    const rule = await addRule(api.context.db, { userId: user.userId, ...(await shopOf(user)) });
    const seen = { summary: 'Six people wait', riskLevel: 'high', personCount: 6 } as const;
    const { event, insight } = await addAlert(api.context.db, rule, {
      ...seen,
      images: ['clean', 'thumbnail'],
    });
    const fresh = await addAlert(api.context.db, rule, {
      event: { triggeredAt: hour(29), awaitsPictures: true },
    });
    const thumbnailUrl = expect.stringContaining(`/api/v1/images/alerts/${event.id}/1-thumbnail.jpg?`);
    const brief = { id: insight.id, vlmStatus: 'completed', riskLevel: 'high', personCount: 6 };
    const written = {
      thumbnailUrl,
      awaitsImages: false,
      insight: { ...brief, vlmSummary: seen.summary },
    };
    const unwritten = {
      thumbnailUrl: null,
      awaitsImages: true,
      insight: {
        id: fresh.insight.id,
        vlmStatus: 'pending',
        vlmSummary: null,
        riskLevel: null,
        personCount: null,
      },
    };
    expect((await user.get('/analysis/alerts?withInsight=true')).body.data).toEqual([
      expect.objectContaining({ id: fresh.event.id, ...unwritten }),
      expect.objectContaining({ id: event.id, ...written }),
    ]);
    expect((await user.get(`/analysis/alerts/${event.id}?withInsight=1`)).body.data).toMatchObject(written);
    for (const path of ['', `/${event.id}`]) {
      const { data } = (await user.get(`/analysis/alerts${path}`)).body;
      for (const field of Object.keys(written)) expect([data].flat()[0]).not.toHaveProperty(field);
    }
    expect((await other.get('/analysis/alerts?withInsight=true')).body.data).toEqual([]);
  });
});

describe('DELETE /analysis/alerts/{id}', () => {
  test('a deleted event is gone, and its insight is not listed', async () => {
    const user = await api.user();
    const rule = await addRule(api.context.db, { userId: user.userId, ...(await shopOf(user)) });
    const { event, insight } = await addAlert(api.context.db, rule, { summary: 'People wait' });
    const answer = await user.delete(`/analysis/alerts/${event.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const verb of ['get', 'delete'] as const)
      expect(codeOf(await user[verb](`/analysis/alerts/${event.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await user.get(`/analysis/insights/${insight.id}`))).toEqual([404, 'NOT_FOUND']);
    for (const path of ['/analysis/alerts', '/analysis/insights', '/analysis/insights/vlm-summaries'])
      expect((await user.get(path)).body.data).toEqual([]);
    expect((await user.get('/analysis/alerts/stats')).body.data.total).toBe(0);
  });
});

describe('access', () => {
  test.each(['get', 'delete'] as const)(
    '%s answers 404 for a foreign or absent event, 400 for a malformed id, 401 without a key',
    async (verb) => {
      const { id } = (await list('limit=1')).data[0];
      expect(codeOf(await other[verb](`/analysis/alerts/${id}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner[verb](`/analysis/alerts/${ABSENT}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner[verb]('/analysis/alerts/1'))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await api.nobody[verb](`/analysis/alerts/${id}`))).toEqual([401, 'UNAUTHORIZED']);
    },
  );

  test('alert events require their scopes', async () => {
    const [reader, writer] = [await api.user(['analytics:read']), await api.user(['alert:write'])];
    for (const answer of [
      await writer.get('/analysis/alerts'),
      await writer.get('/analysis/alerts/stats'),
      await writer.get(`/analysis/alerts/${ABSENT}`),
      await reader.delete(`/analysis/alerts/${ABSENT}`),
    ]) {
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });
});
