import { z } from 'zod';
import type { Db, Tx } from '../platform/database/db.ts';
import type { Feature, QuotaScope } from '../platform/prisma-client/client.ts';
import { BUILT_IN_LIMITS, MAX_AMOUNT, type PerFeature } from './features.ts';
import type { QuotaKey } from './ledger.store.ts';

const limit = z.int().min(0).max(MAX_AMOUNT).nullable();
const defaultLimits = z.object({ analysis: limit, alert: limit, attribute: limit, vlm: limit });
const SETTING = 'defaultMonthlyLimits';

/**
 * The monthly limits of users without limits of their own. They are stored in the database, so that all programs use
 * the same.
 */
export async function readDefaultLimits(db: Db | Tx): Promise<PerFeature<number | null>> {
  const row = await db.setting.findUnique({ where: { key: SETTING } });
  return row ? defaultLimits.parse(row.value) : BUILT_IN_LIMITS;
}

/** Months that are open keep their limits. */
export async function writeDefaultLimits(db: Db, limits: PerFeature<number | null>): Promise<void> {
  const value = defaultLimits.parse(limits);
  await db.setting.upsert({ where: { key: SETTING }, update: { value }, create: { key: SETTING, value } });
}

/** The limits with which the months of a user or device open. A device without limits of its own is unlimited. */
export async function readBaseLimits(
  db: Db | Tx,
  { scope, scopeId }: { scope: QuotaScope; scopeId: string },
): Promise<PerFeature<number | null>> {
  const [own, defaults] = await Promise.all([
    db.quotaBase.findMany({ where: { scope, scopeId }, select: { feature: true, monthlyLimit: true } }),
    scope === 'user' ? readDefaultLimits(db) : null,
  ]);
  const byFeature = new Map(own.map(({ feature, monthlyLimit }) => [feature, monthlyLimit]));
  const baseOf = (feature: Feature) => {
    const base = byFeature.get(feature);
    if (base === undefined) return defaults?.[feature] ?? null;
    return base === null ? null : Number(base);
  };
  return {
    analysis: baseOf('analysis'),
    alert: baseOf('alert'),
    attribute: baseOf('attribute'),
    vlm: baseOf('vlm'),
  };
}

export async function writeBaseLimit(
  tx: Tx,
  { scope, scopeId, userId, feature }: QuotaKey,
  monthlyLimit: number | null,
): Promise<void> {
  await tx.quotaBase.upsert({
    where: { scope_scopeId_feature: { scope, scopeId, feature } },
    update: { monthlyLimit },
    create: { scope, scopeId, userId, feature, monthlyLimit },
  });
}
