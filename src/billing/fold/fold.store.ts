import type { Db, Tx } from '../../platform/database/db.ts';
import { type Period, periodEnd, periodStart } from '../period.ts';

/** A month of a user whose usage events are to be removed. */
export interface OldMonth {
  readonly userId: string;
  readonly period: Period;
}

/** Months before `before` that nobody has begun to fold. */
export const findUnfolded = (db: Db, before: Period, atMost: number): Promise<OldMonth[]> => db.$queryRaw`
  SELECT DISTINCT "userId", period::text AS period FROM "Quota"
  WHERE period < ${before} AND "foldedAt" IS NULL ORDER BY 2, 1 LIMIT ${atMost}`;

/** Months that were begun and have rows left, e.g. because the program was killed. */
export const findUnfinished = (db: Db, atMost: number): Promise<OldMonth[]> => db.$queryRaw`
  SELECT DISTINCT q."userId", q.period::text AS period
  FROM "FoldedQuota" f JOIN "Quota" q ON q.id = f."quotaId"
  WHERE f."completedAt" IS NULL ORDER BY 2, 1 LIMIT ${atMost}`;

/** Refuses charges to the month from now on. It waits for those that are being made. */
export const beginFolding = (db: Db, { userId, period }: OldMonth): Promise<unknown> => db.$executeRaw`
  WITH begun AS (
    UPDATE "Quota" SET "foldedAt" = clock_timestamp()
    WHERE "userId" = ${userId}::uuid AND period = ${period} AND "foldedAt" IS NULL
    RETURNING id)
  INSERT INTO "FoldedQuota" ("quotaId") SELECT id FROM begun ON CONFLICT DO NOTHING`;

/**
 * Removes usage events of a month that is begun, with the ledger rows that charged them, and adds their sums to
 * `FoldedQuota`, in one statement. Top-ups, limits and payments stay in the ledger.
 * @returns how many events were removed; 0 when none is left
 */
export async function foldBatch(tx: Db | Tx, { userId, period }: OldMonth, atMost: number): Promise<number> {
  const [row] = await tx.$queryRaw<{ removed: number }[]>`
    WITH gone AS (
      DELETE FROM "UsageEvent" WHERE id = ANY(ARRAY(
        SELECT id FROM "UsageEvent"
        WHERE "userId" = ${userId}::uuid AND period = ${period}
          AND "occurredAt" >= ${periodStart(period)} AND "occurredAt" < ${periodEnd(period)}
        ORDER BY "occurredAt" DESC LIMIT ${atMost} FOR UPDATE))
      RETURNING *),
    half AS (
      SELECT q.id AS "quotaId", o.scope, e.id, e.quantity
      FROM gone e
      CROSS JOIN LATERAL (VALUES ('user'::"QuotaScope", e."userId"), ('device', e."deviceId")) o(scope, "scopeId")
      JOIN "Quota" q ON q.scope = o.scope AND q."scopeId" = o."scopeId" AND q.period = e.period AND q.feature = e.feature),
    ledger AS (
      DELETE FROM "QuotaTransaction" t USING half h
      WHERE t."referenceId" = h.id AND t.scope = h.scope AND t.source IN ('consumption', 'usage_rollback')
      RETURNING t."quotaId", CASE t.type WHEN 'credit' THEN t.amount ELSE -t.amount END AS worth),
    sums AS (
      SELECT "quotaId", sum(used) AS used, sum(worth) AS ledger, count(used) AS events
      FROM (SELECT "quotaId", quantity AS used, NULL AS worth FROM half
            UNION ALL SELECT "quotaId", NULL, worth FROM ledger) moved
      GROUP BY 1 ORDER BY 1),
    kept AS (
      INSERT INTO "FoldedQuota" ("quotaId", ledger, used, events)
      SELECT "quotaId", coalesce(ledger, 0), coalesce(used, 0), events FROM sums
      ON CONFLICT ("quotaId") DO UPDATE
      SET ledger = "FoldedQuota".ledger + excluded.ledger, used = "FoldedQuota".used + excluded.used,
          events = "FoldedQuota".events + excluded.events)
    SELECT count(*)::int AS removed FROM gone`;
  return row?.removed ?? 0;
}

/** No usage event of the month is left. */
export const finishFolding = (db: Db, { userId, period }: OldMonth, now: Date): Promise<unknown> =>
  db.foldedQuota.updateMany({
    where: { completedAt: null, quota: { userId, period } },
    data: { completedAt: now },
  });
