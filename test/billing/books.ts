import { randomUUID } from 'node:crypto';
import { writeBaseLimit } from '../../src/billing/base.store.ts';
import { type Charge, type ChargeResult, charge } from '../../src/billing/charge.ts';
import { WHOLE_USER } from '../../src/billing/usage.store.ts';
import type { Db, Tx } from '../../src/platform/database/db.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';

export const NOVEMBER = new Date('2025-11-12T10:00:00.000Z');

/** Long timeouts: hundreds of charges wait for few connections. */
export const inTransaction = <Result>(db: Db, act: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.$transaction(act, { maxWait: 300_000, timeout: 300_000 });

export interface Owner {
  readonly userId: string;
  readonly deviceId: string;
}

/** Creates a user with a device. Months open with these limits; null means unlimited. */
export async function addOwner(
  db: Db,
  limits: {
    user?: Partial<Record<Feature, number | null>>;
    device?: Partial<Record<Feature, number | null>>;
  } = {},
): Promise<Owner> {
  const user = await db.user.create({ data: { email: `${randomUUID()}@example.com` } });
  const device = await db.device.create({ data: { userId: user.id, name: 'Till', streamUrlEncrypted: 'x' } });
  const owner = { userId: user.id, deviceId: device.id };
  for (const scope of ['user', 'device'] as const) {
    for (const [feature, limit] of Object.entries(limits[scope] ?? {})) {
      const key = { userId: user.id, period: '', feature: feature as Feature };
      await writeBaseLimit(db, { ...key, scope, scopeId: scope === 'user' ? user.id : device.id }, limit);
    }
  }
  return owner;
}

/** Charges in a transaction of its own; by default ten seconds of analysis on 12 November 2025. */
export const chargeOne = (db: Db, owner: Owner, wanted: Partial<Charge> = {}): Promise<ChargeResult> =>
  inTransaction(db, (tx) =>
    charge(tx, {
      ...owner,
      feature: 'analysis',
      quantity: 10,
      sourceId: randomUUID(),
      occurredAt: NOVEMBER,
      ...wanted,
    }),
  );

/** Every counter of a user that differs from ledger, events or daily sums; empty when the books agree. */
export const faultsInBooks = (db: Db, userId: string): Promise<unknown[]> => db.$queryRaw<unknown[]>`
  WITH books AS (
    SELECT q.scope, q.period, q.feature, q.used, q."limit" - q.used AS balance,
      (SELECT coalesce(sum(CASE type WHEN 'credit' THEN amount ELSE -amount END), 0)
       FROM "QuotaTransaction" t WHERE t."quotaId" = q.id) AS ledger,
      (SELECT coalesce(sum(quantity), 0) FROM "UsageEvent" e
       WHERE e."userId" = q."userId" AND e.feature = q.feature AND e.period = q.period
         AND (q.scope = 'user' OR e."deviceId" = q."scopeId")) AS events,
      (SELECT coalesce(sum(quantity), 0) FROM "UsageDay" d
       WHERE d."userId" = q."userId" AND d.feature = q.feature AND to_char(d.day, 'YYYY-MM') = q.period
         AND d."deviceId" = CASE q.scope WHEN 'user' THEN ${WHOLE_USER}::uuid ELSE q."scopeId" END) AS days
    FROM "Quota" q WHERE q."userId" = ${userId}::uuid)
  SELECT * FROM books WHERE balance <> ledger OR used <> events OR used <> days`;
