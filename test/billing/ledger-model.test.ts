import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { overrideQuota, topUpQuota } from '../../src/billing/admin/administer-quota.ts';
import { auditLedger } from '../../src/billing/audit/audit-ledger.ts';
import { type Charge, charge, rollBack } from '../../src/billing/charge.ts';
import { FEATURES } from '../../src/billing/features.ts';
import { changeMonth } from '../../src/billing/month-change.job.ts';
import { createDb, type Db, type Tx } from '../../src/platform/database/db.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { dearCases, fc } from '../support/property.ts';
import { addOwner, inTransaction } from './books.ts';
import { LedgerModel } from './ledger-model.ts';

const CASES = dearCases(6);
const DAY_MS = 86_400_000;
let database: TestDatabase;
/** The client whose connections are killed. */
let victim: Db;
beforeAll(async () => {
  database = await testDatabase();
  victim = createDb(database.url, { maxConnections: 3 });
});
afterAll(async () => {
  await victim?.$disconnect();
  await database?.drop();
});

const feature = fc.constantFrom('analysis', 'alert', 'vlm' as const);
const scope = fc.constantFrom('user', 'device' as const);
const source = fc.integer({ min: 0, max: 7 }).map((number) => `source ${number}`);
/**
 * How the transaction around a change ends: it commits; it fails or its process is killed before the commit; or its
 * process is killed after the commit and repeats everything.
 */
const end = fc.constantFrom('well', 'well', 'well', 'fails', 'killed', 'again' as const);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('charge' as const),
      ...{ feature, source, end, quantity: fc.integer({ min: 1, max: 40 }), onDevice: fc.boolean() },
      /** The change happened earlier than it is charged. */
      daysAgo: fc.constantFrom(0, 0, 0, 3, 25),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('rollBack' as const),
      ...{ feature, source, end, share: fc.double({ min: 0.01, max: 1, noNaN: true }) },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('topUp' as const),
      ...{
        scope,
        feature,
        amount: fc.integer({ min: 1, max: 50 }),
        reference: fc.integer({ min: 0, max: 2 }),
      },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('override' as const),
      ...{ scope, feature, limit: fc.option(fc.integer({ min: 0, max: 120 })) },
    }),
  },
  /** Time passes. The change of month may come late, and from several programs at once. */
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('pass' as const),
      hours: fc.integer({ min: 1, max: 24 * 40 }),
      comes: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type End = 'well' | 'fails' | 'killed' | 'again';

/**
 * Makes a change in a transaction that ends in this way.
 * @returns the result of the last attempt; undefined where nothing was committed
 */
async function ending<Result>(how: End, act: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
  if (how === 'well') return inTransaction(database.db, act);
  if (how === 'again') {
    await inTransaction(database.db, act);
    return inTransaction(database.db, act);
  }
  const broken = inTransaction(victim, async (tx) => {
    await act(tx);
    if (how === 'killed') await tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
    throw new Error('the work failed');
  });
  await expect(broken).rejects.toThrow();
  return undefined;
}

const limit = fc.option(fc.integer({ min: 0, max: 120 }));
const limits = fc.record({ analysis: limit, alert: limit, attribute: limit, vlm: limit });

/** The database and the model. */
class World {
  readonly model: LedgerModel;
  readonly #owner: { userId: string; deviceId: string };
  #now = new Date('2025-10-20T10:00:00Z');

  constructor(owner: { userId: string; deviceId: string }, bases: Map<string, number | null>) {
    this.#owner = owner;
    this.model = new LedgerModel('2025-09', bases);
  }

