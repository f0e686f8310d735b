import type { Tx } from '../platform/database/db.ts';
import type { AnalysisType, Feature, QuotaScope } from '../platform/prisma-client/client.ts';
import { readBaseLimits } from './base.store.ts';
import { type Crossing, reportCrossings } from './crossing.ts';
import { isFolded, type Move, type Moved, moveQuota, openQuotas, type QuotaKey } from './ledger.store.ts';
import { periodOf } from './period.ts';
import { addToDay, findUsage, insertUsage, isDeviceDisabled, savepoint, type Usage } from './usage.store.ts';

export interface Charge {
  readonly userId: string;
  /** Null where no device is involved, as for a search. */
  readonly deviceId: string | null;
  readonly sceneId?: string;
  readonly taskId?: string;
  readonly analysisType?: AnalysisType;
  readonly feature: Feature;
  /** In the feature's unit; a whole number from 1. */
  readonly quantity: number;
  /**
   * Names the thing that is charged, unique within its feature: a second charge with the same name changes nothing. At
   * most 190 characters.
   */
  readonly sourceId: string;
  /** Decides the month and the day of the charge. */
  readonly occurredAt: Date;
  /** Charges also beyond the limit, for what has been used already. Alerts are always charged beyond it. */
  readonly allowBeyondLimit?: boolean;
  /**
   * A charge with this `sourceId` grows by the quantity, with its ledger rows, in place of being `repeated`: the caller knows that what it
   * charges is new. `occurredAt` must be in the month and on the day of the first.
   */
  readonly grows?: boolean;
}

export type ChargeResult =
  | { readonly outcome: 'charged'; readonly crossings: readonly Crossing[] }
  /** The same charge was made before; nothing was written. */
  | { readonly outcome: 'repeated' }
  /** Nothing was written. `available` is the quantity that this scope would still have allowed. */
  | {
      readonly outcome: 'refused';
      readonly scope: QuotaScope;
      readonly because: 'quota' | 'disabled';
      readonly available: number;
    };

/**
 * Charges the user, then the device, in the caller's transaction: usage event, counters, ledger rows, daily sums and
 * the events `quota_warning` and `quota_exceeded` are written together or not at all. After a refusal the transaction
 * can go on. Several charges in one transaction must be ordered by user, then by FEATURES.
 * @throws FoldedMonthError when the month of the charge is older than USAGE_RETENTION_MONTHS
 */
export async function charge(tx: Tx, request: Charge): Promise<ChargeResult> {
  requireWhole(request.quantity);
  const usage = usageOf(request);
  const onlyWithin = request.feature !== 'alert' && !request.allowBeyondLimit;
  // Only a charge that may be refused needs a savepoint.
  const start = onlyWithin ? await savepoint(tx) : null;
  const event = await insertUsage(tx, usage, request.grows);
  if (event === null) {
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
      ...causeOf(usage, event.id),
      source: 'consumption',
      usedBy: usage.quantity,
      growsRow: !event.isNew,
      onlyWithin,
    } as const;
    const moved = await moveOpened(tx, key, move);
    if (!moved.moved) return refuse(key.scope, 'quota', Math.max(0, moved.limit - moved.used));
    crossings.push(...(await reportCrossings(tx, key, { moved, occurredAt: usage.occurredAt })));
  }
  await addToDay(tx, usage);
  await start?.keep();
  return { outcome: 'charged', crossings };
}

/**
 * Gives back all or part of a charge, once, in the month and on the day of the charge.
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
  const event = await insertUsage(tx, usage);
  if (event === null) return false;
  for (const key of keysOf(usage)) {
    const cause = { ...causeOf(usage, event.id), sourceId, source: 'usage_rollback' } as const;
    await moveOpened(tx, key, { ...cause, usedBy: -quantity, onlyWithin: false });
  }
  await addToDay(tx, usage);
  return true;
}

/** Something was charged to a month whose usage events are removed already. Nothing was written. */
export class FoldedMonthError extends Error {
  constructor({ period, userId }: Pick<QuotaKey, 'period' | 'userId'>) {
    super(
      `${period} of the user ${userId} is closed: USAGE_RETENTION_MONTHS have passed, and nothing is charged to it.`,
    );
  }
}

/** Changes a counter; the first change of a month opens the month. @throws FoldedMonthError */
export async function moveOpened(tx: Tx, key: QuotaKey, move: Move): Promise<Moved> {
  const moved = await moveQuota(tx, key, move);
  if (moved) return moved;
  if (await isFolded(tx, key)) throw new FoldedMonthError(key);
  const limit = (await readBaseLimits(tx, key))[key.feature];
  await openQuotas(tx, key, { [key.feature]: limit });
  const first = await moveQuota(tx, key, move);
  if (!first) throw new Error(`The ${key.scope} ${key.scopeId} is not of the user ${key.userId}`);
  return first;
}

function usageOf(request: Charge): Usage {
  const { userId, deviceId, feature, quantity, sourceId, occurredAt } = request;
  return {
    userId,
    deviceId,
    sceneId: request.sceneId ?? null,
    taskId: request.taskId ?? null,
    analysisType: request.analysisType ?? (deviceId === null ? null : 'queue_analysis'),
    feature,
    quantity,
    sourceId,
    occurredAt,
    period: periodOf(occurredAt),
  };
}

/** User first, then device: with one order two charges never wait for each other. */
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
