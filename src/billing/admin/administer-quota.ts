import { randomUUID } from 'node:crypto';
import type { AuditValue } from '../../audit/audit-note.ts';
import type { AuditAction } from '../../audit/catalogue.ts';
import { type Actor, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import { definedFields } from '../../http/fields.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { Feature, QuotaSource } from '../../platform/prisma-client/client.ts';
import { readBaseLimits, writeBaseLimit } from '../base.store.ts';
import { moveOpened } from '../charge.ts';
import { reportCrossings } from '../crossing.ts';
import { FEATURES, type PerFeature } from '../features.ts';
import { isInLedger, lockQuota, type Move, openQuotas, type QuotaKey } from '../ledger.store.ts';
import { periodOf } from '../period.ts';
import { type QuotaOwner, setDeviceDisabled } from '../quota.store.ts';

/** The user or device whose quota the operator changes, and why. */
export interface QuotaChange extends QuotaOwner {
  readonly userId: string;
  /** Decides which month is changed. */
  readonly now: Date;
  /** Stored in the ledger. */
  readonly reason?: string | undefined;
  /** Who changes it; absent: the operator. */
  readonly by?: Actor;
}

export interface TopUp extends QuotaChange {
  readonly feature: Feature;
  readonly amount: number;
  /** The operator's own id of this top-up. A second top-up with the same id changes nothing. */
  readonly referenceId?: string | undefined;
}

/**
 * Adds to the limit of this month; the addition ends with the month. For an unlimited quota only a ledger row is
 * written.
 */
export function topUpQuota(db: Db, change: TopUp, lastStep?: LastStep<TopUp>): Promise<void> {
  const { feature, amount, referenceId = randomUUID() } = change;
  return db.$transaction(async (tx) => {
    const isMoved = await moveOnce(tx, change, {
      ...causeOf(change, { source: 'admin_manual', sourceId: referenceId, referenceId }),
      feature,
      limitBy: amount,
    });
    if (isMoved) await recordQuota(tx, change, { [feature]: `+${amount}` });
    await lastStep?.(tx, change);
  });
}

/** Sets the limits of this month, replacing top-ups, and of every later month. Null means unlimited. */
export function overrideQuota(
  db: Db,
  change: QuotaChange & { readonly limits: Partial<PerFeature<number | null | undefined>> },
): Promise<void> {
  const overrideId = randomUUID();
  return db.$transaction(async (tx) => {
    for (const feature of FEATURES) {
      const limit = change.limits[feature];
      if (limit === undefined) continue;
      const key = keyOf(change, feature);
      const base = await readBaseLimits(tx, key);
      // The month is opened with the old limit first, so that the ledger shows the change.
      await openQuotas(tx, key, { [feature]: base[feature] });
      await writeBaseLimit(tx, key, limit);
      const cause = { source: 'admin_adjustment', sourceId: overrideId, referenceId: null } as const;
      await moveOnce(tx, change, { ...causeOf(change, cause), feature, limitTo: limit });
    }
    const limits = definedFields(change.limits);
    if (Object.keys(limits).length > 0) await recordQuota(tx, change, limits);
  });
}

/** Disables or enables a device. */
export function switchDevice(db: Db, change: QuotaChange, isDisabled: boolean): Promise<void> {
  return db.$transaction(async (tx) => {
    if (!(await setDeviceDisabled(tx, change.scopeId, isDisabled))) return;
    await record(tx, change, isDisabled ? 'device_disabled' : 'device_enabled');
  });
}

const recordQuota = (
  tx: Tx,
  change: QuotaChange,
  limits: Readonly<Record<string, AuditValue>>,
): Promise<void> => record(tx, change, 'quota_changed', limits);

function record(
  tx: Tx,
  { scope, scopeId, userId, now, reason, by = OPERATOR }: QuotaChange,
  action: AuditAction,
  limits: Readonly<Record<string, AuditValue>> = {},
): Promise<void> {
  const target = scope === 'device' ? { kind: 'device', id: scopeId } : undefined;
  return recordAudit(tx, {
    userId,
    actor: by,
    action,
    target,
    details: { ...limits, reason: reason ?? null },
    at: now,
  });
}

/** @returns false when it was done before */
async function moveOnce(
  tx: Tx,
  change: QuotaChange,
  { feature, ...move }: Move & { feature: Feature },
): Promise<boolean> {
  const key = keyOf(change, feature);
  await openQuotas(tx, key, { [feature]: (await readBaseLimits(tx, key))[feature] });
  await lockQuota(tx, key);
  if (await isInLedger(tx, key, move)) return false;
  const moved = await moveOpened(tx, key, move);
  await reportCrossings(tx, key, { moved, occurredAt: change.now });
  return true;
}

function keyOf({ scope, scopeId, userId, now }: QuotaChange, feature: Feature): QuotaKey {
  return { scope, scopeId, userId, period: periodOf(now), feature };
}

const causeOf = (
  { scope, scopeId, reason }: QuotaChange,
  cause: { source: QuotaSource; sourceId: string; referenceId: string | null },
): Omit<Move, 'limitBy' | 'limitTo'> => ({
  ...cause,
  deviceId: scope === 'device' ? scopeId : null,
  reason: reason ?? null,
  onlyWithin: false,
});
