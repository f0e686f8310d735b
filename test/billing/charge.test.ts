import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { charge, rollBack } from '../../src/billing/charge.ts';
import { createDb } from '../../src/platform/database/db.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { told } from '../support/told.ts';
import { addOwner, chargeOne, faultsInBooks, inTransaction, NOVEMBER, type Owner } from './books.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const usedOf = async ({ userId, deviceId }: Owner, feature: Feature = 'analysis') => {
  const rows = await database.db.quota.findMany({ where: { userId, feature, period: '2025-11' } });
  const used = (scopeId: string) => Number(rows.find((row) => row.scopeId === scopeId)?.used ?? 0);
  return [used(userId), used(deviceId)];
};

describe('a charge', () => {
  test('a charge opens the month, changes both counters and writes event, ledger rows and daily sums', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { analysis: 1000 }, device: { analysis: 500 } });
    expect(await chargeOne(db, owner, { sourceId: 'slice 1' })).toEqual({
      outcome: 'charged',
      crossings: [],
    });
    const ledger = await db.quotaTransaction.findMany({
      where: { userId: owner.userId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const [event] = await db.usageEvent.findMany({ where: owner });
    const row = (scope: string, source: string, balances: [number, number]) => ({
      ...{ scope, source, type: source === 'consumption' ? 'debit' : 'credit' },
      ...{ balanceBefore: BigInt(balances[0]), balanceAfter: BigInt(balances[1]) },
    });
    expect(ledger).toMatchObject([
      { ...row('user', 'system_initial', [0, 1000]), sourceId: '2025-11', amount: 1000n, deviceId: null },
      { ...row('user', 'consumption', [1000, 990]), sourceId: 'slice 1', deviceId: owner.deviceId },
      { ...row('device', 'system_initial', [0, 500]), amount: 500n },
      { ...row('device', 'consumption', [500, 490]), amount: 10n, referenceId: event!.id },
    ]);
    expect(await faultsInBooks(db, owner.userId)).toEqual([]);
  });

  test('a charge with the same source is made once', async () => {
    const { db } = database;
    const owner = await addOwner(db);
    const again = () => chargeOne(db, owner, { sourceId: `once ${owner.userId}` });
    const outcomes = (await Promise.all([again(), again(), again()])).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['charged', 'repeated', 'repeated']);
    expect(await again()).toEqual({ outcome: 'repeated' });
    expect(await usedOf(owner)).toEqual([10, 10]);
  });

  test('a charge is refused by the user’s quota, then by the device’s, and writes nothing', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { analysis: 100 }, device: { analysis: 25 } });
    expect(await chargeOne(db, owner, { quantity: 101 })).toEqual({
      ...{ outcome: 'refused', scope: 'user', because: 'quota', available: 100 },
    });
    expect(await chargeOne(db, owner, { quantity: 26 })).toEqual({
      ...{ outcome: 'refused', scope: 'device', because: 'quota', available: 25 },
    });
    expect(await usedOf(owner)).toEqual([0, 0]);
    expect(await db.usageEvent.count({ where: owner })).toBe(0);
    expect(await chargeOne(db, owner, { quantity: 25 })).toMatchObject({ outcome: 'charged' });
  });

  test('after a refused charge the rest of its transaction stands', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { vlm: 5 } });
    await inTransaction(db, async (tx) => {
      const about = { ...owner, occurredAt: NOVEMBER, quantity: 9 };
      const refused = await charge(tx, { ...about, feature: 'vlm', sourceId: 'r1' });
      expect(refused.outcome).toBe('refused');
      await charge(tx, { ...about, feature: 'analysis', sourceId: `r2 ${owner.userId}` });
    });
    expect([await usedOf(owner), await usedOf(owner, 'vlm')]).toEqual([
      [9, 9],
      [0, 0],
    ]);
  });

  test('a charge is undone with its transaction', async () => {
    const { db } = database;
    const owner = await addOwner(db);
    const failing = inTransaction(db, async (tx) => {
      await charge(tx, { ...owner, feature: 'vlm', quantity: 7, sourceId: 'f1', occurredAt: NOVEMBER });
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(await db.quotaTransaction.count({ where: { userId: owner.userId } })).toBe(0);
    expect(await chargeOne(db, owner, { feature: 'vlm', sourceId: 'f1' })).toMatchObject({
      outcome: 'charged',
    });
  });

  test('an alert is never refused, not even on a disabled device: the balance becomes negative', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { alert: 2 } });
    await db.device.update({ where: { id: owner.deviceId }, data: { isDisabled: true } });
    for (const quantity of [2, 1, 1]) await chargeOne(db, owner, { feature: 'alert', quantity });
    const last = await db.quotaTransaction.findFirst({
      where: { userId: owner.userId, scope: 'user' },
      orderBy: { balanceAfter: 'asc' },
    });
    expect(last).toMatchObject({ balanceBefore: -1n, balanceAfter: -2n });
    expect(await chargeOne(db, owner)).toEqual({
      ...{ outcome: 'refused', scope: 'device', because: 'disabled', available: 0 },
    });
  });

  test('with allowBeyondLimit a charge passes beyond the limit', async () => {
    const owner = await addOwner(database.db, { user: { vlm: 5 } });
    const tokens = { feature: 'vlm', quantity: 8 } as const;
    expect(await chargeOne(database.db, owner, tokens)).toMatchObject({ outcome: 'refused', available: 5 });
    expect(await chargeOne(database.db, owner, { ...tokens, allowBeyondLimit: true })).toMatchObject({
      outcome: 'charged',
    });
    expect(await usedOf(owner, 'vlm')).toEqual([8, 8]);
  });

  test('without a limit every charge passes and is counted', async () => {
    const owner = await addOwner(database.db, { user: { analysis: null } });
    const crossed = await chargeOne(database.db, owner, { quantity: 1_000_000_000 });
    expect(crossed).toEqual({ outcome: 'charged', crossings: [] });
    expect(await usedOf(owner)).toEqual([1_000_000_000, 1_000_000_000]);
    expect(await faultsInBooks(database.db, owner.userId)).toEqual([]);
  });

  test('without a device only the user is charged', async () => {
    const owner = await addOwner(database.db);
    await inTransaction(database.db, (tx) =>
      charge(tx, {
        ...{ userId: owner.userId, deviceId: null, feature: 'vlm', quantity: 30 },
        ...{ sourceId: `search ${owner.userId}`, occurredAt: NOVEMBER },
      }),
    );
    expect(await usedOf(owner, 'vlm')).toEqual([30, 0]);
    expect(await faultsInBooks(database.db, owner.userId)).toEqual([]);
  });

  test('a charge counts in the month and on the day in which it happened, to the millisecond', async () => {
    const { db } = database;
    const owner = await addOwner(db);
    for (const time of ['2025-10-31T23:59:59.999Z', '2025-11-01T00:00:00.000Z']) {
      await chargeOne(db, owner, { occurredAt: new Date(time) });
    }
    const quotas = await db.quota.findMany({ where: { scopeId: owner.userId }, orderBy: { period: 'asc' } });
    expect(quotas.map(({ period, used }) => [period, used])).toEqual([
      ['2025-10', 10n],
      ['2025-11', 10n],
    ]);
    const days = await db.usageDay.findMany({
      where: { userId: owner.userId, deviceId: owner.deviceId },
      orderBy: { day: 'asc' },
    });
    expect(days.map(({ day }) => day.toISOString().slice(0, 10))).toEqual(['2025-10-31', '2025-11-01']);
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 60])('%p is refused as a quantity', async (quantity) => {
    const owner = await addOwner(database.db);
    await expect(chargeOne(database.db, owner, { quantity })).rejects.toThrow('a whole number from 1');
  });
});

