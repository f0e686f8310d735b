import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { PRESENCE_CHANGE } from './device-change.store.ts';
import { emitPresenceEvents, type PresenceChange } from './device-events.ts';

/**
 * Devices that a node streams. The conditions below are the only ones outside of `runs/` that name a status of
 * "AnalysisTask": rooms below `runs/` cannot import it.
 */

/** @param deviceId the column with the device's id. @returns a condition: a node streams the device */
export const isStreamed = (deviceId: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT 1 FROM "AnalysisTask" held WHERE held."deviceId" = ${deviceId} AND held.status = 'PROCESSING')`;

/** @returns a condition: the device is analysed or waits for a node, and is not about to stop */
export const isAnalysed = (deviceId: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT 1 FROM "AnalysisTask" held
  WHERE held."deviceId" = ${deviceId} AND held."deletedAt" IS NULL AND held."stopRequestedAt" IS NULL
    AND held.status IN ('QUEUED', 'PROCESSING'))`;

/** The same for another node than this one. */
export const isStreamedByAnother = (deviceId: Prisma.Sql, nodeId: string): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT 1 FROM "AnalysisTask" held
  WHERE held."deviceId" = ${deviceId} AND held.status = 'PROCESSING' AND held."computeNodeId" <> ${nodeId}::uuid)`;

/** Of "Device" d: the time of the newest frame of its running runs; null without any. */
export const LAST_RUNNING_FRAME = Prisma.sql`(
  SELECT max(held."lastFrameAt") FROM "AnalysisTask" held
  WHERE held."deviceId" = d.id AND held."deletedAt" IS NULL AND held.status = 'PROCESSING'
    AND held."runStatus" = 'running')`;

export interface DeviceSeen {
  readonly deviceId: string;
  /** Frame time of the newest frame; null before the first one. */
  readonly lastFrameMs: number | null;
  readonly onlineStatus: 'online' | 'offline';
  /** Time without frames. */
  readonly silentMs: number;
}

/**
 * Stores whether the cameras of a node send frames. Only a frame that is newer than a fault or a notified outage ends
 * it.
 */
export async function writeDevicesSeen(db: Db, seen: readonly DeviceSeen[]): Promise<void> {
  if (seen.length === 0) return;
  const rows = seen.map(({ deviceId, lastFrameMs, onlineStatus, silentMs }) => ({
    id: deviceId,
    at: lastFrameMs === null ? null : new Date(lastFrameMs).toISOString(),
    status: onlineStatus,
    silentMs,
  }));
  await db.$transaction(async (tx) => {
    const changes = await tx.$queryRaw<PresenceChange[]>`
      WITH n AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS n(id uuid, at timestamptz, status "OnlineStatus", "silentMs" float8)),
      old AS (
        SELECT d.id, d."onlineStatus", d."onlineChangedAt", d."toldOfflineSince" FROM "Device" d JOIN n USING (id)
        ORDER BY d.id FOR NO KEY UPDATE OF d)
      UPDATE "Device" d
      SET "lastFrameAt" = coalesce(n.at, d."lastFrameAt"), "onlineStatus" = n.status,
          "lastError" = CASE WHEN n.at <= d."lastErrorAt" OR n.at IS NULL THEN d."lastError" END,
          "lastErrorAt" = CASE WHEN n.at <= d."lastErrorAt" OR n.at IS NULL THEN d."lastErrorAt" END,
          "outageNotifiedAt" = CASE WHEN n.at <= d."outageNotifiedAt" OR n.at IS NULL THEN d."outageNotifiedAt" END,
          "toldOfflineSince" = CASE WHEN n.status = 'offline' THEN coalesce(
            old."toldOfflineSince", clock_timestamp() - make_interval(secs => n."silentMs" / 1000)) END,
          "onlineChangedAt" = CASE WHEN old."onlineStatus" <> n.status THEN clock_timestamp()
                                   ELSE old."onlineChangedAt" END
      FROM n JOIN old USING (id)
      WHERE d.id = n.id
      RETURNING ${PRESENCE_CHANGE}`;
    await emitPresenceEvents(tx, changes);
  });
}
