import type { Tx } from '../platform/database/db.ts';
import { type AnalysisType, type Feature, Prisma } from '../platform/prisma-client/client.ts';
import type { Period } from './period.ts';

/** Stands for the whole user in the daily sums, beside the ids of devices. */
export const WHOLE_USER = '00000000-0000-0000-0000-000000000000';

/** A quantity that was used. */
export interface Usage {
  readonly userId: string;
  readonly deviceId: string | null;
  readonly sceneId: string | null;
  readonly taskId: string | null;
  readonly feature: Feature;
  readonly analysisType: AnalysisType | null;
  /** In the feature's unit; negative for a return. */
  readonly quantity: number;
  readonly sourceId: string;
  readonly period: Period;
  readonly occurredAt: Date;
}

/**
 * Waits for a transaction that writes the same event.
 * @param grows an event that was written before grows by the quantity
 * @returns null when the event was written before, and does not grow
 */
export async function insertUsage(
  tx: Tx,
  usage: Usage,
  grows = false,
): Promise<{ id: string; isNew: boolean } | null> {
  const again = grows
    ? Prisma.sql`UPDATE SET quantity = "UsageEvent".quantity + excluded.quantity`
    : Prisma.sql`NOTHING`;
  const [row] = await tx.$queryRaw<{ id: string; isNew: boolean }[]>`
    INSERT INTO "UsageEvent" ("userId", "deviceId", "sceneId", "taskId", feature, "analysisType", quantity, "sourceId",
                              period, "occurredAt")
    VALUES (${usage.userId}::uuid, ${usage.deviceId}::uuid, ${usage.sceneId}::uuid, ${usage.taskId}::uuid,
            ${usage.feature}::"Feature", ${usage.analysisType}::"AnalysisType", ${usage.quantity}::bigint,
            ${usage.sourceId}, ${usage.period}, ${usage.occurredAt}::timestamptz)
    ON CONFLICT (feature, "sourceId") DO ${again}
    RETURNING id, xmax = 0 AS "isNew"`;
  return row ?? null;
}

/**
 * Adds to the daily sums of the user and of the device. The caller must hold the lock of the user's counter, so that
 * two charges never deadlock.
 */
export async function addToDay(tx: Tx, usage: Usage): Promise<void> {
  const owners = usage.deviceId === null ? [WHOLE_USER] : [WHOLE_USER, usage.deviceId];
  await tx.$executeRaw`
    INSERT INTO "UsageDay" ("userId", "deviceId", day, feature, "analysisType", quantity)
    SELECT ${usage.userId}::uuid, owner, (${usage.occurredAt}::timestamptz AT TIME ZONE 'UTC')::date,
           ${usage.feature}::"Feature", ${usage.analysisType ?? 'queue_analysis'}::"AnalysisType",
           ${usage.quantity}::bigint
    FROM unnest(${owners}::uuid[]) owner
    ON CONFLICT ("userId", day, "deviceId", feature, "analysisType")
    DO UPDATE SET quantity = "UsageDay".quantity + excluded.quantity`;
}

export async function findUsage(tx: Tx, feature: Feature, sourceId: string): Promise<Usage | null> {
  const row = await tx.usageEvent.findUnique({ where: { feature_sourceId: { feature, sourceId } } });
  return row && { ...row, quantity: Number(row.quantity) };
}

/** Whether the operator has disabled the device. False for a deleted device, whose past usage is still charged. */
export async function isDeviceDisabled(tx: Tx, deviceId: string): Promise<boolean> {
  return (await tx.device.count({ where: { id: deviceId, isDisabled: true, deletedAt: null } })) > 0;
}

/** A savepoint: later writes can be undone without ending the transaction. */
export async function savepoint(tx: Tx): Promise<{ keep(): Promise<unknown>; undo(): Promise<void> }> {
  await tx.$executeRaw`SAVEPOINT charge`;
  return {
    keep: () => tx.$executeRaw`RELEASE SAVEPOINT charge`,
    async undo() {
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT charge`;
      await tx.$executeRaw`RELEASE SAVEPOINT charge`;
    },
  };
}
