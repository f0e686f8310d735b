import type { Db, Tx } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import type { Feature, QuotaScope } from '../../platform/prisma-client/client.ts';
import type { Period } from '../period.ts';
import { WHOLE_USER } from '../usage.store.ts';

export interface AuditedUser {
  readonly id: string;
  readonly email: string;
}

/** All users, including deleted ones, in the order of their ids. */
export const everyUser = (db: Db, email: string | undefined): AsyncGenerator<AuditedUser> =>
  inBatches<AuditedUser>((take, last) =>
    db.user.findMany({
      where: { ...(last && { id: { gt: last.id } }), ...(email !== undefined && { email }) },
      orderBy: { id: 'asc' },
      take,
      select: { id: true, email: true },
    }),
  );

export const countUsers = (db: Db, email: string | undefined): Promise<number> =>
  db.user.count({ where: email === undefined ? {} : { email } });

/**
 * A counter that differs from its ledger, usage events or daily sums. `used` and `balance` are null where there is no
 * counter.
 */
export interface CounterFault {
  readonly scope: QuotaScope;
  readonly scopeId: string;
  readonly period: Period;
  readonly feature: Feature;
  readonly used: number | null;
  readonly balance: number | null;
  /** The sums from which `balance` and `used` should follow. */
  readonly ledger: number;
  readonly events: number;
  readonly days: number;
}

/** Counters of a user and of their devices that differ from the sums, and usage without a counter. */
export function counterFaults(tx: Tx, userId: string): Promise<CounterFault[]> {
  return tx.$queryRaw<CounterFault[]>`
    WITH counter AS (
      SELECT q.scope, q."scopeId", q.period::text AS period, q.feature, q.used, q."limit" - q.used AS balance,
        (SELECT coalesce(sum(CASE type WHEN 'credit' THEN amount ELSE -amount END), 0)
         FROM "QuotaTransaction" t WHERE t."quotaId" = q.id) + coalesce(f.ledger, 0) AS ledger,
        coalesce(f.used, 0) AS folded
      FROM "Quota" q LEFT JOIN "FoldedQuota" f ON f."quotaId" = q.id WHERE q."userId" = ${userId}::uuid),
    event AS (
      SELECT o.scope, o."scopeId", e.period::text AS period, e.feature, sum(e.quantity) AS events
      FROM "UsageEvent" e
      CROSS JOIN LATERAL (VALUES ('user'::"QuotaScope", e."userId"), ('device', e."deviceId")) o(scope, "scopeId")
      WHERE e."userId" = ${userId}::uuid AND o."scopeId" IS NOT NULL
      GROUP BY 1, 2, 3, 4),
    day AS (
      SELECT CASE "deviceId" WHEN ${WHOLE_USER}::uuid THEN 'user' ELSE 'device' END::"QuotaScope" AS scope,
             CASE "deviceId" WHEN ${WHOLE_USER}::uuid THEN "userId" ELSE "deviceId" END AS "scopeId",
             to_char(day, 'YYYY-MM') AS period, feature, sum(quantity) AS days
      FROM "UsageDay" WHERE "userId" = ${userId}::uuid
      GROUP BY 1, 2, 3, 4)
    SELECT scope, "scopeId", period, feature, used::float8 AS used, balance::float8 AS balance,
           coalesce(ledger, 0)::float8 AS ledger, (coalesce(events, 0) + coalesce(folded, 0))::float8 AS events,
           coalesce(days, 0)::float8 AS days
    FROM counter FULL JOIN event USING (scope, "scopeId", period, feature)
      FULL JOIN day USING (scope, "scopeId", period, feature)
    WHERE coalesce(balance, 0) <> coalesce(ledger, 0)
      OR coalesce(used, 0) <> coalesce(events, 0) + coalesce(folded, 0)
      OR coalesce(used, 0) <> coalesce(days, 0)
    ORDER BY period, scope, "scopeId", feature`;
}

/** A ledger row without its usage event, or the reverse. The database itself checks that a row's balances fit. */
export interface RowFault {
  readonly fault: 'noEvent' | 'noLedgerRow' | 'otherMonth';
  readonly scope: QuotaScope;
  readonly scopeId: string;
  readonly period: Period;
  readonly feature: Feature;
  readonly sourceId: string;
  readonly amount: number;
}

/** At most so many rows of one user are reported. */
export const ROWS_AT_MOST = 10_000;

export function rowFaults(tx: Tx, userId: string): Promise<RowFault[]> {
  return tx.$queryRaw<RowFault[]>`
    WITH ledger AS (SELECT * FROM "QuotaTransaction" WHERE "userId" = ${userId}::uuid),
    event AS (SELECT * FROM "UsageEvent" WHERE "userId" = ${userId}::uuid),
    half AS (
      SELECT o.scope, o."scopeId", e.*
      FROM event e
      CROSS JOIN LATERAL (VALUES ('user'::"QuotaScope", e."userId"), ('device', e."deviceId")) o(scope, "scopeId")
      WHERE o."scopeId" IS NOT NULL),
    fault AS (
      SELECT 'noEvent' AS fault, l.scope, l."scopeId", l.period, l.feature, l."sourceId", l.amount
      FROM ledger l LEFT JOIN half h ON h.id = l."referenceId" AND h.scope = l.scope AND h."scopeId" = l."scopeId"
        AND h.feature = l.feature AND h.period = l.period
        AND h.quantity = CASE l.source WHEN 'consumption' THEN l.amount ELSE -l.amount END
      WHERE l.source IN ('consumption', 'usage_rollback') AND h.id IS NULL
      UNION ALL
      SELECT 'noLedgerRow', h.scope, h."scopeId", h.period, h.feature, h."sourceId", h.quantity
      FROM half h LEFT JOIN ledger l ON l."referenceId" = h.id AND l.scope = h.scope
      WHERE l.id IS NULL
      UNION ALL
      SELECT 'otherMonth', 'user', "userId", period, feature, "sourceId", quantity FROM event
      WHERE to_char("occurredAt" AT TIME ZONE 'UTC', 'YYYY-MM') <> period)
    SELECT fault, scope::text AS scope, "scopeId", period::text AS period, feature::text AS feature, "sourceId",
           amount::float8 AS amount
    FROM fault LIMIT ${ROWS_AT_MOST}`;
}