describe('80 % and 100 %', () => {
  test('80 % and 100 % are emitted once each, for user and device', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { analysis: 100 }, device: { analysis: 50 } });
    const told = async (quantity: number) => {
      const result = await chargeOne(db, owner, { quantity });
      return result.outcome === 'charged'
        ? result.crossings.map(({ scope, threshold, usagePercentage }) => [scope, threshold, usagePercentage])
        : result.outcome;
    };
    expect(await told(39)).toEqual([]);
    expect(await told(1)).toEqual([['device', 80, 80]]);
    expect(await told(1)).toEqual([]);
    expect(await told(9)).toEqual([['device', 100, 100]]);
    expect(await told(1)).toBe('refused');
  });

  test('one charge that reaches both thresholds emits both; after a return they are not emitted again', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { vlm: 10 } });
    const all = { feature: 'vlm', quantity: 10, sourceId: `all ${owner.userId}` } as const;
    const first = await chargeOne(db, owner, all);
    expect(first).toMatchObject({ crossings: [{ threshold: 80 }, { threshold: 100, used: 10, limit: 10 }] });
    await inTransaction(db, (tx) => rollBack(tx, all));
    expect(await chargeOne(db, owner, { ...all, sourceId: `second ${owner.userId}` })).toMatchObject({
      crossings: [],
    });
  });
});

