import type { Tx } from '../platform/database/db.ts';
import type { AnalysisType, Feature, QuotaScope } from '../platform/prisma-client/client.ts';
import { readBaseLimits } from './base.store.ts';
import { type Crossing, tellCrossings } from './crossing.ts';
import { type Move, type Moved, moveQuota, openQuotas, type QuotaKey } from './ledger.store.ts';
import { periodOf } from './period.ts';
import { addToDay, findUsage, insertUsage, isDeviceDisabled, savepoint, type Usage } from './usage.store.ts';

export interface Charge {
  readonly userId: string;
  /** Null where no device is involved (a search). */
  readonly deviceId: string | null;
  readonly sceneId?: string;
  readonly taskId?: string;
  readonly analysisType?: AnalysisType;
  readonly feature: Feature;
  /** In the feature's unit, a whole number from 1. */
  readonly quantity: number;
  /** What is charged for, unique in its feature: the same again is charged once. At most 190 characters. */
  readonly sourceId: string;
  /** Decides the month and the day. */
  readonly occurredAt: Date;
  /** Charged also beyond the limit: what was used already cannot be refused. Alerts always are. */
  readonly evenBeyond?: boolean;
}

export type ChargeResult =
  | { readonly outcome: 'charged'; readonly crossings: readonly Crossing[] }
  /** It was charged before; nothing was written. */
  | { readonly outcome: 'repeated' }
  /** Nothing was written. `available`: what this scope would still have given. */
  | {
      readonly outcome: 'refused';
      readonly scope: QuotaScope;
      readonly because: 'quota' | 'disabled';
      readonly available: number;
    };

/**
 * Charges the user, then the device, inside the caller's transaction: event, counters, ledger and daily sum all stand
 * with it or fall with it, and so do the events `quota_warning` and `quota_exceeded`. A refusal leaves the transaction
 * usable. Several charges in one transaction: by user, then in the order of FEATURES.
 */
export async function charge(tx: Tx, wanted: Charge): Promise<ChargeResult> {
  requireWhole(wanted.quantity);
  const usage = usageOf(wanted);
  const onlyWithin = wanted.feature !== 'alert' && !wanted.evenBeyond;
  // What is never refused has nothing to take back.
  const start = onlyWithin ? await savepoint(tx) : null;
  const eventId = await insertUsage(tx, usage);
  if (eventId === null) {
    await start?.keep();
    return { outcome: 'repeated' };
  }
  const refuse = async (scope: QuotaScope, because: 'quota' | 'disabled', available: number) => {
    await start?.undo();
    return { outcome: 'refused', scope, because, available } as const;
  };
  if (onlyWithin && usage.deviceId && (await isDeviceDisabled(tx, usage.deviceId))) {
    return refuse('device', 'disabled', 0);
  }
  const crossings: Crossing[] = [];
  for (const key of keysOf(usage)) {
    const move = {
      ...causeOf(usage, eventId),
      source: 'consumption',
      usedBy: usage.quantity,
      onlyWithin,
    } as const;
    const moved = await moveOpened(tx, key, move);
    if (!moved.moved) return refuse(key.scope, 'quota', Math.max(0, moved.limit - moved.used));
    crossings.push(...(await tellCrossings(tx, key, { moved, occurredAt: usage.occurredAt })));
  }
  await addToDay(tx, usage);
  await start?.keep();
  return { outcome: 'charged', crossings };
}

/**
 * Gives back a charge, or a part of it, once: in the month and on the day of the charge.
 * @returns false when there is no such charge, or it was given back before
 */
export async function rollBack(
  tx: Tx,
  { feature, sourceId, quantity }: Pick<Charge, 'feature' | 'sourceId' | 'quantity'>,
): Promise<boolean> {
  requireWhole(quantity);
  const charged = await findUsage(tx, feature, sourceId);
  if (!charged) return false;
  if (quantity > charged.quantity)
    throw new RangeError(`${quantity} is more than was charged for ${sourceId}`);
  const usage: Usage = { ...charged, quantity: -quantity, sourceId: `${sourceId}:rollback` };
  const eventId = await insertUsage(tx, usage);
  if (eventId === null) return false;
  for (const key of keysOf(usage)) {
    const cause = { ...causeOf(usage, eventId), sourceId, source: 'usage_rollback' } as const;
    await moveOpened(tx, key, { ...cause, usedBy: -quantity, onlyWithin: false });
  }
  await addToDay(tx, usage);
  return true;
}

/** Moves a counter; the first move of a month opens it. */
export async function moveOpened(tx: Tx, key: QuotaKey, move: Move): Promise<Moved> {
  const moved = await moveQuota(tx, key, move);
  if (moved) return moved;
  const limit = (await readBaseLimits(tx, key))[key.feature];
  await openQuotas(tx, key, { [key.feature]: limit });
  const first = await moveQuota(tx, key, move);
  if (!first) throw new Error(`The ${key.scope} ${key.scopeId} is not of the user ${key.userId}`);
  return first;
}

function usageOf(wanted: Charge): Usage {
  const { userId, deviceId, feature, quantity, sourceId, occurredAt } = wanted;
  return {
    userId,
    deviceId,
    sceneId: wanted.sceneId ?? null,
    taskId: wanted.taskId ?? null,
    analysisType: wanted.analysisType ?? (deviceId === null ? null : 'queue_analysis'),
    feature,
    quantity,
    sourceId,
    occurredAt,
    period: periodOf(occurredAt),
  };
}

/** User, then device: always this order, so that two charges never wait for each other. */
function keysOf({ userId, deviceId, period, feature }: Usage): QuotaKey[] {
  const user = { scope: 'user', scopeId: userId, userId, period, feature } as const;
  return deviceId === null ? [user] : [user, { ...user, scope: 'device', scopeId: deviceId }];
}

const causeOf = ({ sourceId, deviceId }: Usage, referenceId: string) => ({
  sourceId,
  deviceId,
  referenceId,
  reason: null,
});

function requireWhole(quantity: number): void {
  if (!Number.isSafeInteger(quantity) || quantity < 1) {
    throw new RangeError(`A quantity must be a whole number from 1, not ${quantity}`);
  }
}
