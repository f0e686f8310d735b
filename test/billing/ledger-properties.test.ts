import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { charge, rollBack } from '../../src/billing/charge.ts';
import { FEATURES } from '../../src/billing/features.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { fc } from '../support/property.ts';
import { addOwner, faultsInBooks, inTransaction, NOVEMBER } from './books.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A quantity for one of a few sources, so that charges repeat and returns find them. */
const step = fc.record({
  feature: fc.constantFrom(...FEATURES),
  slice: fc.integer({ min: 0, max: 5 }),
  quantity: fc.integer({ min: 1, max: 40 }),
  daysLater: fc.integer({ min: 0, max: 40 }),
  act: fc.constantFrom('charge', 'charge', 'charge', 'rollBack'),
  fails: fc.boolean(),
});

describe('the books', () => {
  test('counters, ledger, events and daily sums agree under concurrent charges, repeats, returns and failures', async () => {
    const { db } = database;
    const limit = fc.option(fc.integer({ min: 0, max: 120 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 24 }),
        limit,
        limit,
        async (steps, userLimit, deviceLimit) => {
          const all = (value: number | null) =>
            Object.fromEntries(FEATURES.map((feature) => [feature, value]));
          const owner = await addOwner(db, { user: all(userLimit), device: all(deviceLimit) });
          const ended = await Promise.allSettled(
            steps.map(({ feature, slice, quantity, daysLater, act, fails }) =>
              inTransaction(db, async (tx) => {
                const about = { feature, quantity, sourceId: `${owner.userId} ${slice}` };
                const occurredAt = new Date(NOVEMBER.getTime() + daysLater * 86_400_000);
                if (act === 'charge') await charge(tx, { ...owner, ...about, occurredAt });
                else await rollBack(tx, about);
                if (fails) throw new Error('the work failed');
              }),
            ),
          );
          const failures = ended.flatMap((end) => (end.status === 'rejected' ? String(end.reason) : []));
          expect(failures.filter((text) => !/the work failed|more than was charged/.test(text))).toEqual([]);
          expect(await faultsInBooks(db, owner.userId)).toEqual([]);
          const beyond = await db.quota.findMany({
            where: { userId: owner.userId, isUnlimited: false, feature: { not: 'alert' } },
          });
          for (const { used, limit: most } of beyond) expect(used <= most && used >= 0n).toBe(true);
        },
      ),
    );
  });
});
