import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditLedger } from '../../src/billing/audit/audit-ledger.ts';
import { charge, FoldedMonthError, rollBack } from '../../src/billing/charge.ts';
import { beginFolding, foldBatch } from '../../src/billing/fold/fold.store.ts';
import { foldMonths } from '../../src/billing/fold/fold-months.job.ts';
import { usageByDay, usageByMonth } from '../../src/billing/reports/report.store.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addOwner, chargeOne, inTransaction, NOVEMBER, type Owner } from './books.ts';

const PERIOD = '2025-11';
const DECEMBER = new Date('2025-12-01T00:00:00.000Z');
/** The first moment at which thirteen whole months have passed since November 2025. */
const DUE = new Date('2027-01-01T00:00:00.000Z');

let database: TestDatabase;
let owner: Owner;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  owner = await addOwner(db, { user: { analysis: 500, vlm: 100 } });
  for (const sourceId of ['slice-1', 'slice-2', 'slice-3'])
    await chargeOne(db, owner, { sourceId, quantity: 60 });
  await inTransaction(db, (tx) => rollBack(tx, { feature: 'analysis', sourceId: 'slice-2', quantity: 20 }));
  await chargeOne(db, owner, { feature: 'vlm', quantity: 7, sourceId: 'search', deviceId: null });
  await chargeOne(db, owner, { sourceId: 'later', quantity: 30, occurredAt: DECEMBER });
});

const fold = (now: Date, environment: NodeJS.ProcessEnv = {}) =>
  foldMonths({ config: loadConfig(environment), db: database.db, clock: { now: () => now } });
const differences = async () => (await auditLedger(database.db)).differences;
const events = async () =>
  (await database.db.usageEvent.findMany({ orderBy: { sourceId: 'asc' } })).map(({ sourceId }) => sourceId);
const kept = async () =>
  (await database.db.quotaTransaction.findMany({ where: { period: PERIOD } })).map(({ source }) => source);
const reports = async () => {
  const { db } = database;
  const span = { start: new Date('2025-11-01'), end: new Date('2026-01-01') };
  return [
    await usageByMonth(db, { userId: owner.userId, deviceId: undefined }, ['2025-11', '2025-12']),
    await usageByMonth(db, owner, ['2025-11', '2025-12']),
    await usageByDay(db, { userId: owner.userId, ...span }),
  ];
};

test('a month stays whole until USAGE_RETENTION_MONTHS have passed', async () => {
  await fold(new Date(DUE.getTime() - 1));
  expect(await events()).toHaveLength(6);
  expect(await database.db.foldedQuota.count()).toBe(0);
  await fold(new Date('2026-02-01T00:00:00.000Z'), { USAGE_RETENTION_MONTHS: '2' });
  expect(await events()).toEqual(['later']);
  // Shorter than the running month.
  expect(() => loadConfig({ USAGE_RETENTION_MONTHS: '1' })).toThrow(/USAGE_RETENTION_MONTHS.*2/);
});

test('then usage events and their ledger rows are gone, and totals, limits, reports and the ledger audit stay', async () => {
  const before = await reports();
  const counters = await database.db.quota.findMany({ select: { id: true, used: true, limit: true } });
  await fold(DUE);
  expect(await events()).toEqual(['later']);
  expect(await kept()).toEqual(['system_initial', 'system_initial']);
  expect(await differences()).toEqual([]);
  expect(await reports()).toEqual(before);
  const after = await database.db.quota.findMany({ select: { id: true, used: true, limit: true } });
  expect(after).toEqual(expect.arrayContaining(counters));
  const folded = await database.db.foldedQuota.findMany({
    select: { ledger: true, used: true, events: true, quota: { select: { scope: true, feature: true } } },
    orderBy: [{ used: 'asc' }, { quota: { scope: 'asc' } }],
  });
  expect(folded).toEqual([
    { ledger: -7n, used: 7n, events: 1, quota: { scope: 'user', feature: 'vlm' } },
    { ledger: -160n, used: 160n, events: 4, quota: { scope: 'user', feature: 'analysis' } },
    { ledger: -160n, used: 160n, events: 4, quota: { scope: 'device', feature: 'analysis' } },
  ]);
  await fold(DUE);
  expect(await differences()).toEqual([]);
});

