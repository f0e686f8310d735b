import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeMonth } from '../../src/billing/month-change.job.ts';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { told } from '../support/told.ts';
import { addOwner, chargeOne, faultsInBooks } from './books.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.user.deleteMany();
});

const at = (time: string, db: Db = database.db) => changeMonth({ db, clock: { now: () => new Date(time) } });
const monthsTold = async (userId?: string) => {
  const events = await told(database.db, { type: 'billing_cycle_completed', ...(userId && { userId }) });
  return events.map(({ data }) => data);
};

/** A user who was created at this time. */
async function addUser(createdAt: string, limits: Parameters<typeof addOwner>[1] = {}) {
  const owner = await addOwner(database.db, limits);
  await database.db.user.update({ where: { id: owner.userId }, data: { createdAt: new Date(createdAt) } });
  return owner;
}

describe('the change of month', () => {
  test('a month opens once at its first instant, with the limits of user and device', async () => {
    const owner = await addUser('2025-11-20T00:00:00Z', { user: { vlm: null }, device: { alert: 7 } });
    await at('2025-11-30T23:59:59.999Z');
    await Promise.all([at('2025-12-01T00:00:00.000Z'), at('2025-12-01T00:00:00.000Z')]);
    await at('2025-12-01T00:00:10.000Z');
    const rows = await database.db.quota.findMany({ where: { period: '2025-12' }, orderBy: { id: 'asc' } });
    expect(
      rows.map(({ scope, feature, limit, isUnlimited }) => [scope, feature, Number(limit), isUnlimited]),
    ).toEqual(
      expect.arrayContaining([
        ['user', 'analysis', 31 * 86_400, false],
        ['user', 'vlm', 0, true],
        ['device', 'alert', 7, false],
      ]),
    );
    const initial = await database.db.quotaTransaction.findMany({
      where: { userId: owner.userId, period: '2025-12' },
    });
    expect(initial.map(({ source, sourceId }) => `${source} ${sourceId}`)).toEqual(
      Array(4).fill('system_initial 2025-12'),
    );
    expect(await faultsInBooks(database.db, owner.userId)).toEqual([]);
  });

  test('a past month is emitted once, five minutes after its end, with its totals', async () => {
    const owner = await addUser('2025-11-20T00:00:00Z');
    const occurredAt = new Date('2025-11-30T23:59:00Z');
    await chargeOne(database.db, owner, { quantity: 60, occurredAt });
    await chargeOne(database.db, owner, { feature: 'alert', quantity: 1, occurredAt });
    await at('2025-12-01T00:04:59Z');
    expect(await monthsTold()).toEqual([]);
    for (let time = 0; time < 3; time++) await at('2025-12-01T00:05:00Z');
    expect(await monthsTold()).toEqual([
      { period: '2025-11', analysisSeconds: 60, alertCount: 1, attributeCount: 0, vlmTokens: 0 },
    ]);
  });

  test('late usage counts in the month in which it happened, and emits no second event', async () => {
    const owner = await addUser('2025-11-20T00:00:00Z');
    await at('2025-12-01T00:10:00Z');
    await chargeOne(database.db, owner, { quantity: 5, occurredAt: new Date('2025-11-30T23:59:59.999Z') });
    await at('2025-12-01T00:20:00Z');
    expect(await monthsTold()).toHaveLength(1);
    const quotas = await database.db.quota.findMany({
      where: { scope: 'user', feature: 'analysis' },
      orderBy: { period: 'asc' },
    });
    expect(quotas.map(({ period, used }) => [period, Number(used)])).toEqual([
      ['2025-11', 5],
      ['2025-12', 0],
    ]);
  });

  test('months that ended while nothing ran are emitted in order; a deleted user gets no event', async () => {
    const owner = await addUser('2025-08-31T23:59:59Z');
    await chargeOne(database.db, owner, { occurredAt: new Date('2025-10-10T00:00:00Z') });
    const deleted = await addUser('2025-08-01T00:00:00Z');
    await database.db.user.update({ where: { id: deleted.userId }, data: { deletedAt: new Date() } });
    await at('2026-01-15T00:00:00Z');
    expect((await monthsTold()).map(({ period, analysisSeconds }) => [period, analysisSeconds])).toEqual([
      ['2025-08', 0],
      ['2025-09', 0],
      ['2025-10', 10],
      ['2025-11', 0],
      ['2025-12', 0],
    ]);
  });
});

test('with many programs that are killed again and again, each month of a user is emitted once', async () => {
  const { db, url } = database;
  const users = await Promise.all(Array.from({ length: 60 }, () => addUser('2025-09-03T00:00:00Z')));
  const replicas = Array.from({ length: 3 }, () => createDb(url, { maxConnections: 2 }));
  const name = new URL(url).pathname.slice(1);
  let finished = 0;
  const working = replicas.map(async (replica) => {
    // A killed connection ends a turn at any statement; the next turn starts anew.
    for (let turn = 0; turn < 200; turn++) {
      const ended = await at('2025-12-03T00:00:00Z', replica).then(
        () => true,
        () => false,
      );
      if (ended) break;
    }
    finished += 1;
  });
  let kills = 0;
  while (finished < replicas.length && kills < 60) {
    await db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM (
        SELECT pid FROM pg_stat_activity
        WHERE datname = ${name} AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2) victims`;
    kills += 1;
  }
  await Promise.all(working);
  await at('2025-12-03T00:00:00Z');
  for (const replica of replicas) await replica.$disconnect();
  expect(kills).toBeGreaterThan(5);
  const cycles = await db.billingCycle.count();
  const events = await db.event.groupBy({
    by: ['userId'],
    where: { type: 'billing_cycle_completed' },
    _count: true,
  });
  expect([cycles, events.length]).toEqual([180, 60]);
  expect(new Set(events.map(({ _count }) => _count))).toEqual(new Set([3]));
  expect(await db.quota.count({ where: { scope: 'user', period: '2025-12' } })).toBe(240);
  expect(await faultsInBooks(db, users[0]!.userId)).toEqual([]);
});
