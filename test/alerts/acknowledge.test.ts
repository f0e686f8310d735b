import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findCallerName } from '../../src/access/known-caller.store.ts';
import { countLocally } from '../../src/alerts/local-times.ts';
import { QUARTER_SECONDS } from '../../src/catalogue/metrics/quarter.ts';
import type { AlertRule } from '../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { TIME_ZONES } from '../support/thorough.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
let rule: AlertRule;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());
beforeEach(async () => {
  user = await api.user();
  rule = await addRule(api.context.db, { ...(await shopOf(user)), userId: user.userId });
});

const alertAt = async (triggeredAt: Date) =>
  (await addAlert(api.context.db, rule, { event: { triggeredAt } })).event.id;
const hour = (h: number) => new Date(Date.UTC(2026, 0, 10, h));
const acknowledge = (id: string, acknowledged: unknown = true) =>
  user.patch(`/analysis/alerts/${id}`, { acknowledged });

describe('PATCH /analysis/alerts/{id}', () => {
  test('stores who and when; of several the first stays, and it can be withdrawn', async () => {
    clock.time = hour(9);
    const id = await alertAt(hour(8));
    const key = await api.context.db.apiKey.findFirstOrThrow({ where: { userId: user.userId } });
    const shown = {
      acknowledgedAt: hour(9).toISOString(),
      acknowledgedBy: { kind: 'key', id: key.id, name: 'test' },
    };
    expect((await acknowledge(id)).body.data).toMatchObject(shown);
    clock.forward(60);
    expect((await acknowledge(id)).body.data).toMatchObject(shown);
    expect((await user.get(`/analysis/alerts/${id}`)).body.data).toMatchObject(shown);
    for (const _twice of [1, 2]) {
      const { data } = (await acknowledge(id, false)).body;
      expect([data.acknowledgedAt, data.acknowledgedBy]).toEqual([null, null]);
    }
    expect((await acknowledge(id)).body.data.acknowledgedAt).toBe(clock.now().toISOString());
  });

  test('lists can be filtered by it', async () => {
    const [seen, open] = [await alertAt(hour(8)), await alertAt(hour(9))];
    await acknowledge(seen);
    const idsOf = async (query: string) =>
      (await user.get(`/analysis/alerts${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual([open, seen]);
    expect(await idsOf('?acknowledged=true')).toEqual([seen]);
    expect(await idsOf('?acknowledged=false&severity=warning')).toEqual([open]);
    expect(codeOf(await user.get('/analysis/alerts?acknowledged=perhaps'))[0]).toBe(400);
  });

  test.each([['yes'], [null], [undefined], [1]])('acknowledged: %j is refused', async (acknowledged) => {
    const id = await alertAt(hour(8));
    const answer = await user.patch(`/analysis/alerts/${id}`, { acknowledged });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('an event of another user does not exist', async () => {
    const id = await alertAt(hour(8));
    const other = await api.user();
    expect(codeOf(await other.patch(`/analysis/alerts/${id}`, { acknowledged: true }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await user.get(`/analysis/alerts/${id}`)).body.data.acknowledgedAt).toBeNull();
  });

  test('the name of a session is its label', async () => {
    const { db } = api.context;
    const { id } = await db.session.create({
      data: {
        ...{ userId: user.userId, tokenHash: randomBytes(32), kind: 'person', role: 'viewer' },
        ...{ scopes: [], method: 'password', label: 'Tablet', lastUsedAt: hour(1) },
      },
    });
    const caller = { userId: user.userId, sessionId: id, credentialId: id };
    expect(await findCallerName(db, caller)).toEqual({ kind: 'session', id, name: 'Tablet' });
    const gone = { ...caller, userId: rule.id };
    expect(await findCallerName(db, gone)).toEqual({ kind: 'session', id, name: null });
  });
});

describe('GET /analysis/alerts/stats?timezone', () => {
  const statsOf = async (query: string) => (await user.get(`/analysis/alerts/stats?${query}`)).body.data;
  const hoursOf = ({ hourlyDistribution }: { hourlyDistribution: { hour: number; count: number }[] }) =>
    Object.fromEntries(
      hourlyDistribution.filter(({ count }) => count > 0).map(({ hour: h, count }) => [h, count]),
    );
  const times = (...texts: string[]) => Promise.all(texts.map((text) => alertAt(new Date(text))));

  test.each([
    [
      'the hour that clocks leave out',
      '2026-03-28',
      ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z'],
      { 1: 1, 3: 1 },
    ],
    ['the hour that clocks repeat', '2026-10-24', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'], { 2: 2 }],
  ])('%s in Europe/Berlin', async (_name, startDate, events, hours) => {
    await times(...events);
    const data = await statsOf(`timezone=Europe/Berlin&startDate=${startDate}`);
    expect(data.total).toBe(2);
    expect(hoursOf(data)).toEqual(hours);
    expect(data.dailyDistribution).toEqual([{ date: events[0]!.slice(0, 10), count: 2 }]);
  });

  test('days begin at midnight of the zone, also where it is 45 minutes off', async () => {
    await times('2026-01-10T18:14:59Z', '2026-01-10T18:15:00Z', '2026-01-11T18:15:00Z');
    const data = await statsOf('timezone=Asia/Kathmandu&startDate=2026-01-10');
    expect(hoursOf(data)).toEqual({ 0: 2, 23: 1 });
    expect(data.dailyDistribution).toEqual([
      { date: '2026-01-10', count: 1 },
      { date: '2026-01-11', count: 1 },
      { date: '2026-01-12', count: 1 },
    ]);
  });

  test('without a time zone hours are UTC, and there are no days', async () => {
    await times('2026-01-10T18:15:00Z');
    const data = await statsOf('startDate=2026-01-10');
    expect(hoursOf(data)).toEqual({ 18: 1 });
    expect('dailyDistribution' in data).toBe(false);
    expect(hoursOf(await statsOf('startDate=2026-01-10&timezone=UTC'))).toEqual({ 18: 1 });
  });

  test('a time zone that does not exist is refused', async () => {
    const answer = await user.get('/analysis/alerts/stats?timezone=Mars/X');
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('nothing is lost or counted twice, in any zone', () => {
    const first = Math.floor(Date.UTC(2026, 2, 28) / 1000 / QUARTER_SECONDS);
    const counts = Array.from({ length: 24 * 4 * 3 }, (_, at) => ({ quarter: first + at, count: at % 3 }));
    const all = counts.reduce((sum, { count }) => sum + count, 0);
    for (const zone of TIME_ZONES) {
      const { byHour, byDay } = countLocally(counts, zone);
      const sumOf = (by: ReadonlyMap<unknown, number>) =>
        [...by.values()].reduce((sum, count) => sum + count, 0);
      expect([zone, sumOf(byHour), sumOf(byDay)]).toEqual([zone, all, all]);
      expect([...byDay.keys()]).toEqual([...byDay.keys()].sort());
    }
  });
});
