import { randomUUID } from 'node:crypto';
import { findUser } from '../../access/user.store.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Feature } from '../../platform/prisma-client/client.ts';
import { FEATURES, type PerFeature, perFeature } from '../features.ts';
import { type Period, periodOf } from '../period.ts';
import { findOwnDevice, type QuotaOwner, readQuota } from '../quota.store.ts';
import { overrideQuota, topUpQuota } from './administer-quota.ts';

/** Quota commands of the operator's command line, which needs only the database. */

export interface QuotaLimits extends QuotaOwner {
  readonly period: Period;
  /** The limits of this month; null means unlimited. */
  readonly limits: PerFeature<number | null>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Adds to the limit of a user or of one of their devices. @throws Error with one sentence for the operator */
export async function grantQuota(
  db: Db,
  email: string,
  options: { feature: string; amount: number; device?: string; reference?: string; reason?: string },
): Promise<QuotaLimits> {
  const feature = FEATURES.find((name) => name === options.feature);
  if (!feature) throw new Error(`There is no feature "${options.feature}": use ${FEATURES.join(', ')}.`);
  if (options.amount < 1) throw new Error('The amount must be at least 1.');
  const { reference: referenceId = randomUUID(), amount, reason } = options;
  if (!UUID.test(referenceId)) throw new Error('--reference must be a UUID.');
  const owner = await findOwner(db, email, options.device);
  await topUpQuota(db, { ...owner, feature, amount, referenceId, reason });
  return limitsOf(db, owner);
}

/** Sets the monthly limits of a user or of one of their devices. @throws Error with one sentence for the operator */
export async function setQuota(
  db: Db,
  email: string,
  options: {
    limits: Partial<Record<Feature, number | null>>;
    device?: string | undefined;
    reason?: string | undefined;
  },
): Promise<QuotaLimits> {
  if (Object.keys(options.limits).length === 0)
    throw new Error(`Name at least one limit, e.g. --alert 1000. There are ${FEATURES.join(', ')}.`);
  const owner = await findOwner(db, email, options.device);
  await overrideQuota(db, { ...owner, limits: options.limits, reason: options.reason });
  return limitsOf(db, owner);
}

async function findOwner(db: Db, email: string, deviceId: string | undefined) {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": create one with create-user.`);
  const about = { userId: user.id, now: systemClock.now() };
  if (deviceId === undefined) return { ...about, scope: 'user' as const, scopeId: user.id };
  const device = UUID.test(deviceId) ? await findOwnDevice(db, user.id, deviceId) : null;
  if (!device) throw new Error(`${email} has no device "${deviceId}".`);
  return { ...about, scope: 'device' as const, scopeId: device.id };
}

async function limitsOf(db: Db, { scope, scopeId, now }: QuotaOwner & { now: Date }): Promise<QuotaLimits> {
  const period = periodOf(now);
  const month = await readQuota(db, { scope, scopeId }, period);
  return { scope, scopeId, period, limits: perFeature((feature) => month[feature].limit) };
}
