import type { Db, Tx } from '../platform/database/db.ts';
import type { DeviceKind, Feature, QuotaScope } from '../platform/prisma-client/client.ts';
import { readBaseLimits } from './base.store.ts';
import { type PerFeature, perFeature } from './features.ts';
import type { Period } from './period.ts';
import { balanceOf, type QuotaState } from './quota-state.ts';

export interface QuotaOwner {
  readonly scope: QuotaScope;
  readonly scopeId: string;
}

/** The quota of a month. A month without usage has the limits with which it would open. */
export async function readQuota(
  db: Tx,
  { scope, scopeId }: QuotaOwner,
  period: Period,
): Promise<PerFeature<QuotaState>> {
  const [rows, base] = await Promise.all([
    db.quota.findMany({ where: { scope, scopeId, period } }),
    readBaseLimits(db, { scope, scopeId }),
  ]);
  const byFeature = new Map(rows.map((row) => [row.feature, row]));
  return perFeature((feature) => {
    const row = byFeature.get(feature);
    if (!row) return { limit: base[feature], used: 0 };
    return { limit: row.isUnlimited ? null : Number(row.limit), used: Number(row.used) };
  });
}

/** What a user and a device both have left of a feature in a month; Infinity where both are unlimited. */
export async function readLeft(
  db: Tx,
  { userId, deviceId }: { readonly userId: string; readonly deviceId: string },
  { feature, period }: { readonly feature: Feature; readonly period: Period },
): Promise<number> {
  const user = await readQuota(db, { scope: 'user', scopeId: userId }, period);
  const device = await readQuota(db, { scope: 'device', scopeId: deviceId }, period);
  return Math.min(...[user, device].map((quota) => balanceOf(quota[feature]) ?? Number.POSITIVE_INFINITY));
}

export interface OwnDevice {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly kind: DeviceKind;
  readonly isDisabled: boolean;
}

const DEVICE = { id: true, userId: true, name: true, kind: true, isDisabled: true } as const;

/** A device of the caller. */
export function findOwnDevice(db: Db, userId: string, id: string): Promise<OwnDevice | null> {
  return db.device.findFirst({ where: { id, userId, deletedAt: null }, select: DEVICE });
}

/** A device of any user, for administrators. */
export function findAnyDevice(db: Db, id: string): Promise<OwnDevice | null> {
  return db.device.findFirst({
    where: { id, deletedAt: null, user: { deletedAt: null } },
    select: DEVICE,
  });
}

/** @returns false when nothing changed */
export async function setDeviceDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<boolean> {
  const { count } = await tx.device.updateMany({
    where: { id, deletedAt: null, isDisabled: !isDisabled },
    data: { isDisabled },
  });
  return count > 0;
}

export async function isUser(db: Db, id: string): Promise<boolean> {
  return (await db.user.count({ where: { id, deletedAt: null } })) > 0;
}
