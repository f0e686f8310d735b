import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditLedger } from '../../src/billing/audit/audit-ledger.ts';
import { rollBack } from '../../src/billing/charge.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addOwner, chargeOne, inTransaction, type Owner } from './books.ts';

let database: TestDatabase;
let owner: Owner;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  owner = await addOwner(db, { user: { analysis: 100 } });
  await addOwner(db);
  await chargeOne(db, owner, { sourceId: 'slice', quantity: 60 });
  await chargeOne(db, owner, { feature: 'vlm', quantity: 7, sourceId: 'search', deviceId: null });
  await inTransaction(db, (tx) => rollBack(tx, { feature: 'analysis', sourceId: 'slice', quantity: 20 }));
});

const messages = async () =>
  (await auditLedger(database.db)).differences.map(
    ({ scope, feature, message }) => `${scope} ${feature}: ${message}`,
  );
const user = () => ({ scope: 'user' as const, scopeId: owner.userId, feature: 'analysis' as const });

test('correct books have no difference, and progress counts the users', async () => {
  const seen: string[] = [];
  const audit = await auditLedger(database.db, { onUser: (done, total) => seen.push(`${done}/${total}`) });
  expect(audit).toEqual({ users: 2, differences: [] });
  expect(seen).toEqual(['1/2', '2/2']);
  await expect(auditLedger(database.db, { email: 'nobody' })).rejects.toThrow('There is no user "nobody".');
});

describe('the audit names every kind of difference', () => {
  test('a counter that was changed by hand', async () => {
    await database.db.quota.updateMany({ where: user(), data: { used: 41 } });
    expect(await messages()).toEqual([
      'user analysis: the counter has 59 seconds left, its ledger says 60',
      'user analysis: the counter used 41 seconds, its events say 40',
      'user analysis: the counter used 41 seconds, its days say 40',
    ]);
  });

  test('a ledger row that is missing, or was changed', async () => {
    await database.db.quotaTransaction.updateMany({
      where: { ...user(), source: 'consumption' },
      data: { amount: 61, balanceAfter: 39 },
    });
    expect((await messages()).sort()).toEqual([
      'user analysis: ledger row “slice” of 61: no usage event says so',
      'user analysis: the counter has 60 seconds left, its ledger says 59',
    ]);
    await database.db.quotaTransaction.deleteMany({ where: { ...user(), source: 'consumption' } });
    expect((await messages()).sort()).toEqual([
      'user analysis: the counter has 60 seconds left, its ledger says 120',
      'user analysis: usage event “slice” of 60: no ledger row charges it',
    ]);
  });

  test('an event that is missing, is of another month, or has no counter; a missing daily sum', async () => {
    const { db } = database;
    await db.usageEvent.updateMany({
      where: { feature: 'vlm' },
      data: { occurredAt: new Date('2025-10-31') },
    });
    expect(await messages()).toEqual([
      'user vlm: usage event “search” of 7: it did not happen in this month',
    ]);
    await db.usageEvent.deleteMany({ where: { feature: 'vlm' } });
    await db.usageDay.deleteMany({ where: { feature: 'vlm' } });
    expect(await messages()).toEqual([
      'user vlm: the counter used 7 tokens, its events say 0',
      'user vlm: the counter used 7 tokens, its days say 0',
      'user vlm: ledger row “search” of 7: no usage event says so',
    ]);
    await db.quota.deleteMany({ where: { feature: 'analysis', scope: 'device' } });
    expect(await messages()).toContain(
      'device analysis: used 40 seconds by its events and 40 by its days, but there is no counter',
    );
  });
});