describe('a return', () => {
  test('a return goes to both scopes, in the month of the charge, once', async () => {
    const { db } = database;
    const owner = await addOwner(db);
    const sourceId = `slice ${owner.userId}`;
    await chargeOne(db, owner, { quantity: 60, sourceId });
    const giveBack = () =>
      inTransaction(db, (tx) => rollBack(tx, { feature: 'analysis', sourceId, quantity: 45 }));
    expect((await Promise.all([giveBack(), giveBack()])).sort()).toEqual([false, true]);
    expect(await giveBack()).toBe(false);
    expect(await usedOf(owner)).toEqual([15, 15]);
    const credits = await db.quotaTransaction.findMany({
      where: { userId: owner.userId, source: 'usage_rollback' },
    });
    expect(credits.map(({ scope, type, amount }) => [scope, type, amount]).sort()).toEqual([
      ['device', 'credit', 45n],
      ['user', 'credit', 45n],
    ]);
    expect(await faultsInBooks(db, owner.userId)).toEqual([]);
  });

  test('returning an unknown charge changes nothing; returning more than was charged throws', async () => {
    const { db } = database;
    const owner = await addOwner(db);
    const sourceId = `more ${owner.userId}`;
    const back = (quantity: number) =>
      inTransaction(db, (tx) => rollBack(tx, { feature: 'analysis', sourceId, quantity }));
    expect(await back(1)).toBe(false);
    await chargeOne(db, owner, { sourceId });
    await expect(back(11)).rejects.toThrow('more than was charged');
  });
});

describe('concurrent charges', () => {
  test('of 500 charges, fifty at a time, exactly 137 pass a limit of 137, whether rows are added or grow', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { attribute: 137 } });
    const crowd = createDb(database.url, { maxConnections: 50, silenceMs: 300_000 });
    const ten = async (_: unknown, worker: number) => {
      const results = [];
      for (let at = 0; at < 10; at++) {
        const minute = { grows: true, sourceId: `${owner.userId}:minute ${(at + worker) % 3}` };
        const about = { feature: 'attribute', quantity: 1, ...(worker % 2 === 0 && minute) } as const;
        results.push(await chargeOne(crowd, owner, about));
      }
      return results;
    };
    const results = (await Promise.all(Array.from({ length: 50 }, ten))).flat();
    await crowd.$disconnect();
    expect(results.filter(({ outcome }) => outcome === 'charged')).toHaveLength(137);
    const crossings = results.flatMap((result) => (result.outcome === 'charged' ? result.crossings : []));
    expect(crossings.map(({ threshold }) => threshold).sort()).toEqual([100, 80]);
    expect(await usedOf(owner, 'attribute')).toEqual([137, 137]);
    expect(await faultsInBooks(db, owner.userId)).toEqual([]);
    const events = await db.usageEvent.findMany({ where: { ...owner, sourceId: { contains: ':minute' } } });
    // Which charges pass is chance, so that all of one row may have been refused.
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThanOrEqual(3);
    const rows = await db.quotaTransaction.findMany({
      where: { referenceId: { in: events.map(({ id }) => id) } },
    });
    expect(rows).toHaveLength(2 * events.length);
    const grown = events.reduce((sum, { quantity }) => sum + quantity, 0n);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(2n * grown);
    // A refused one left its row as it was, so that its next one is refused too.
    const again = { feature: 'attribute', quantity: 1, grows: true, sourceId: events[0]!.sourceId } as const;
    expect(await chargeOne(db, owner, again)).toMatchObject({ outcome: 'refused', available: 0 });
    expect(await db.usageEvent.findUnique({ where: { id: events[0]!.id } })).toEqual(events[0]);
  });
});

describe('threshold events', () => {
  test('threshold events are written in the charge’s transaction, with the documented body', async () => {
    const { db } = database;
    const owner = await addOwner(db, { user: { alert: 10 }, device: { alert: 4 } });
    const alert = { feature: 'alert', quantity: 8 } as const;
    await expect(
      inTransaction(db, async (tx) => {
        await charge(tx, { ...owner, ...alert, sourceId: 'lost', occurredAt: NOVEMBER });
        throw new Error('the work failed');
      }),
    ).rejects.toThrow('the work failed');
    for (let times = 0; times < 2; times++) await chargeOne(db, owner, alert);
    const events = await told(db, { userId: owner.userId });
    const found = events.map(({ type, timestamp, data }) => [
      ...[type, timestamp, data.scope, data.deviceId, data.used, data.usagePercentage],
    ]);
    const at = NOVEMBER.toISOString();
    const { deviceId } = owner;
    expect(found).toEqual([
      ['quota_warning', at, 'user', undefined, 8, 80],
      ['quota_warning', at, 'device', deviceId, 8, 200],
      ['quota_exceeded', at, 'device', deviceId, 8, 200],
      ['quota_exceeded', at, 'user', undefined, 16, 160],
    ]);
  });
});
