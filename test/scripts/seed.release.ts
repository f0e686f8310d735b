import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { SeededKey } from '../../scripts/seed/people.ts';
import type { SeedPlan } from '../../scripts/seed/plan.ts';
import { seedDatabase } from '../../scripts/seed/seed-database.ts';
import { COMMON_WORD, TERMS } from '../../scripts/seed/words.ts';
import { API_ROUTES } from '../../src/app.ts';
import { auditLedger } from '../../src/billing/audit/audit-ledger.ts';
import { sealStreamUrl } from '../../src/cameras/devices/stream-url.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';

const PLAN: SeedPlan = {
  seed: 1,
  users: 5,
  devices: 1,
  alerts: 1000,
  pictured: 20,
  snapshots: 500,
  rolling: 200,
  minutes: 2800,
  visits: 300,
  tasks: 30,
  usage: 400,
  usageDays: 60,
  until: new Date('2026-11-21T00:00:00.000Z'),
};

let api: TestApi;
let keys: SeededKey[];
beforeAll(async () => {
  api = await testApi();
  const { config, sealer } = api.context;
  keys = await seedDatabase(config.databaseUrl!, PLAN, (url) => sealStreamUrl(sealer, url));
});
afterAll(() => api.drop());

const get = (path: string, user = 0) =>
  request(api.app).get(`/api/v1${path}`).set('Authorization', `Bearer ${keys[user]!.key}`);

describe('a seeded database', () => {
  test('holds the requested number of rows; a tenth of the alert events belongs to the largest user', async () => {
    const { db } = api.context;
    expect(await db.alertEvent.count()).toBe(PLAN.alerts);
    expect(await db.insight.count()).toBe(PLAN.alerts);
    expect(await db.metricSnapshot.count()).toBe(PLAN.snapshots);
    expect(await db.usageEvent.count()).toBe(PLAN.usage);
    expect(await db.occupancyMinute.count()).toBe(PLAN.minutes);
    expect(await db.visit.count({ where: { outcomeDecidedAt: { lt: PLAN.until } } })).toBe(PLAN.visits);
    expect((await get('/analysis/alerts')).body.meta.pagination.totalRecords).toBe(PLAN.alerts / 10);
  });

  test('passes the audit of the ledger', async () => {
    expect((await auditLedger(api.context.db)).differences).toEqual([]);
  });

  test('gives a series, whose sums are those of the rows', async () => {
    const scene = (await get('/scenes')).body.data[0].id;
    const { data } = (
      await get(`/analytics/scenes/${scene}/series?from=2026-11-20&to=2026-11-21&bucket=1h&timezone=UTC`)
    ).body;
    const sum = (column: (number | null)[]) => column.reduce<number>((all, value) => all + (value ?? 0), 0);
    const counts = (outcome: 'completed' | 'lost') =>
      api.context.db.visit.count({ where: { sceneId: scene, outcome } });
    expect([sum(data.completed), sum(data.lost)]).toEqual([await counts('completed'), await counts('lost')]);
    expect(sum(data.completed)).toBeGreaterThan(0);
    expect(data.avgInQueue.filter((value: number | null) => value !== null)).toHaveLength(4);
  });

  test('lets the API answer every list with 200', async () => {
    const scene = (await get('/scenes')).body.data[0].id;
    for (const { path, paging, scope } of API_ROUTES) {
      if (!paging || path.includes('{') || scope === 'admin') continue;
      const { status } = await get(`${path}${path.startsWith('/analytics/') ? `?sceneId=${scene}` : ''}`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test('names each term in about its share of the summaries, and the common word in half of them', async () => {
    const { db } = api.context;
    const containing = (word: string) => db.insight.count({ where: { vlmSummary: { contains: word } } });
    const common = await containing(COMMON_WORD);
    expect(common / PLAN.alerts).toBeGreaterThan(0.42);
    expect(common / PLAN.alerts).toBeLessThan(0.53);
    const commonest = TERMS.at(-1)!;
    expect(commonest.share).toBeCloseTo(0.05);
    expect((await containing(commonest.word)) / PLAN.alerts).toBeCloseTo(commonest.share, 1);
    const { total } = (await get(`/analysis/insights?q=${COMMON_WORD}`)).body.meta.pagination;
    expect(total).toBeGreaterThan(PLAN.alerts / 30);
  });

  test('has counters that equal the rest of their ledger', async () => {
    const wrong = await api.context.db.$queryRaw<unknown[]>`
      SELECT q.id FROM "Quota" q LEFT JOIN "QuotaTransaction" t ON t."quotaId" = q.id
      GROUP BY q.id
      HAVING q."limit" - q.used <> coalesce(sum(CASE t.type WHEN 'credit' THEN t.amount ELSE -t.amount END), 0)`;
    expect(wrong).toEqual([]);
    expect(await api.context.db.quotaTransaction.count()).toBeGreaterThan(2 * PLAN.usage);
  });

  test('is the same for the same plan, and is not seeded twice', async () => {
    const again = await testDatabase();
    try {
      await seedDatabase(again.url, PLAN, (url) => url);
      const print = (db: TestApi['context']['db']) =>
        db.$queryRaw`
          SELECT
            (SELECT md5(string_agg(concat_ws(' ', id, "alertEventId", "triggeredAt", "vlmSummary"), '|' ORDER BY id))
             FROM "Insight") AS insights,
            (SELECT md5(string_agg(concat_ws(' ', id, "sceneId", "windowEnd", numbers), '|' ORDER BY id))
             FROM "MetricSnapshot") AS snapshots`;
      expect(await print(again.db)).toEqual(await print(api.context.db));
      await expect(seedDatabase(again.url, PLAN, (url) => url)).rejects.toThrow('seeded already');
    } finally {
      await again.drop();
    }
  });
});
