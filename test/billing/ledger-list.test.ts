import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { everyTransaction, listTransactions } from '../../src/billing/reports/history.store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addOwner, chargeOne, type Owner } from './books.ts';

let database: TestDatabase;
let owner: Owner;
beforeAll(async () => {
  database = await testDatabase();
  owner = await addOwner(database.db, { user: { analysis: 500 } });
});
afterAll(() => database?.drop());

test('the ledger is in the order of writing over all months and features, on pages and in batches', async () => {
  const { db } = database;
  const { userId, deviceId } = owner;
  for (const [at, month] of ['2025-11', '2025-12', '2025-10', '2025-12', '2025-11', '2026-01'].entries()) {
    const occurredAt = new Date(`${month}-05T00:00:00Z`);
    await chargeOne(db, owner, { sourceId: `slice ${at}`, occurredAt });
    await chargeOne(db, owner, { sourceId: `alert ${at}`, feature: 'alert', occurredAt });
  }
  const order = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  for (const filter of [
    {},
    { deviceId },
    { billingPeriod: '2025-12' as const },
    { featureType: 'alert' as const },
  ]) {
    const rows = await db.quotaTransaction.findMany({
      where: {
        ...{ userId, scope: filter.deviceId ? 'device' : 'user' },
        ...(filter.billingPeriod && { period: filter.billingPeriod }),
        ...(filter.featureType && { feature: filter.featureType }),
      },
      orderBy: order,
    });
    const ids = rows.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    const pages = [];
    for (let page = 1; page <= Math.ceil(ids.length / 3); page++) {
      const { items, total } = await listTransactions(db, userId, { ...filter, page, limit: 3 });
      expect([items.length <= 3, total]).toEqual([true, ids.length]);
      pages.push(...items.map(({ id }) => id));
    }
    expect(pages).toEqual(ids);
    const all = [];
    for await (const { id } of everyTransaction(db, userId, { ...filter, page: 1, limit: 3 })) all.push(id);
    expect(all).toEqual(ids);
  }
  // The next batch begins after the last row, also among rows of the same time.
  await db.$executeRaw`UPDATE "QuotaTransaction" SET "createdAt" = '2026-02-01T00:00:00Z' WHERE "userId" = ${userId}::uuid`;
  await db.$executeRaw`
    INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId", amount,
      "balanceBefore", "balanceAfter", "createdAt")
    SELECT id, "userId", scope, "scopeId", period, feature, 'credit', 'payment', period || n, 0, 0, 0, '2026-02-01T00:00:00Z'
    FROM "Quota", generate_series(1, 300) n WHERE "userId" = ${userId}::uuid AND scope = 'user'`;
  const same = await db.quotaTransaction.findMany({ where: { userId, scope: 'user' }, orderBy: order });
  expect(same.length).toBeGreaterThan(1000);
  const read = [];
  for await (const { id } of everyTransaction(db, userId, { page: 1, limit: 1 })) read.push(id);
  expect(read).toEqual(same.map(({ id }) => id));
});
