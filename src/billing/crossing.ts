import { emit } from '../delivery/events/emit.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Feature, QuotaScope } from '../platform/prisma-client/client.ts';
import type { Moved, QuotaKey } from './ledger.store.ts';
import type { Period } from './period.ts';
import { usagePercentage } from './quota-state.ts';

/** A counter that reached 80 % or 100 % of its limit for the first time in its month. */
export interface Crossing {
  readonly scope: QuotaScope;
  readonly featureType: Feature;
  readonly period: Period;
  readonly used: number;
  readonly limit: number;
  readonly usagePercentage: number;
  readonly threshold: 80 | 100;
}

/** Emits an event for each threshold that a counter has reached, in the transaction that changed the counter. */
export async function reportCrossings(
  tx: Tx,
  key: QuotaKey,
  { moved, occurredAt }: { moved: Moved; occurredAt: Date },
): Promise<Crossing[]> {
  const { scope, scopeId, userId, period, feature } = key;
  const { used, limit } = moved;
  const deviceId = scope === 'device' ? scopeId : undefined;
  // With a limit of 0 any usage is all of it.
  const about = {
    scope,
    featureType: feature,
    period,
    used,
    limit,
    usagePercentage: usagePercentage(moved) ?? 100,
  };
  const crossings: Crossing[] = [];
  if (moved.warned) crossings.push({ ...about, threshold: 80 });
  if (moved.exceeded) crossings.push({ ...about, threshold: 100 });
  for (const crossing of crossings) {
    const type = crossing.threshold === 80 ? 'quota_warning' : 'quota_exceeded';
    await emit(tx, {
      userId,
      type,
      data: { ...crossing, ...(deviceId && { deviceId }) },
      occurredAt,
      dedupeKey: `${type}:${scope}:${scopeId}:${period}:${feature}`,
      ...(deviceId && { deviceId }),
    });
  }
  return crossings;
}