test('top-ups stay in the ledger, because their references must not count twice', async () => {
  const { db } = database;
  await db.$executeRaw`
    WITH q AS (UPDATE "Quota" SET "limit" = "limit" + 5 WHERE scope = 'user' AND period = ${PERIOD} AND feature = 'analysis'
               RETURNING *)
    INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId", amount,
                                    "balanceBefore", "balanceAfter")
    SELECT id, "userId", scope, "scopeId", period, feature, 'credit', 'payment', 'invoice 7', 5, 0, 5 FROM q`;
  await fold(DUE);
  expect((await kept()).sort()).toEqual(['payment', 'system_initial', 'system_initial']);
  expect(await differences()).toEqual([]);
});

describe('a charge for a folded month', () => {
  test.each([
    ['of a user, made before', { sourceId: 'slice-1', quantity: 60 }],
    ['of a device, new', { sourceId: 'slice-9' }],
    ['beyond the limit', { sourceId: 'slice-9', allowBeyondLimit: true }],
    ['of a feature that was never used', { feature: 'alert' as const, sourceId: 'alert', deviceId: null }],
  ])('%s is refused and writes nothing', async (_, wanted) => {
    const { db } = database;
    const { userId } = owner;
    // Every user has counters of all features in a month in which the service ran.
    await db.quota.create({
      data: { scope: 'user', scopeId: userId, userId, period: PERIOD, feature: 'alert' },
    });
    await fold(DUE);
    await expect(chargeOne(db, owner, wanted)).rejects.toThrow(FoldedMonthError);
    await expect(chargeOne(db, owner, wanted)).rejects.toThrow(/2025-11 of the user .* is closed/);
    expect(await events()).toEqual(['later']);
    expect(await differences()).toEqual([]);
  });

  test('a return for a folded month gives nothing back', async () => {
    const { db } = database;
    await fold(DUE);
    const slice = { feature: 'analysis', sourceId: 'slice-1', quantity: 5 } as const;
    expect(await inTransaction(db, (tx) => rollBack(tx, slice))).toBe(false);
    expect(await differences()).toEqual([]);
  });
});

test('the books agree after each batch, and a job that was killed is continued by the next one', async () => {
  const { db } = database;
  const month = { userId: owner.userId, period: PERIOD };
  await beginFolding(db, month);
  expect(await differences()).toEqual([]);
  for (const left of [4, 2]) {
    expect(await foldBatch(db, month, 2)).toBe(2);
    expect(await events()).toHaveLength(left);
    expect(await differences()).toEqual([]);
  }
  await fold(NOVEMBER);
  expect(await events()).toEqual(['later']);
  expect(await db.foldedQuota.count({ where: { completedAt: null } })).toBe(0);
  expect(await differences()).toEqual([]);
});

test('a charge that is being made while the folding begins is counted', async () => {
  const { db } = database;
  let begun: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    const { userId, deviceId } = owner;
    const slice = { userId, deviceId, feature: 'analysis', quantity: 11, occurredAt: NOVEMBER } as const;
    await charge(tx, { ...slice, sourceId: 'last' });
    begun = fold(DUE);
    // The folding waits for this transaction, which has locked the counters.
    for (let waiting = 0n; waiting === 0n; ) {
      const [row] = await db.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      waiting = row!.count;
    }
  });
  await begun;
  expect(await events()).toEqual(['later']);
  const { used } = await db.foldedQuota.findFirstOrThrow({ where: { quota: { scope: 'device' } } });
  expect(used).toBe(171n);
  expect(await differences()).toEqual([]);
});

test('two programs that fold at the same time fold everything once', async () => {
  await Promise.all([fold(DUE), fold(DUE), fold(DUE)]);
  expect(await events()).toEqual(['later']);
  expect(await differences()).toEqual([]);
});

test('an audit still tells when books of a folded month do not agree', async () => {
  const { db } = database;
  await db.quotaTransaction.deleteMany({
    where: { source: 'consumption', sourceId: 'slice-1', scope: 'user' },
  });
  await fold(DUE);
  expect((await differences()).map(({ message }) => message)).toEqual([
    'the counter has 340 seconds left, its ledger says 400',
  ]);
});
