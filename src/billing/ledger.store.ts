import type { Db, Tx } from '../platform/database/db.ts';
import { type Feature, Prisma, type QuotaScope, type QuotaSource } from '../platform/prisma-client/client.ts';
import { FEATURES, type PerFeature } from './features.ts';
import type { Period } from './period.ts';

/** Names one counter: a feature in a month of a user or a device. */
export interface QuotaKey {
  readonly scope: QuotaScope;
  readonly scopeId: string;
  readonly userId: string;
  readonly period: Period;
  readonly feature: Feature;
}

/** A change of a counter, with the reason for its ledger row. */
export interface Move {
  readonly usedBy?: number;
  readonly limitBy?: number;
  /** Sets the limit instead of changing it by `limitBy`; null means unlimited. */
  readonly limitTo?: number | null;
  /** The change is refused where it takes more than is left. */
  readonly onlyWithin: boolean;
  readonly source: QuotaSource;
  readonly sourceId: string;
  /** The device on which it was used. */
  readonly deviceId: string | null;
  readonly referenceId: string | null;
  readonly reason: string | null;
  /** The ledger row of `referenceId` grows in place of a new one. */
  readonly growsRow?: boolean;
}

export interface Moved {
  /** False: there was not enough left, and nothing was written. */
  readonly moved: boolean;
  /** The counter after the change. */
  readonly used: number;
  readonly limit: number;
  readonly isUnlimited: boolean;
  /** The change was the first of the month to reach 80 % or 100 %. */
  readonly warned: boolean;
  readonly exceeded: boolean;
}

/**
 * Changes a counter and writes its ledger row in one statement, which locks the counter first. The time of the row is
 * taken under that lock, so that in rows sorted by time each balance follows from the one before; not where rows grow.
 * @returns null when the month is not open yet, or is folded
 */
export async function moveQuota(tx: Tx, key: QuotaKey, move: Move): Promise<Moved | null> {
  const { limitTo } = move;
  const writeRow = move.growsRow
    ? Prisma.sql`
      UPDATE "QuotaTransaction" t
      SET amount = t.amount + b.before - b.after, "balanceAfter" = t."balanceAfter" - b.before + b.after
      FROM balances b
      WHERE t."referenceId" = ${move.referenceId}::uuid AND t.scope = b.scope AND t.source = 'consumption'`
    : Prisma.sql`
      INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId",
        amount, "balanceBefore", "balanceAfter", "deviceId", "referenceId", reason, "createdAt")
      SELECT id, "userId", scope, "scopeId", period, feature,
             (CASE WHEN after >= before THEN 'credit' ELSE 'debit' END)::"TransactionType",
             ${move.source}::"QuotaSource", ${move.sourceId}, abs(after - before), before, after,
             ${move.deviceId}::uuid, ${move.referenceId}::uuid, ${move.reason}, clock_timestamp()
      FROM balances`;
  const [row] = await tx.$queryRaw<Moved[]>`
    WITH old AS (
      SELECT * FROM "Quota"
      WHERE scope = ${key.scope}::"QuotaScope" AND "scopeId" = ${key.scopeId}::uuid AND period = ${key.period}
        AND feature = ${key.feature}::"Feature" AND "userId" = ${key.userId}::uuid AND "foldedAt" IS NULL
      FOR NO KEY UPDATE),
    next AS (
      SELECT id, used + ${move.usedBy ?? 0}::bigint AS used,
             coalesce(${limitTo ?? null}::bigint, "limit" + ${move.limitBy ?? 0}::bigint) AS "limit",
             CASE WHEN ${limitTo === undefined} THEN "isUnlimited" ELSE ${limitTo === null} END AS "isUnlimited"
      FROM old),
    moved AS (
      UPDATE "Quota" q
      SET used = n.used, "limit" = n."limit", "isUnlimited" = n."isUnlimited", "updatedAt" = clock_timestamp(),
          "warnedAt" = CASE WHEN q."warnedAt" IS NULL AND NOT n."isUnlimited" AND n.used > 0
                             AND n.used * 100 >= n."limit" * 80 THEN clock_timestamp() ELSE q."warnedAt" END,
          "exceededAt" = CASE WHEN q."exceededAt" IS NULL AND NOT n."isUnlimited" AND n.used > 0
                               AND n.used >= n."limit" THEN clock_timestamp() ELSE q."exceededAt" END
      FROM next n
      WHERE q.id = n.id AND (n."isUnlimited" OR n.used <= n."limit" OR NOT ${move.onlyWithin})
      RETURNING q.*),
    balances AS (
      SELECT m.*, o."limit" - o.used AS before, m."limit" - m.used AS after FROM moved m JOIN old o USING (id)),
    ledger AS (${writeRow})
    SELECT m.id IS NOT NULL AS moved, coalesce(m.used, o.used)::float8 AS used,
           coalesce(m."limit", o."limit")::float8 AS "limit",
           coalesce(m."isUnlimited", o."isUnlimited") AS "isUnlimited",
           o."warnedAt" IS NULL AND m."warnedAt" IS NOT NULL AS warned,
           o."exceededAt" IS NULL AND m."exceededAt" IS NOT NULL AS exceeded
    FROM old o LEFT JOIN moved m USING (id)`;
  return row ?? null;
}

