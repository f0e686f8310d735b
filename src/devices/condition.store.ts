import type { Db } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import { type DeviceCondition, presentCondition, type ShownCondition, storedCondition } from './condition.ts';
import { WARNING_CHANGE } from './device-change.store.ts';
import { emitWarningEvents, type WarningChange } from './device-events.ts';
import { isStreamedByAnother, LAST_RUNNING_FRAME } from './streamed-devices.store.ts';

/** A node tells within six seconds that no frame comes from a camera; one that tells nothing for longer is itself silent. */
const UNTOLD_SECONDS = 8;

/** How devices are now, by their ids, also where the node that streams them says nothing any more. */
export async function findDeviceConditions(
  db: Db,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, ShownCondition>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.$queryRaw<
    { id: string; fault: unknown; warnings: unknown; silentSince: Date | null }[]
  >`
    SELECT d.id, d.fault, d.warnings,
           CASE WHEN at < clock_timestamp() - make_interval(secs => ${UNTOLD_SECONDS}) THEN at END AS "silentSince"
    FROM "Device" d CROSS JOIN LATERAL (SELECT ${LAST_RUNNING_FRAME} AS at) last
    WHERE d.id = ANY(${[...new Set(deviceIds)]}::uuid[])`;
  return new Map(rows.map(({ id, ...row }) => [id, presentCondition(row)]));
}

/**
 * Keeps how the cameras of a node are now. Not an update in the caller's eyes: `updatedAt` stays. Of a device that another
 * node streams by now nothing is written.
 */
export async function writeDeviceConditions(
  db: Db,
  nodeId: string,
  cameras: ReadonlyMap<string, DeviceCondition>,
): Promise<void> {
  if (cameras.size === 0) return;
  const rows = [...cameras].map(([id, condition]) => ({ id, ...storedCondition(condition) }));
  await db.$transaction(async (tx) => {
    const written = await tx.$queryRaw<WarningChange[]>`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id uuid, fault jsonb, warnings jsonb)),
    old AS (SELECT d.id, d.warnings FROM "Device" d JOIN n USING (id) ORDER BY d.id FOR NO KEY UPDATE OF d)
    UPDATE "Device" d
    SET warnings = n.warnings,
        -- Nothing is analysed since the first of several faults.
        fault = CASE WHEN n.fault = 'null' THEN NULL
                     WHEN d.fault IS NULL THEN n.fault
                     ELSE n.fault || jsonb_build_object('since', d.fault->'since') END
    FROM n JOIN old USING (id)
    WHERE d.id = n.id AND NOT ${isStreamedByAnother(Prisma.sql`d.id`, nodeId)}
    RETURNING ${WARNING_CHANGE}`;
    await emitWarningEvents(tx, written);
    // Whoever follows the live numbers sees why there are none.
    for (const userId of new Set(written.map((device) => device.userId)))
      await notify(tx, CHANNELS.metrics, userId);
  });
}