  async take(step: Step): Promise<void> {
    const { userId, deviceId } = this.#owner;
    if (step.act === 'charge' || step.act === 'rollBack') return this.#move(step);
    if (step.act === 'pass') {
      this.#now = new Date(this.#now.getTime() + step.hours * 3_600_000);
      return step.comes ? this.changeMonth() : undefined;
    }
    const scopeId = step.scope === 'user' ? userId : deviceId;
    const owner = { scope: step.scope, scopeId, userId, now: this.#now };
    if (step.act === 'topUp') {
      const referenceId = `00000000-0000-4000-8000-00000000000${step.reference}`;
      await topUpQuota(database.db, { ...owner, feature: step.feature, amount: step.amount, referenceId });
      this.model.topUp(step.scope, step.feature, {
        amount: step.amount,
        reference: referenceId,
        now: this.#now,
      });
    } else {
      await overrideQuota(database.db, { ...owner, limits: { [step.feature]: step.limit } });
      this.model.override(step.scope, step.feature, { limit: step.limit, now: this.#now });
    }
  }

  async changeMonth(): Promise<void> {
    const context = { db: database.db, clock: { now: () => this.#now } };
    await Promise.all([changeMonth(context), changeMonth(context)]);
    this.model.changeMonth(this.#now);
  }

  async #move(step: Extract<Step, { act: 'charge' | 'rollBack' }>): Promise<void> {
    const sourceId = `${this.#owner.userId} ${step.source}`;
    const stands = step.end === 'well' || step.end === 'again';
    if (step.act === 'rollBack') {
      const charged = this.model.chargedQuantity(step.feature, sourceId);
      const quantity = Math.max(1, Math.floor(charged * step.share));
      const said = await ending(step.end, (tx) =>
        rollBack(tx, { feature: step.feature, sourceId, quantity }),
      );
      if (!stands) return;
      const first = this.model.rollBack(step.feature, sourceId, quantity);
      expect(said).toBe(step.end === 'again' ? false : first);
      return;
    }
    const at = new Date(this.#now.getTime() - step.daysAgo * DAY_MS);
    const { feature, quantity, onDevice: device } = step;
    const deviceId = device ? this.#owner.deviceId : null;
    const wanted: Charge = { ...this.#owner, deviceId, feature, quantity, sourceId, occurredAt: at };
    const result = await ending(step.end, (tx) => charge(tx, wanted));
    if (!stands) return;
    let expected = this.model.charge(feature, sourceId, { quantity, at, device });
    if (step.end === 'again') expected = this.model.charge(feature, sourceId, { quantity, at, device });
    const said =
      result?.outcome === 'refused'
        ? `refused by ${result.scope}, ${result.available} left`
        : result?.outcome;
    expect(said).toBe(expected);
  }

  /** Counters and emitted events equal those of the model, and the books agree. */
  async compare(email: string): Promise<void> {
    const { db } = database;
    const { userId } = this.#owner;
    const quotas = await db.quota.findMany({ where: { userId } });
    const counters = quotas.map(({ scope, period, feature, limit, used, isUnlimited }) => [
      `${scope} ${period} ${feature}`,
      { limit: Number(limit), used: Number(used), isUnlimited },
    ]);
    expect(Object.fromEntries(counters)).toEqual(Object.fromEntries(this.model.counters));
    const events = await db.event.findMany({ where: { userId } });
    const told = events.map(({ type, body }) => {
      const { data } = JSON.parse(Buffer.from(body).toString());
      if (type !== 'billing_cycle_completed')
        return `${type} ${data.scope} ${data.period} ${data.featureType}`;
      const { period, analysisSeconds, alertCount, attributeCount, vlmTokens } = data;
      return [type, period, analysisSeconds, alertCount, attributeCount, vlmTokens].join(' ');
    });
    expect(told.sort()).toEqual([...this.model.told].sort());
    expect((await auditLedger(db, { email })).differences).toEqual([]);
  }
}

test(
  'billing equals its model under charges, failures, kills, repeats, late events and ends of months',
  async () => {
    const { db } = database;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 30 }),
        limits,
        fc.option(limits),
        async (steps, ofUser, ofDevice) => {
          await db.user.deleteMany();
          const owner = await addOwner(db, { user: ofUser, ...(ofDevice && { device: ofDevice }) });
          const email = `${randomUUID()}@example.com`;
          await db.user.update({
            where: { id: owner.userId },
            data: { email, createdAt: new Date('2025-09-01T00:00:00Z') },
          });
          const bases = FEATURES.flatMap((name): [string, number | null][] => [
            [`user ${name}`, ofUser[name]],
            ...(ofDevice ? [[`device ${name}`, ofDevice[name]] as [string, number | null]] : []),
          ]);
          const world = new World(owner, new Map(bases));
          for (const one of steps) await world.take(one);
          await world.compare(email);
          await world.changeMonth();
          await world.compare(email);
        },
      ),
      { numRuns: CASES },
    );
  },
  60_000 + CASES * 10_000,
);