/**
 * Opens counters of a month with their limits (null: unlimited), in the order of FEATURES. Open counters stay as they
 * are.
 */
export async function openQuotas(
  tx: Db | Tx,
  { scope, scopeId, userId, period }: Omit<QuotaKey, 'feature'>,
  limits: Partial<PerFeature<number | null>>,
): Promise<void> {
  const features = FEATURES.filter((feature) => limits[feature] !== undefined);
  await tx.$executeRaw`
    WITH opened AS (
      INSERT INTO "Quota" (scope, "scopeId", "userId", period, feature, "limit", "isUnlimited", "updatedAt")
      SELECT ${scope}::"QuotaScope", ${scopeId}::uuid, ${userId}::uuid, ${period}, f.feature::"Feature",
             coalesce(f."limit", 0), f."limit" IS NULL, clock_timestamp()
      FROM unnest(${[...features]}::text[], ${features.map((feature) => limits[feature] ?? null)}::bigint[])
        WITH ORDINALITY f(feature, "limit", place)
      ORDER BY f.place
      ON CONFLICT (scope, "scopeId", period, feature) DO NOTHING
      RETURNING *)
    INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId",
      amount, "balanceBefore", "balanceAfter", "deviceId", "createdAt")
    SELECT id, "userId", scope, "scopeId", period, feature, 'credit', 'system_initial', period, "limit", 0, "limit",
           CASE WHEN scope = 'device' THEN "scopeId" END, clock_timestamp()
    FROM opened WHERE NOT "isUnlimited"`;
}

/** Whether the ledger has this top-up, limit or payment already. The caller must hold the lock of the counter. */
export async function isInLedger(
  tx: Tx,
  { scope, scopeId, feature }: QuotaKey,
  { source, sourceId }: Pick<Move, 'source' | 'sourceId'>,
): Promise<boolean> {
  // The index of these rows has no charges.
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "QuotaTransaction"
    WHERE scope = ${scope}::"QuotaScope" AND "scopeId" = ${scopeId}::uuid AND feature = ${feature}::"Feature"
      AND source = ${source}::"QuotaSource" AND "sourceId" = ${sourceId} AND source NOT IN ('consumption', 'usage_rollback')`;
  return rows.length > 0;
}

/** Whether the usage events of the month are removed, so that nobody can tell whether a charge was made before. */
export async function isFolded(tx: Tx, { scope, scopeId, period, feature }: QuotaKey): Promise<boolean> {
  return (await tx.quota.count({ where: { scope, scopeId, period, feature, foldedAt: { not: null } } })) > 0;
}

/** Locks the counter until the end of the transaction. */
export async function lockQuota(tx: Tx, key: QuotaKey): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM "Quota"
    WHERE scope = ${key.scope}::"QuotaScope" AND "scopeId" = ${key.scopeId}::uuid AND period = ${key.period}
      AND feature = ${key.feature}::"Feature" FOR NO KEY UPDATE`;
}
